import { Button, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import type { ImportedResults } from "../../api/types_sheets";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card } from "../../parts/page";
import { Arrived } from "../schedules/arrived";
import { Stored } from "./stored";

/** Takes what users asked in the last days, as traces say: a dataset, a log and the experiment that replays it. */
export function TakeTraces() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const may = useMay("edit");
  const [form, setForm] = useState({ name: "last-week", last: 200, days: 7, seed: "" });
  const take = useMutation({
    mutationFn: () => send<ImportedResults>("POST", "/traces/take", { ...form, ...(form.seed ? {} : { seed: undefined }) }),
    onSuccess: () => client.invalidateQueries(),
  });
  const change = (to: Partial<typeof form>) => {
    setForm({ ...form, ...to });
    take.reset();
  };
  return (
    <>
      <Card title={t("traces.title")}>
        <div className="stack">
          <p className="soft">{t("traces.about")}</p>
          <p>
            <Arrived />
          </p>
          {may && (
            <div className="row" style={{ alignItems: "flex-end" }}>
              <TextInput size="xs" label={t("traces.name")} value={form.name} onChange={(e) => change({ name: e.currentTarget.value })} />
              <NumberInput
                size="xs"
                label={t("schedules.askedMost")}
                min={1}
                max={5000}
                value={form.last}
                onChange={(n) => change({ last: Number(n) || 1 })}
              />
              <NumberInput
                size="xs"
                label={t("schedules.askedDays")}
                min={1}
                max={366}
                value={form.days}
                onChange={(n) => change({ days: Number(n) || 1 })}
              />
              <TextInput
                size="xs"
                label={t("schedules.askedSeed")}
                value={form.seed}
                onChange={(e) => change({ seed: e.currentTarget.value })}
              />
              <Button loading={take.isPending} disabled={!form.name || Boolean(take.data)} onClick={() => take.mutate()}>
                {t("traces.take")}
              </Button>
            </div>
          )}
          {take.error && <ProblemLine error={take.error} />}
        </div>
      </Card>
      {take.data && <Stored results={take.data} />}
    </>
  );
}

import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { useList } from "../../api/queries";
import type { RunRow } from "../../api/types";
import { Await, Empty } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Card, PageHead } from "../../parts/page";
import { runTitle } from "../../parts/runwords";
import { CompareFiles } from "./files";
import css from "./compare.module.css";

interface Pair {
  baseline: string;
  candidate: string;
}

/** Chooses the two runs to compare; given are those that are known already. */
export function ChoosePair({ given, onChoose }: { given: Pair; onChoose: (pair: Pair) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const runs = useList<RunRow>("/runs", { state: "finished", kind: "evaluate" }, 500);
  const [pair, setPair] = useState(given);
  const [files, setFiles] = useState(false);
  const mayRun = useMay("run");
  const one = runs.rows.find((r) => r.run_id === (pair.baseline || pair.candidate));
  const data = runs.rows
    .filter((r) => !one || r.dataset.name === one.dataset.name)
    .map((r) => ({ value: r.run_id, label: `${runTitle(r)} · ${format.brief(r.created_at)} · ${r.run_id}` }));
  if (files) return <CompareFiles onClose={() => setFiles(false)} />;
  return (
    <>
      <PageHead
        title={t("compare.title")}
        name={t("compare.title")}
        actions={
          mayRun && (
            <Button variant="default" onClick={() => setFiles(true)}>
              {t("scores.open")}
            </Button>
          )
        }
      />
      <Await query={runs}>
        {() =>
          runs.rows.length < 2 ? (
            <Empty title={t("compare.none")} next={t("compare.noneNext")} command="workbench demo" />
          ) : (
            <Card className={css.choose}>
              <div className="stack">
                {(["baseline", "candidate"] as const).map((arm) => (
                  <Select
                    key={arm}
                    label={t(`compare.${arm}`)}
                    description={t(`compare.${arm}Meaning`)}
                    placeholder={t("compare.chooseRun")}
                    searchable
                    clearable
                    limit={60}
                    nothingFoundMessage={t("compare.noRun")}
                    value={pair[arm] || null}
                    onChange={(v) => setPair({ ...pair, [arm]: v ?? "" })}
                    data={data.filter((d) => d.value !== pair[arm === "baseline" ? "candidate" : "baseline"])}
                  />
                ))}
                <div>
                  <Button disabled={!pair.candidate || !pair.baseline} onClick={() => onChoose(pair)}>
                    {t("compare.go")}
                  </Button>
                </div>
              </div>
            </Card>
          )
        }
      </Await>
    </>
  );
}

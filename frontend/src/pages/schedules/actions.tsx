import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import type { ScheduleRow } from "../../api/types_schedules";
import { ConfirmDialog, ProblemLine } from "../../parts/confirmdialog";
import { Icon } from "../../parts/icon";
import { isOpen, pathOf, useBudgetWords, useFires, useVerb } from "./data";

/** What can be done with a schedule, as far as the person may. */
export function Actions({ schedule: s, onEdit }: { schedule: ScheduleRow; onEdit: () => void }) {
  const { t } = useTranslation();
  const mayRun = useMay("run");
  const mayEdit = useMay("edit");
  const [asked, setAsked] = useState<"" | "run" | "delete">("");
  const toggle = useVerb(s.name, s.paused ? "resume" : "pause");
  return (
    <>
      {mayRun && (
        <>
          <Button
            leftSection={<Icon name="play" size={12} />}
            disabled={isOpen(s.last) && s.overlap === "skip"}
            onClick={() => setAsked("run")}
          >
            {t("schedules.runNow")}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name={s.paused ? "play" : "pause"} size={12} />}
            loading={toggle.isPending}
            onClick={() => toggle.mutate(undefined)}
          >
            {s.paused ? t("schedules.resume") : t("schedules.pause")}
          </Button>
          <Button variant="default" leftSection={<Icon name="edit" size={14} />} onClick={onEdit}>
            {t("schedules.edit")}
          </Button>
        </>
      )}
      {mayEdit && (
        <Button variant="default" leftSection={<Icon name="trash" size={14} />} onClick={() => setAsked("delete")}>
          {t("schedules.delete")}
        </Button>
      )}
      {toggle.error && <ProblemLine error={toggle.error} />}
      {asked === "run" && <RunNow schedule={s} onClose={() => setAsked("")} />}
      {asked === "delete" && <Delete schedule={s} onClose={() => setAsked("")} />}
    </>
  );
}

/** Asks before a fire is bought, with what one has cost and what bounds it. */
function RunNow({ schedule: s, onClose }: { schedule: ScheduleRow; onClose: () => void }) {
  const { t } = useTranslation();
  const words = useBudgetWords(s.currency);
  const run = useVerb(s.name, "run-now", onClose);
  const fires = useFires(s.name, 100);
  const last = fires.data?.items.find((f) => f.state === "ran");
  const bounds = [
    s.budget.micros || s.budget.calls ? t("schedules.boundFire", { budget: words(s.budget) }) : "",
    s.monthly.micros || s.monthly.calls
      ? t("schedules.boundMonth", { budget: words(s.monthly), spent: words(s.month) || t("schedules.nothingYet") })
      : "",
  ];
  return (
    <ConfirmDialog
      opened
      title={t("schedules.runNowOf", { name: s.name })}
      action={t("schedules.runNowAction")}
      busy={run.isPending}
      error={run.error}
      onConfirm={() => run.mutate(undefined)}
      onClose={onClose}
    >
      <div className="stack">
        <p>{t("schedules.runNowMeans")}</p>
        <p>
          <strong>
            {last
              ? t("schedules.lastCost", { cost: words({ micros: last.spent_micros, calls: last.calls }) || t("schedules.nothingBought") })
              : t("schedules.noCost")}
          </strong>{" "}
          {bounds.filter(Boolean).join(" ") || t("schedules.unbounded")}
        </p>
      </div>
    </ConfirmDialog>
  );
}

function Delete({ schedule: s, onClose }: { schedule: ScheduleRow; onClose: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => send("DELETE", pathOf(s.name)),
    onSuccess: async () => {
      // Away first: what is on this page is not to be asked after again.
      await client.invalidateQueries({ queryKey: ["/schedules"] });
      await router.navigate({ to: "/schedules" });
      client.removeQueries({
        predicate: ({ queryKey: [path] }) => typeof path === "string" && (path === pathOf(s.name) || path.startsWith(`${pathOf(s.name)}/`)),
      });
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      title={t("schedules.deleteAsk", { name: s.name })}
      action={t("schedules.delete")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t("schedules.deleteMeans")}
    </ConfirmDialog>
  );
}

import { Button, Progress } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useRunEvents } from "../../api/events";
import { useMay } from "../../api/me";
import type { RunDetail } from "../../api/types";
import { said } from "../../api/types_notebook";
import { StateBadge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { Card } from "../../parts/page";
import { isOver, million } from "../../parts/runwords";
import { useRunAction } from "./actions";
import css from "./run.module.css";

/** How far a run is that is not over, what it has spent, and the buttons that pause, resume and stop it. */
export function RunProgress({ detail }: { detail: RunDetail }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { row, spent, currency } = detail;
  const { state: told, latest: events } = useRunEvents(row.run_id, !isOver(row.state));
  const state = told || row.state;
  const act = useRunAction(row.run_id);
  const mayRun = useMay("run");
  if (row.state === "finished") return null;

  const step = events.progress?.body as { done?: number; total?: number } | undefined;
  const done = step?.done ?? row.progress?.done ?? 0;
  const total = step?.total ?? row.progress?.total ?? 0;
  const waiting =
    events.waiting && events.waiting.seq > (events.progress?.seq ?? 0)
      ? (events.waiting.body as { provider?: string; seconds?: number })
      : undefined;
  const money = (spent.confirmed_micros + spent.possible_micros) / million;
  const priced = money > 0 || spent.unknown_price === 0; // what nobody has a price for is not free
  return (
    <Card className={css.progress}>
      <div className="row apart">
        <div className="row">
          <StateBadge state={state} />
          {total > 0 && <strong className="figures">{t("run.done", { done, total })}</strong>}
          {detail.why && <span className="soft">{said(detail.why, i18n.language)}</span>}
        </div>
        {mayRun && !isOver(state) && (
          <div className="row no-print">
            {state === "paused" ? (
              <Button leftSection={<Icon name="play" size={13} />} loading={act.isPending} onClick={() => act.mutate("resume")}>
                {t("run.resume")}
              </Button>
            ) : (
              <Button
                variant="default"
                leftSection={<Icon name="pause" size={13} />}
                loading={act.isPending}
                onClick={() => act.mutate("pause")}
              >
                {t("run.pause")}
              </Button>
            )}
            <Button variant="default" color="red" leftSection={<Icon name="stop" size={11} />} onClick={() => act.mutate("cancel")}>
              {t("run.cancel")}
            </Button>
          </div>
        )}
      </div>
      {total > 0 && <Progress value={(done / total) * 100} mt={10} mb={8} aria-label={t("run.done", { done, total })} />}
      <div className="row soft small">
        <span>
          {t(detail.recorded ? "run.spentRecorded" : "run.spent", {
            money: priced ? format.money(money, currency) : t("experiments.unknownPrice"),
            calls: format.count(spent.calls),
          })}
        </span>
        {waiting && <span>{t("run.waiting", { provider: waiting.provider ?? "", seconds: Math.ceil(waiting.seconds ?? 0) })}</span>}
        {detail.hint && <span>{detail.hint}</span>}
      </div>
      {act.error ? <ProblemLine error={act.error} /> : null}
    </Card>
  );
}

import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { RunDetail } from "../../api/types";
import type { SweepView } from "../../api/types_sweep";
import { usePathPart, useUrlState } from "../../app/url";
import { OfflineBadge, StateBadge } from "../../parts/badges";
import { Await, Empty } from "../../parts/faces";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { valueText } from "../../parts/runwords";
import { CopyLink } from "../../parts/tools";
import { RunProgress } from "../run/progress";
import { Effects } from "./effects";
import { type Axis, lowScores } from "./grid";
import { HeatMap } from "./heatmap";
import { Multiples } from "./multiples";
import { Pareto } from "./pareto";
import { Repairs } from "./repairs";
import { SendSweep } from "./send";
import { Summary } from "./summary";
import css from "./sweep.module.css";
import { Configurations } from "./table";

/** How often a sweep that is worked is read again, in milliseconds. */
const again = 4000;

/** A sweep: which configuration wins, which parameter matters, what it costs, and which question each one repairs or breaks. */
export default function SweepPage() {
  const id = usePathPart("sweep");
  const query = useGet<SweepView>(`/sweeps/${encodeURIComponent(id)}`);
  const over = query.data === undefined || ["finished", "failed", "cancelled"].includes(query.data.sweep.state);
  const refetch = query.refetch;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => void refetch(), again);
    return () => clearInterval(timer);
  }, [over, refetch]);
  return (
    <Await page query={query}>
      {(view) => <Shown view={view} />}
    </Await>
  );
}

function Shown({ view }: { view: SweepView }) {
  const { t } = useTranslation();
  const [url, setUrl] = useUrlState(["metric", "across", "effect"]);
  const axes = useMemo<Axis[]>(() => view.axes.map((a) => ({ name: a.name, values: a.values.map(valueText) })), [view.axes]);
  const inside = view.runs.find((p) => p.run.run_id === view.baseline)?.run;
  const outside = useGet<RunDetail>(view.baseline && !inside ? `/runs/${view.baseline}` : null);
  const baseline = inside ?? outside.data?.row;
  const done = view.runs.filter((p) => p.run.totals).length;
  const name = t("sweep.of", { name: view.sweep.experiment });
  const over = ["finished", "failed", "cancelled"].includes(view.sweep.state);
  const detail = useGet<RunDetail>(over ? null : `/runs/${view.sweep.run_id}`).data;
  const title = (
    <PageHead
      title={name}
      name={name}
      above={<PageLink to={`/experiments/${encodeURIComponent(view.sweep.experiment)}`}>{view.sweep.experiment}</PageLink>}
      below={
        <>
          <StateBadge state={view.sweep.state} />
          {view.sweep.offline && <OfflineBadge whole />}
          <span className="soft">{t("sweep.done", { done, count: view.runs.length })}</span>
          <span className="soft small">{axes.map((a) => `${a.name}: ${a.values.join(", ")}`).join(" · ")}</span>
        </>
      }
      actions={
        <>
          {done > 0 && <SendSweep view={view} metric={url.metric} />}
          <CopyLink />
        </>
      }
    />
  );
  if (done === 0) {
    return (
      <>
        {title}
        {detail?.row.run_id === view.sweep.run_id && <RunProgress detail={detail} />}
        <Empty title={t("sweep.nothing")} next={t("sweep.nothingNext")} action={<PageLink to="/runs">{t("nav.runs")}</PageLink>} />
      </>
    );
  }
  return (
    <div className="stack">
      <div>{title}</div>
      {detail?.row.run_id === view.sweep.run_id && <RunProgress detail={detail} />}
      <Summary view={view} axes={axes} baseline={baseline} />
      <HeatMap
        view={view}
        axes={axes}
        metric={url.metric || lowScores}
        across={url.across ? url.across.split(",") : []}
        onMetric={(metric) => setUrl({ metric: metric === lowScores ? "" : metric })}
        onAcross={(names) => setUrl({ across: names.join(",") })}
      />
      <div className={css.pair}>
        <Effects view={view} metric={url.effect} onMetric={(effect) => setUrl({ effect })} />
        <Pareto view={view} axes={axes} />
      </div>
      <Multiples view={view} axes={axes} />
      <Repairs view={view} axes={axes} baseline={baseline} />
      <Card title={t("sweep.configurations")}>
        <Configurations view={view} axes={axes} />
      </Card>
    </div>
  );
}

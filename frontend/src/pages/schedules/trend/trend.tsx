import { Button, Checkbox, Popover, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../../api/queries";
import type { Trend as Series, TrendPoint } from "../../../api/types_trend";
import { useUrlState } from "../../../app/url";
import { GateCaution, OfflineBadge } from "../../../parts/badges";
import { PlanChart } from "../../../parts/chart/chart";
import { Await, Empty } from "../../../parts/faces";
import { Icon } from "../../../parts/icon";
import { Card } from "../../../parts/page";
import { PageLink } from "../../../parts/pagelink";
import { trendCells } from "../../../parts/sentcells";
import { SendToNotebook } from "../../../parts/sendtonotebook";
import { useWords } from "../../../parts/words";
import { ownZone } from "../times";
import { Details, Happened } from "./details";
import { type FireWords, useFireWords } from "./fire";
import { ComparePicked, type Picked, usePicked } from "./pick";
import { whatHappened } from "./sentence";
import { TrendTable } from "./table";
import css from "./trend.module.css";

/** A schedule, or an experiment whose runs are the points whoever started them. */
type TrendProps = ({ schedule: string; experiment?: undefined } | { experiment: string; schedule?: undefined }) & {
  /** Whether it stands on a page of its own, away from what it is the trend of. */
  alone?: boolean;
};

/** The most points that the server gives. */
const mostPoints = 500;

/** How a schedule's fires went, or an experiment's runs: metrics, low scores and causes over time, and what changed in between. */
export function Trend({ schedule, experiment, alone = false }: TrendProps) {
  const [url, setUrl] = useUrlState(["metrics", "as", "points"]);
  const limit = url.points === "all" ? mostPoints : undefined;
  const of = useGet<Series>(
    schedule === undefined ? `/experiments/${encodeURIComponent(experiment)}/trend` : `/schedules/${encodeURIComponent(schedule)}/trend`,
    { limit, metrics: url.metrics, zone: schedule === undefined ? ownZone() : undefined },
    { keep: true },
  );
  const planned = useGet<{ zone: string; currency: string }>(schedule === undefined ? null : `/schedules/${encodeURIComponent(schedule)}`);
  return (
    <Await query={of}>
      {(trend) => (
        <Shown
          trend={trend}
          alone={alone}
          zone={planned.data?.zone || ownZone()}
          currency={planned.data?.currency ?? ""}
          table={url.as === "table"}
          onMetrics={(metrics) => setUrl({ metrics })}
          onTable={(table) => setUrl({ as: table ? "table" : "" })}
          onAll={limit ? undefined : () => setUrl({ points: "all" })}
        />
      )}
    </Await>
  );
}

interface ShownProps {
  trend: Series;
  alone: boolean;
  zone: string;
  currency: string;
  table: boolean;
  onMetrics: (metrics: string) => void;
  onTable: (table: boolean) => void;
  onAll: (() => void) | undefined;
}

function Shown({ trend, alone, zone, currency, table, onMetrics, onTable, onAll }: ShownProps) {
  const { t } = useTranslation();
  const words = useFireWords(zone, currency);
  const picked = usePicked();
  const { points } = trend;
  const metrics = trend.chosen;
  if (points.filter((p) => p.run).length < 2) return <TooFew trend={trend} words={words} alone={alone} />;
  const sent = points.flatMap((p) => p.run?.run_id ?? []);
  const measured = metrics.filter((m) => points.some((p) => p.run && m in p.run.metrics));
  const label = t(trend.schedule ? "trend.labelFires" : "trend.labelRuns", {
    name: trend.schedule || trend.experiment,
    count: points.length,
  });
  return (
    <Card
      title={t("trend.title")}
      aside={
        <div className="row no-print">
          {sent.length > 0 && <SendToNotebook brief cells={trendCells(sent, measured)} />}
          <MetricChooser known={trend.metrics} chosen={metrics} onChoose={onMetrics} />
          <SegmentedControl
            size="xs"
            aria-label={t("trend.as")}
            value={table ? "table" : "chart"}
            onChange={(v) => onTable(v === "table")}
            data={[
              { value: "chart", label: t("trend.asChart") },
              { value: "table", label: t("trend.asTable") },
            ]}
          />
        </div>
      }
    >
      <div className="stack">
        <Said trend={trend} words={words} alone={alone} />
        {table ? (
          <div className={css.scroll} tabIndex={0} role="region" aria-label={label}>
            <TrendTable points={points} metrics={metrics} words={words} caption={label} picked={picked} />
          </div>
        ) : (
          <>
            <Looked trend={trend} words={words} picked={picked} />
            <p className="soft small">{t("trend.legend", { zone })}</p>
          </>
        )}
        <ComparePicked points={points} picked={picked} />
        <Happened points={points} words={words} />
        {trend.more > 0 && (
          <p className="soft small row">
            {t("trend.more", { count: trend.more })}
            {onAll && (
              <Button size="compact-xs" variant="default" onClick={onAll}>
                {t("trend.all", { n: mostPoints })}
              </Button>
            )}
          </p>
        )}
      </div>
    </Card>
  );
}

/** The chart, and beside it the fire that is pointed at: the newest at first. */
function Looked({ trend, words, picked }: { trend: Series; words: FireWords; picked: Picked }) {
  const [looking, setLooking] = useState<number>();
  const { points, chart, chosen } = trend;
  const looked = Math.min(looking ?? points.length - 1, points.length - 1);
  const point = points[looked];
  return (
    <div className={css.split}>
      <PlanChart plan={chart} brief looked={looked} onLook={(at) => at >= 0 && setLooking(at)} leads={(run) => ({ to: `/runs/${run}` })} />
      {point && <Details point={point} metrics={chosen} words={words} picked={picked} />}
    </div>
  );
}

/**
 * What happened, in a sentence, and whether the offline judge says so. Alone, it says what the gate's decisions are worth too: elsewhere the
 * table of the fires does.
 */
function Said({ trend, words, alone }: { trend: Series; words: FireWords; alone: boolean }) {
  const { t } = useTranslation();
  const text = useSaid(trend.points, Boolean(trend.schedule), words);
  return (
    <div className="row">
      <p className={css.said}>{text}</p>
      {alone && trend.caution ? (
        <GateCaution caution={trend.caution} />
      ) : (
        trend.points.some((p) => p.run?.offline) && <OfflineBadge whole={!trend.caution} />
      )}
      {trend.schedule && trend.experiment && (
        <PageLink className="small" to="/trend" search={{ experiment: trend.experiment }}>
          {t("trend.allRuns", { name: trend.experiment })}
        </PageLink>
      )}
    </div>
  );
}

function useSaid(points: TrendPoint[], fires: boolean, words: FireWords): string {
  const { t, i18n } = useTranslation();
  const said = whatHappened(points);
  if (!said) return "";
  const share = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 1 });
  const values = Object.fromEntries(
    Object.entries(said.values).map(([name, n]) => [name, name === "from" || name === "to" ? share.format(n) : String(n)]),
  );
  return t(`trend.said.${said.key}`, {
    ...values,
    state: said.state ? words.state(said.state) : "",
    what: t(fires ? "trend.fire" : "trend.run"),
  });
}

/** Fewer than two points with figures are no trend: what there is, and what to do next. */
function TooFew({ trend, words, alone }: { trend: Series; words: FireWords; alone: boolean }) {
  const { t } = useTranslation();
  const have = trend.points.filter((p) => p.run).length;
  const [title, next] = trend.schedule
    ? (["trend.fewFires", "trend.fewFiresNext"] as const)
    : (["trend.fewRuns", "trend.fewRunsNext"] as const);
  const back = trend.schedule ? (
    <PageLink to={`/schedules/${encodeURIComponent(trend.schedule)}`}>{t("trend.toSchedule")}</PageLink>
  ) : (
    <PageLink to={`/experiments/${encodeURIComponent(trend.experiment ?? "")}`}>{t("trend.toExperiment")}</PageLink>
  );
  return (
    <Card title={t("trend.title")}>
      <Empty title={t(title, { count: have })} next={t(next)} action={alone && back} />
      {alone && trend.points.length > 0 && (
        <div className={css.scroll}>
          <TrendTable points={trend.points} metrics={trend.chosen} words={words} caption={t("trend.title")} />
        </div>
      )}
    </Card>
  );
}

/** Which metrics have a chart. */
function MetricChooser({ known, chosen, onChoose }: { known: string[]; chosen: string[]; onChoose: (metrics: string) => void }) {
  const { t } = useTranslation();
  const words = useWords();
  // The address is a moment behind a click: until it has followed, the boxes show what was asked for, and the next click builds on it.
  const now = chosen.join(",");
  const [asked, setAsked] = useState<{ behind: string; metrics: string[] }>();
  if (asked && asked.behind !== now) setAsked(undefined);
  const shown = asked?.metrics ?? chosen;
  const toggle = (m: string) => {
    const next = known.filter((k) => (k === m ? !shown.includes(k) : shown.includes(k)));
    if (next.length === 0) return;
    setAsked({ behind: now, metrics: next });
    onChoose(next.join(","));
  };
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={14} />}>
          {t("trend.metrics")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown mah={380} style={{ overflowY: "auto" }}>
        <div className="stack" style={{ gap: 7 }}>
          {known.map((m) => (
            <Checkbox key={m} size="xs" label={words.metric(m)} checked={shown.includes(m)} onChange={() => toggle(m)} />
          ))}
          <Button variant="subtle" onClick={() => onChoose("")}>
            {t("trend.usual")}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

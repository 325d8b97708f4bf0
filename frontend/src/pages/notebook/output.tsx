import { useTranslation } from "react-i18next";
import { type CellDetail, type Values, said } from "../../api/types_notebook";
import { Badge, DeltaBadge, OfflineBadge } from "../../parts/badges";
import { PlanChart } from "../../parts/chart/chart";
import type { Plan } from "../../parts/chart/plan";
import { useFormat } from "../../parts/format";
import { PageLink } from "../../parts/pagelink";
import { ReportMenu } from "../../parts/reportmenu";
import { useWords } from "../../parts/words";
import { RowComment } from "./commentthread";
import { Figures, SmallTable } from "./figures";
import { FoundParts, foundIn } from "./found";
import type { PastRun } from "./knownnames";
import { QueryOutput } from "./queryoutput";
import { RowFiles } from "./rowfiles";
import { type KeepFields, TableOutput } from "./tableoutput";
import { Leading } from "./leading";
import { AgreementOutput, AnswerOutput, CauseOutput } from "./analysisoutput";
import { RepairOutput } from "./repairoutput";
import css from "./output.module.css";

/** What a cell has published, with ways on to runs and comparisons. Nothing for cells that show nothing. */
export function CellOutput({
  cell,
  saidIn,
  onKeep,
  onRepair,
  onRows,
  onRun,
  past,
}: {
  cell: CellDetail;
  /** The cell that says what a report would say again. */
  saidIn?: string | undefined;
  /** Finished runs that a query can read. */
  past?: PastRun[] | undefined;
  onKeep?: KeepFields | undefined;
  onRepair?: ((take: string) => void) | undefined;
  onRows?: ((sql: string) => void) | undefined;
  onRun?: (() => void) | undefined;
}) {
  const value = cell.value as Values[keyof Values] | undefined;
  if (!value) return null;
  switch (cell.type as keyof Values | "corpus" | "apply" | "repair") {
    case "run":
      return <Runs set={value as Values["run"]} />;
    case "compare":
    case "apply":
      return <Compared c={value as Values["compare"]} />;
    case "failures":
      return <Low f={value as Values["failures"]} plan={cell.plan} />;
    case "cause":
      return <CauseOutput causes={value as Values["cause"]} plan={cell.plan} onRepair={onRepair} />;
    case "question":
      return <AnswerOutput answer={value as Values["question"]} />;
    case "query":
      return <QueryOutput table={value as Values["query"]} name={cell.name} past={past ?? []} onKeep={onKeep} onRun={onRun} />;
    case "table":
      return <TableOutput table={value as Values["table"]} name={cell.name} onKeep={onKeep} onRows={onRows} />;
    case "chart":
      return <Drawn chart={value as Values["chart"]} name={cell.name} plan={cell.plan} />;
    case "gate":
      return <Decision verdict={value as Values["gate"]} />;
    case "agreement":
      return <AgreementOutput agreement={value as Values["agreement"]} />;
    case "report": {
      const report = value as Values["report"];
      return <Reported report={report} saidIn={saidIn} />;
    }
    case "dataset":
    case "corpus":
      return <Source source={value as Values["dataset"]} />;
    case "sweep":
      return <Sweep sweep={value as Values["sweep"]} />;
    case "config":
      return <Config config={value as Values["config"]} />;
    case "repair":
      return <RepairOutput config={value as Values["config"]} />;
  }
  return null;
}

function Source({ source }: { source: Values["dataset"] }) {
  const { i18n } = useTranslation();
  return (
    <p className="soft small">
      <span className="mono">{source.ref}</span>
      {source.size && ` · ${said(source.size, i18n.language)}`}
    </p>
  );
}

function Sweep({ sweep }: { sweep: Values["sweep"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <p className="soft small">
      {t("notebook.combinations", { n: format.count(sweep.count) })} {sweep.axes.map((a) => `${a.name} × ${a.values.length}`).join(", ")}
    </p>
  );
}

function Config({ config }: { config: Values["config"] }) {
  const stages = Object.entries(config.base).map(
    ([name, v]) => `${name}: ${v && typeof v === "object" ? Object.values(v).join(" ") : String(v)}`,
  );
  return <p className="soft small">{[config.corpus, config.endpoint, config.answers, ...stages].filter(Boolean).join(" · ")}</p>;
}

function Runs({ set }: { set: Values["run"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const several = set.runs.length > 1;
  return (
    <>
      <SmallTable
        label={t("notebook.runs")}
        head={[
          t("notebook.configuration"),
          t("words.low_score"),
          words.metric("correctness"),
          words.metric("trust"),
          t("notebook.scored"),
          t("notebook.run"),
        ]}
        numbers={[1, 2, 3, 4]}
        rows={set.runs.map((r) => [
          <>
            {r.label} {several && r.run_id === set.best?.run_id && <Badge tone="better">★ {t("notebook.best")}</Badge>}
          </>,
          `${format.count(r.low_scores)} / ${format.count(r.questions)}`,
          format.mean(r.scores.correctness),
          format.mean(r.scores.trust),
          format.share(r.coverage),
          <PageLink to={`/runs/${r.run_id}`} className="mono">
            {r.run_id}
          </PageLink>,
        ])}
      />
      {set.runs.some((r) => r.offline) && <OfflineBadge />}
    </>
  );
}

function Compared({ c }: { c: Values["compare"] }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const ids = Object.keys(c.metrics);
  const some = ["correctness", "trust"].filter((id) => id in c.metrics);
  const main = some.length > 0 ? some : ids;
  const rest = ids.filter((id) => !main.includes(id));
  const pair = { baseline: c.baseline.run_id, candidate: c.candidate.run_id };
  return (
    <>
      {c.applied && (
        <p>
          <strong>{t("notebook.applied")}</strong> {said(c.applied.change, i18n.language)}{" "}
          <PageLink to={`/experiments/${encodeURIComponent(c.applied.experiment)}`} className="mono">
            {c.applied.experiment}
          </PageLink>
        </p>
      )}
      <h4>{said(c.headline, i18n.language)}</h4>
      <p>{said(c.sentences, i18n.language)}</p>
      <Figures
        figures={[
          {
            name: words.label("worse"),
            value: (
              <PageLink to="/compare" search={{ ...pair, label: "worse" }}>
                {format.count(c.worse.count)}
              </PageLink>
            ),
          },
          {
            name: words.label("mixed"),
            value: (
              <PageLink to="/compare" search={{ ...pair, label: "mixed" }}>
                {format.count(c.mixed.count)}
              </PageLink>
            ),
          },
          {
            name: words.label("needs_check"),
            value: (
              <PageLink to="/compare" search={{ ...pair, label: "needs_check" }}>
                {format.count(c.needs_check.count)}
              </PageLink>
            ),
          },
          {
            name: words.label("better"),
            value: (
              <PageLink to="/compare" search={{ ...pair, label: "better" }}>
                {format.count(c.better.count)}
              </PageLink>
            ),
          },
          {
            name: t("words.low_score"),
            value: c.low_untold ? t("runs.lowUntold") : `${format.count(c.low_before)} → ${format.count(c.low_after)}`,
          },
        ]}
      />
      <FoundParts parts={(c.found ?? []).map((p) => foundIn(p, i18n.language))} />
      <MetricTable c={c} ids={main} />
      {rest.length > 0 && (
        <details>
          <summary>{t("notebook.otherMetrics", { n: rest.length })}</summary>
          <MetricTable c={c} ids={rest} />
        </details>
      )}
      <PageLink to="/compare" search={pair}>
        {t("notebook.toComparison")}
      </PageLink>
    </>
  );
}

function Reported({ report, saidIn }: { report: Values["report"]; saidIn: string | undefined }) {
  const { t, i18n } = useTranslation();
  if (saidIn) {
    return (
      <>
        <p>{t("notebook.saidIn", { cell: saidIn })}</p>
        <ReportMenu candidate={report.run_id} baseline={report.baseline} />
      </>
    );
  }
  return (
    <>
      {report.headline && <h4>{said(report.headline, i18n.language)}</h4>}
      {report.summary && <p>{said(report.summary, i18n.language)}</p>}
      <FoundParts parts={(report.found ?? []).map((p) => foundIn(p, i18n.language))} />
      <ReportMenu candidate={report.run_id} baseline={report.baseline} />
    </>
  );
}

function MetricTable({ c, ids }: { c: Values["compare"]; ids: string[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  return (
    <SmallTable
      label={t("notebook.metrics")}
      head={[t("notebook.metric"), t("words.before"), t("words.after"), t("notebook.difference")]}
      numbers={[1, 2, 3]}
      rows={ids.map((id) => [
        words.metric(id),
        format.beside(c.metrics[id]?.baseline, c.metrics[id]?.candidate).before,
        format.beside(c.metrics[id]?.baseline, c.metrics[id]?.candidate).after,
        <DeltaBadge
          diff={c.metrics[id]?.diff}
          between={[c.metrics[id]?.baseline, c.metrics[id]?.candidate]}
          lowerIsBetter={words.spec(id)?.lower_is_better}
        />,
      ])}
    />
  );
}

function Low({ f, plan }: { f: Values["failures"]; plan: Plan | undefined }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const ja = i18n.language === "ja";
  if (f.untold) return <p>{t("run.lowUnsaid")}</p>;
  const line = f.line && (ja ? f.line.ja : f.line.en);
  const by = f.by ?? [];
  return (
    <>
      <p>
        {line
          ? t("notebook.lowOfLine", { low: format.count(f.count), of: format.count(f.questions), line })
          : t("notebook.lowOf", { low: format.count(f.count), of: format.count(f.questions), threshold: f.threshold })}
      </p>
      {plan && <Leading plan={plan} run={f.run.run_id} />}
      <SmallTable
        label={t("words.low_score")}
        head={[
          t("notebook.question"),
          t("question.answer"),
          ...(by.length > 0 ? by.map((m) => (ja ? m.name.ja : m.name.en) ?? m.id) : [words.metric("correctness"), words.metric("trust")]),
        ]}
        numbers={[2, 3].slice(0, by.length || 2)}
        rows={f.answers.map((a) => [
          <>
            <PageLink to={`/runs/${f.run.run_id}`} search={{ question: a.id }}>
              {a.question || a.id}
            </PageLink>{" "}
            <RowComment run={f.run.run_id} question={a.id} />
          </>,
          <span className={css.brief}>{a.answer}</span>,
          ...(by.length > 0 ? by.map((m) => format.score(a.scores?.[m.id])) : [format.score(a.correctness), format.score(a.trust)]),
        ])}
      />
    </>
  );
}

function Drawn({ chart, name, plan = chart.plan }: { chart: Values["chart"]; name: string; plan: Plan | undefined }) {
  if (!plan) return null;
  return (
    <>
      <PlanChart plan={plan} />
      {chart.plan && <RowFiles name={name} />}
    </>
  );
}

function Decision({ verdict: v }: { verdict: Values["gate"] }) {
  const { t, i18n } = useTranslation();
  const why = v.why ? v.why.map((r) => said(r, i18n.language)) : v.reasons;
  return (
    <>
      <VerdictBadge verdict={v.decision} />
      {v.caution && <p>{said(v.caution, i18n.language)}</p>}
      {why.length > 0 && (
        <ul className={css.plain} lang={v.why ? undefined : "en"} aria-label={t("notebook.reasons")}>
          {why.map((r, i) => (
            <li key={i}>{r}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What a gate decided. */
export function VerdictBadge({ verdict }: { verdict: string }) {
  const { t } = useTranslation();
  const tone = { PASS: "better", FAIL: "worse" }[verdict] as "better" | "worse" | undefined;
  const word = t(`gate.decisions.${verdict}`, { defaultValue: verdict });
  return <Badge tone={tone ?? "needs_check"}>{`${{ PASS: "✓", FAIL: "✗" }[verdict] ?? "?"} ${word}`}</Badge>;
}

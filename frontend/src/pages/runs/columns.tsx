import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Parameters, RunRow } from "../../api/types";
import { Badge, Mean, OfflineBadge, StateBadge } from "../../parts/badges";
import type { Column } from "../../parts/datatable";
import { absent, useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageLink } from "../../parts/pagelink";
import { NoteText, Tags } from "../../parts/runnotes";
import { corpusText, looksInto, paramText, paramsText, refText, runPath, toolsText } from "../../parts/runwords";
import { useWords } from "../../parts/words";
import type { DoUndoably } from "../../parts/undo";
import css from "./runs.module.css";

/** What people wrote beside the runs of a list, and what can be done with it. */
export interface Writing {
  /** Some run of the list has a note, or a tag. */
  noted: boolean;
  tagged: boolean;
  doUndoably: DoUndoably;
  onTag: (tag: string) => void;
}

/** How many of the parameters that differ are on screen before people choose. */
const shownAtFirst = 6;

/**
 * The columns of the list of runs: what every run has, the parameters that differ between these, and every metric that a run can
 * have, most of them hidden at first.
 */
export function useRunColumns(
  parameters: Parameters | undefined,
  { noted, tagged, doUndoably, onTag }: Writing,
  folds: Folds,
): Column<RunRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  return useMemo(() => {
    const mean = (id: string, optional: boolean): Column<RunRow> => ({
      id,
      header: words.metric(id),
      width: "120px",
      right: true,
      optional,
      ...(optional ? {} : { sort: id }),
      cell: (r) => (r.group ? <SpreadOf run={r} figure={id} /> : <Mean mean={r.totals?.scores[id]?.mean} n={r.totals?.scores[id]?.n} />),
    });
    return [
      { id: "run", header: t("runs.run"), width: "minmax(350px, 5fr)", sort: "experiment", cell: (r) => <RunName run={r} folds={folds} /> },
      { id: "state", header: t("runs.state"), width: "124px", sort: "state", cell: (r) => <State run={r} /> },
      {
        id: "tags",
        header: t("notes.tags"),
        width: tagged ? "minmax(190px, 1fr)" : "64px",
        cell: (r) => <Tags run={r} doUndoably={doUndoably} onTag={onTag} />,
      },
      {
        id: "note",
        header: t("notes.note"),
        width: noted ? "minmax(170px, 1.2fr)" : "60px",
        cell: (r) => <NoteText run={r} doUndoably={doUndoably} />,
      },
      mean("correctness", false),
      mean("trust", false),
      {
        id: "low",
        header: t("runs.low"),
        width: "120px",
        right: true,
        sort: "low_score_count",
        cell: (r) => (r.group ? <SpreadOf run={r} figure="low_score_count" /> : <Low run={r} />),
      },
      ...(parameters?.differing ?? [])
        .filter((name) => name !== "corpus")
        .map((name, place) => parameterColumn(name, parameters, place >= shownAtFirst)),
      {
        id: "dataset",
        header: t("runs.dataset"),
        width: "minmax(110px, 1fr)",
        sort: "dataset",
        cell: (r) => <span className="clip">{refText(r.dataset) || absent}</span>,
      },
      {
        id: "corpus",
        header: t("runs.corpus"),
        width: "minmax(110px, 1fr)",
        optional: !parameters?.differing.includes("corpus"),
        cell: (r) => (
          <span className="clip" title={corpusText(r)}>
            {corpusText(r) || absent}
          </span>
        ),
      },
      { id: "judge", header: t("runs.judge"), width: "160px", optional: true, cell: (r) => r.judge || toolsText(t, r.tools) || absent },
      { id: "coverage", header: t("runs.coverage"), width: "110px", right: true, optional: true, cell: (r) => <Coverage run={r} /> },
      {
        id: "kind",
        header: t("runs.kind"),
        width: "120px",
        sort: "kind",
        optional: true,
        cell: (r) => t(`kind.${r.kind}`, { defaultValue: r.kind }),
      },
      {
        id: "created",
        header: t("runs.created"),
        width: "138px",
        sort: "created_at",
        cell: (r) => <span className="figures small clip">{format.brief(r.created_at)}</span>,
      },
      ...words.metrics.filter((m) => m.id !== "correctness" && m.id !== "trust").map((m) => mean(m.id, true)),
    ];
  }, [t, format, words, parameters, noted, tagged, doUndoably, onTag, folds]);
}

/** The column of a parameter that differs. A run that was not looked at has an ellipsis, one without the parameter a dash. */
function parameterColumn(name: string, parameters: Parameters | undefined, optional: boolean): Column<RunRow> {
  const longest = Math.max(name.length, ...Object.values(parameters?.runs ?? {}).map((values) => values[name]?.length ?? 0));
  return {
    id: `setup.${name}`,
    header: name,
    sort: `setup.${name}`,
    width: `minmax(${Math.min(190, Math.max(84, longest * 8 + 22))}px, 0.6fr)`,
    optional,
    cell: (r) => {
      const values = parameters?.runs[r.run_id];
      const axis = r.kind === "sweep" ? r.params?.find((p) => p.name === name) : undefined;
      const value = axis ? paramText(axis) : values ? (values[name] ?? absent) : r.kind === "evaluate" && !r.parent_id ? "…" : absent;
      return (
        <span className="clip figures" title={value}>
          {value}
        </span>
      );
    },
  };
}

/** Which rows are unfolded, how deep a row stands, and what unfolds one. */
export interface Folds {
  open: ReadonlySet<string>;
  inside: ReadonlySet<string>;
  toggle: (run: string) => void;
  /** How many runs a row has inside. */
  holds: (run: RunRow) => number;
}

function RunName({ run, folds }: { run: RunRow; folds: Folds }) {
  const { t } = useTranslation();
  const words = useWords();
  const open = folds.open.has(run.run_id);
  return (
    <div className={`${css.name} ${folds.inside.has(run.run_id) ? css.inside : ""}`}>
      <div className="row" style={{ gap: 7, flexWrap: "nowrap" }}>
        {folds.holds(run) > 0 && (
          <button
            type="button"
            className={css.fold}
            aria-expanded={open}
            aria-label={t("runs.foldOf", { name: `${run.experiment} ${run.run_id}` })}
            onClick={() => folds.toggle(run.run_id)}
          >
            <Icon name={open ? "down" : "next"} size={11} />
          </button>
        )}
        <PageLink to={runPath(run)} className="clip" tabIndex={-1} title={run.experiment}>
          {run.experiment}
        </PageLink>
        {run.baseline && (
          <Badge tone="accent">
            <Icon name="pin" size={11} /> {t("runs.baseline")}
          </Badge>
        )}
        {run.kind !== "evaluate" && <Badge>{t(`kind.${run.kind}`, { defaultValue: run.kind })}</Badge>}
        {run.group && <Badge>{t("runs.count", { count: run.group.runs })}</Badge>}
        {run.children > 0 && <Badge>{t("runs.belonging", { count: run.children })}</Badge>}
        {run.offline && <OfflineBadge brief />}
      </div>
      <div className="soft small clip" title={paramsText(run.params, words)}>
        <span className="mono">{run.run_id}</span> {run.parent_id && t("runs.belongsTo", { run: run.parent_id })} {paramsText(run.params)}
      </div>
    </div>
  );
}

/** The figure of the best run of a folded sweep, and between what values those of all its runs lie. */
function SpreadOf({ run, figure }: { run: RunRow; figure: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const spread = run.group?.spread[figure];
  if (!spread) return <span className="soft">{absent}</span>;
  const text = figure === "low_score_count" ? format.count : format.mean;
  return (
    <div className={css.spread} title={t("runs.spreadMeaning", { run: run.group?.best })}>
      <span>{text(spread.best)}</span>
      <span className="soft small">{t("beside.interval", { low: text(spread.from), high: text(spread.to) })}</span>
    </div>
  );
}

function State({ run }: { run: RunRow }) {
  const { t } = useTranslation();
  if (!run.progress) return <StateBadge state={run.state} />;
  return (
    <div className="row" style={{ gap: 6 }}>
      <StateBadge state={run.state} />
      <span className="soft small figures">{t("runs.progress", { done: run.progress.done, total: run.progress.total })}</span>
    </div>
  );
}

function Low({ run }: { run: RunRow }) {
  const { t } = useTranslation();
  const own = run.totals?.low;
  const n = own ? own.rated : (run.totals?.scores.correctness?.n ?? run.totals?.scores.trust?.n);
  if (!run.totals || !n || looksInto(run)) return <span className="soft">{absent}</span>;
  return (
    <span title={own ? (own.lines ?? []).join(" / ") : t("runs.lowMeaning", { threshold: run.low_score })}>
      {run.totals.low_score_count} <span className="soft small">{t("runs.ofN", { n })}</span>
    </span>
  );
}

function Coverage({ run }: { run: RunRow }) {
  const format = useFormat();
  const c = run.totals?.coverage;
  return <>{c?.applicable ? format.share(c.scored / c.applicable) : absent}</>;
}

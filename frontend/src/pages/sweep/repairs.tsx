import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunRow } from "../../api/types";
import { useGet } from "../../api/queries";
import type { DatasetQuestion } from "../../api/types_library";
import type { SweepPoint, SweepView } from "../../api/types_sweep";
import { type Column, DataTable } from "../../parts/datatable";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { type Axis, cover, nameOf, type RepairRow, repairRows } from "./grid";
import css from "./repairs.module.css";

/** Which configuration repairs which low score of the baseline, which it breaks, and which few together repair most. */
export function Repairs({ view, axes, baseline }: { view: SweepView; axes: Axis[]; baseline: RunRow | undefined }) {
  const { t } = useTranslation();
  const [show, setShow] = useState("all");
  const points = useMemo(() => view.runs.filter((p) => p.bubbles && p.run.run_id !== view.baseline), [view]);
  const rows = useMemo(() => repairRows(points), [points]);
  if (!baseline || points.length === 0) {
    return (
      <Card title={t("sweep.repairs")}>
        <p className="soft">{t("sweep.noBaseline")}</p>
      </Card>
    );
  }
  const low = baseline.totals?.low_score_count ?? 0;
  const some = rows.filter((r) => r.repaired > 0).length;
  const visible = rows.filter((r) => (show === "repaired" ? r.repaired > 0 : show === "broken" ? r.broken > 0 : true));
  return (
    <Card title={t("sweep.repairs")}>
      <div className="stack">
        <p>{t("sweep.repairsSum", { low, some, none: Math.max(0, low - some) })}</p>
        <Cover points={points} axes={axes} low={low} />
        <div className="row apart">
          <h3>{t("sweep.matrix")}</h3>
          <SegmentedControl
            className="no-print"
            size="xs"
            aria-label={t("sweep.show")}
            value={show}
            onChange={setShow}
            data={["all", "repaired", "broken"].map((value) => ({ value, label: t(`sweep.shown.${value}`) }))}
          />
        </div>
        <Matrix rows={visible} points={points} axes={axes} view={view} />
        <p className="soft small">{t("sweep.matrixLegend")}</p>
      </div>
    </Card>
  );
}

function Cover({ points, axes, low }: { points: SweepPoint[]; axes: Axis[]; low: number }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const steps = cover(points);
  return (
    <div>
      <h3>{t("sweep.cover")}</h3>
      <ol className={css.cover}>
        {steps.slice(0, 6).map((step) => (
          <li key={step.point.run.run_id}>
            <PageLink to={`/runs/${step.point.run.run_id}`}>{nameOf(step.point, axes, words)}</PageLink>
            <span className={css.coverBar} aria-hidden="true">
              <span style={{ width: `${((step.sum - step.adds) / Math.max(1, low)) * 100}%` }} />
              <span style={{ width: `${(step.adds / Math.max(1, low)) * 100}%` }} />
            </span>
            <span className="figures small">
              {t("sweep.coverStep", { adds: format.count(step.adds), sum: format.count(step.sum), breaks: format.count(step.breaks) })}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Matrix({ rows, points, axes, view }: { rows: RepairRow[]; points: SweepPoint[]; axes: Axis[]; view: SweepView }) {
  const { t } = useTranslation();
  const words = useWords();
  const texts = useTexts(view);
  const columns = useMemo<Column<RepairRow>[]>(
    () => [
      {
        id: "question",
        header: t("sweep.question"),
        name: t("sweep.question"),
        width: "minmax(180px, 1fr)",
        cell: (r) => <Question row={r} text={texts.get(r.question)} points={points} view={view} />,
      },
      { id: "repaired", header: t("sweep.shown.repaired"), width: "96px", right: true, cell: (r) => r.repaired || "–" },
      { id: "broken", header: t("sweep.shown.broken"), width: "96px", right: true, cell: (r) => r.broken || "–" },
      ...points.map(
        (p, i): Column<RepairRow> => ({
          id: p.run.run_id,
          header: (
            <span title={nameOf(p, axes, words)} className={css.columnNumber}>
              {i + 1}
              {p.run.run_id === view.winner && "★"}
              <span className="hidden-text">{nameOf(p, axes, words)}</span>
            </span>
          ),
          name: nameOf(p, axes, words),
          width: "34px",
          cell: (r) => <Mark row={r} at={i} point={p} axes={axes} />,
        }),
      ),
    ],
    [t, points, axes, view, texts, words],
  );
  return (
    <>
      <DataTable
        label={t("sweep.matrix")}
        columns={columns}
        rows={rows}
        rowKey={(r) => r.question}
        total={rows.length}
        rowHeight={30}
        height={`min(460px, ${rows.length * 30 + 36}px)`}
        empty={<p className={css.none}>{t("sweep.noRows")}</p>}
      />
      <details className="small">
        <summary>{t("sweep.columnNames")}</summary>
        <ol className={css.columnNames}>
          {points.map((p) => (
            <li key={p.run.run_id}>
              <PageLink to={`/runs/${p.run.run_id}`}>{nameOf(p, axes, words)}</PageLink>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

/** The texts of the questions, as far as one part of the list of the dataset holds them. */
function useTexts(view: SweepView): Map<string, string> {
  const { dataset } = view.sweep;
  const list = useGet<{ items: DatasetQuestion[] }>(`/datasets/${encodeURIComponent(`${dataset.name}@${dataset.version}`)}/questions`, {
    limit: 500,
  });
  return useMemo(() => new Map((list.data?.items ?? []).map((q) => [q.question_id, q.question])), [list.data]);
}

/** The question, with a link to what it was like in the baseline and in a configuration that changed it. */
function Question({ row, text, points, view }: { row: RepairRow; text: string | undefined; points: SweepPoint[]; view: SweepView }) {
  const at = row.marks.findIndex((m) => m !== 0);
  const run = points[at]?.run.run_id;
  return run && view.baseline ? (
    <div className="clip" title={text}>
      <PageLink className="mono" to="/compare" search={{ baseline: view.baseline, candidate: run, question: row.question }}>
        {row.question}
      </PageLink>{" "}
      {text}
    </div>
  ) : (
    <span className="mono">{row.question}</span>
  );
}

function Mark({ row, at, point, axes }: { row: RepairRow; at: number; point: SweepPoint; axes: Axis[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const mark = row.marks[at];
  if (!mark) return null;
  const said = t(mark > 0 ? "sweep.repairedBy" : "sweep.brokenBy", { name: nameOf(point, axes, words) });
  return (
    <span className={mark > 0 ? css.repaired : css.broken} title={said}>
      <span aria-hidden="true">{mark > 0 ? "✓" : "✕"}</span>
      <span className="hidden-text">{said}</span>
    </span>
  );
}

import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SweepPoint, SweepView } from "../../api/types_sweep";
import { type Counts, countAt, isLow, steps } from "../../parts/bubblegrid";
import { Hatch } from "../../parts/hatch";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { type Axis, nameOf } from "./grid";
import css from "./multiples.module.css";

const cell = 20;

/** A small bubble chart for each configuration, all on one scale, the one with fewest low scores first. */
export function Multiples({ view, axes }: { view: SweepView; axes: Axis[] }) {
  const { t } = useTranslation();
  const shown = view.runs
    .filter((p) => p.bubbles)
    .sort((a, b) => (a.run.totals?.low_score_count ?? 0) - (b.run.totals?.low_score_count ?? 0));
  const threshold = view.sweep.low_score;
  return (
    <Card title={t("sweep.multiples")} aside={<span className="soft small">{t("sweep.multiplesLegend", { threshold })}</span>}>
      <ul className={css.multiples}>
        {shown.map((point) => (
          <li key={point.run.run_id}>
            <PageLink to={`/runs/${point.run.run_id}`} className={css.multiple}>
              <span className={css.multipleName}>
                {point.run.run_id === view.winner && <span title={t("sweep.isWinner")}>★ </span>}
                {nameOf(point, axes)}
                {point.run.run_id === view.baseline && <span className="soft"> ({t("sweep.isBaseline")})</span>}
              </span>
              <Small counts={point.bubbles?.counts ?? []} scale={view.scale} threshold={threshold} />
              <Line point={point} />
            </PageLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Line({ point }: { point: SweepPoint }) {
  const { t } = useTranslation();
  const totals = point.run.totals;
  if (!totals) return null;
  return <span className="small figures">{t("sweep.lowOf", { low: totals.low_score_count, of: totals.questions })}</span>;
}

/** The drawing: correctness across, trust up. It says nothing by itself to screen readers; the line below it does. */
function Small({ counts, scale, threshold }: { counts: Counts; scale: number; threshold: number }) {
  const hatch = useId();
  const side = cell * 5;
  const edge = Math.min(5, Math.max(0, Math.floor(threshold))) * cell;
  return (
    <svg viewBox={`-1 -1 ${side + 2} ${side + 2}`} className={css.small_chart} aria-hidden="true">
      <Hatch id={hatch} size={4} />
      <rect width={side} height={side} className={css.plot} />
      <path d={`M0 0h${edge}v${side - edge}h${side - edge}v${edge}H0z`} className={css.zone} />
      {steps.flatMap((trust) =>
        steps.map((correctness) => {
          const n = countAt(counts, correctness, trust);
          if (n === 0) return null;
          const low = isLow(correctness, trust, threshold);
          return (
            <circle
              key={`${correctness}-${trust}`}
              cx={(correctness - 0.5) * cell}
              cy={(5.5 - trust) * cell}
              r={Math.max(1.2, Math.sqrt(n / Math.max(1, scale)) * cell * 0.49)}
              className={low ? css.lowBubble : css.goodBubble}
              fill={low ? `url(#${hatch})` : undefined}
            />
          );
        }),
      )}
    </svg>
  );
}

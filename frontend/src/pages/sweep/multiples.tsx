import { useTranslation } from "react-i18next";
import type { SweepPoint, SweepView } from "../../api/types_sweep";
import { PlanChart } from "../../parts/chart/chart";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { type Axis, nameOf } from "./grid";
import css from "./multiples.module.css";

/** A small bubble chart for each configuration, all on one scale, the one with fewest low scores first. */
export function Multiples({ view, axes }: { view: SweepView; axes: Axis[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const shown = view.runs
    .flatMap((point) => (point.chart ? [{ point, plan: point.chart }] : []))
    .sort((a, b) => (a.point.run.totals?.low_score_count ?? 0) - (b.point.run.totals?.low_score_count ?? 0));
  return (
    <Card
      title={t("sweep.multiples")}
      aside={<span className="soft small">{t("sweep.multiplesLegend", { threshold: view.sweep.low_score })}</span>}
    >
      <ul className={css.multiples}>
        {shown.map(({ point, plan }) => (
          <li key={point.run.run_id} className={css.multiple}>
            <PageLink to={`/runs/${point.run.run_id}`} className={css.multipleName}>
              {point.run.run_id === view.winner && <span title={t("sweep.isWinner")}>★ </span>}
              {nameOf(point, axes, words)}
              {point.run.run_id === view.baseline && <span className="soft"> ({t("sweep.isBaseline")})</span>}
            </PageLink>
            <PlanChart plan={plan} brief leads={(square) => answersIn(point.run.run_id, square)} />
            <Line point={point} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The run with the answers of a bubble alone. */
function answersIn(run: string, square: string) {
  const [c, t] = square.split(" ");
  return { to: `/runs/${run}`, search: { c, t } };
}

function Line({ point }: { point: SweepPoint }) {
  const { t } = useTranslation();
  const totals = point.run.totals;
  if (!totals) return null;
  return <span className="small figures">{t("sweep.lowOf", { low: totals.low_score_count, of: totals.questions })}</span>;
}

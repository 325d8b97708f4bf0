import { useTranslation } from "react-i18next";
import type { TrendPoint } from "../../../api/types_trend";
import { PageLink } from "../../../parts/pagelink";
import type { FireWords } from "./fire";
import { Pick, type Picked } from "./pick";
import { happenings } from "./series";
import css from "./trend.module.css";

interface DetailsProps {
  point: TrendPoint;
  metrics: string[];
  words: FireWords;
  picked: Picked;
}

/** The values of the fire that is pointed at. */
export function Details({ point, metrics, words, picked }: DetailsProps) {
  const { t } = useTranslation();
  return (
    <div className={css.details}>
      <h3>{words.full(point)}</h3>
      <dl>
        {words.facts(point, metrics).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {point.run && <Pick run={point.run.run_id} name={words.full(point)} picked={picked} />}
      <div className="row">
        {point.run && <PageLink to={`/runs/${point.run.run_id}`}>{t("trend.openRun")}</PageLink>}
        {point.run && point.baseline && (
          <PageLink to="/compare" search={{ baseline: point.baseline, candidate: point.run.run_id }}>
            {t("trend.compareBaseline")}
          </PageLink>
        )}
      </div>
    </div>
  );
}

/** In words what the broken lines in the chart stand for, newest first. */
export function Happened({ points, words }: { points: TrendPoint[]; words: FireWords }) {
  const { t } = useTranslation();
  const rows = points.flatMap((p, at) =>
    happenings(p).length > 0 ? [{ p, before: points.slice(0, at).findLast((q) => q.run)?.run?.run_id }] : [],
  );
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{t("trend.happenedTitle")}</h3>
      <ul className={css.events}>
        {rows.reverse().map(({ p, before }, i) => (
          <li key={`${p.at} ${i}`}>
            <span className="figures">{words.full(p)}</span>
            {": "}
            {happenings(p).map((h) => (
              <span key={h}>
                {t(`trend.explained.${h}`)} {words.more(p, h)}{" "}
                {h === "baseline" && p.baseline && <PageLink to={`/runs/${p.baseline}`}>{t("trend.openBaseline")}</PageLink>}{" "}
              </span>
            ))}
            {p.changes.length > 0 && before && p.run && (
              <PageLink to="/compare" search={{ baseline: before, candidate: p.run.run_id }}>
                {t("trend.compareBefore")}
              </PageLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

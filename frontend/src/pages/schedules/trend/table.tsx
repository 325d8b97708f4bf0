import { useTranslation } from "react-i18next";
import type { TrendPoint } from "../../../api/types_trend";
import { absent, useFormat } from "../../../parts/format";
import { PageLink } from "../../../parts/pagelink";
import { useWords } from "../../../parts/words";
import type { FireWords } from "./fire";
import { Pick, type Picked } from "./pick";
import { happenings } from "./series";
import css from "./trend.module.css";

interface TableProps {
  points: TrendPoint[];
  metrics: string[];
  words: FireWords;
  caption: string;
  /** Which points are chosen to stand side by side; without it none can be. */
  picked?: Picked;
}

/** The trend as a table, oldest first: the same values as in the charts. */
export function TrendTable({ points, metrics, words, caption, picked }: TableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const named = useWords();
  const methods = points.some((p) => p.run?.cause_method);
  const found = (causes: NonNullable<TrendPoint["run"]>["causes"]) =>
    causes.map((c) => `${named.cause(c.component)} ${format.count(c.n)}`).join(t("trend.comma"));
  return (
    <table className={css.table}>
      <caption className="hidden-text">{caption}</caption>
      <thead>
        <tr>
          {picked && (
            <td>
              <span className="hidden-text">{t("table.chosen")}</span>
            </td>
          )}
          <th scope="col">{t("trend.when")}</th>
          <th scope="col" className={css.state}>
            {t("trend.state")}
          </th>
          {metrics.map((m) => (
            <th key={m} scope="col">
              {named.metric(m)}
            </th>
          ))}
          <th scope="col">{t("trend.low")}</th>
          <th scope="col">{t("trend.worse")}</th>
          {methods && <th scope="col">{t("trend.causes")}</th>}
          <th scope="col">{t("trend.changed")}</th>
        </tr>
      </thead>
      <tbody>
        {points.map((p, i) => (
          <tr key={`${p.at} ${i}`}>
            {picked && <td>{p.run && <Pick run={p.run.run_id} name={words.full(p)} picked={picked} brief />}</td>}
            <th scope="row">{p.run ? <PageLink to={`/runs/${p.run.run_id}`}>{words.brief(p)}</PageLink> : words.full(p)}</th>
            <td>
              {words.state(p.run || p.state !== "ran" ? p.state : "none")}
              {p.reason && <div className="soft small">{words.reason(p)}</div>}
            </td>
            {metrics.map((m) => (
              <td key={m}>{words.value(p.run?.metrics[m])}</td>
            ))}
            <td>{words.low(p)}</td>
            <td>{p.baseline ? t("trend.worseOf", { worse: format.count(p.worse), newly: format.count(p.newly_worse) }) : absent}</td>
            {methods && (
              <td>
                {p.run?.cause_method ? `${found(p.run.causes) || absent} (${named.word("cause_method", p.run.cause_method)})` : absent}
              </td>
            )}
            <td>
              {[
                ...happenings(p).map((h) => (words.more(p, h) ? `${words.happening(h)} (${words.more(p, h)})` : words.happening(h))),
                ...(p.is_baseline ? [t("trend.isBaseline")] : []),
              ].join(" · ") || absent}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

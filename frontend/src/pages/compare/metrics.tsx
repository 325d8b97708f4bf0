import { useTranslation } from "react-i18next";
import type { ComparisonView } from "../../api/types";
import { DeltaBadge, LowerIsBetter } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import css from "./compare.module.css";

interface MetricTableProps {
  comparison: ComparisonView;
  chosen: string;
  onChoose: (metric: string, label: string) => void;
}

/** Every metric before and after, with n, and the counts of worse and better questions, which filter. */
export function MetricTable({ comparison: c, chosen, onChoose }: MetricTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const order = words.metrics.map((m) => m.id);
  const ids = Object.keys(c.metrics).sort((a, b) => (order.indexOf(a) + 1 || 999) - (order.indexOf(b) + 1 || 999));
  const count = (metric: string, label: "worse" | "better") => {
    const n = c.counts[metric]?.[label];
    if (!n) return <span className="soft">{n ?? ""}</span>;
    return (
      <button
        type="button"
        className={css[label]}
        aria-label={t("compare.filterMetric", { metric: words.metric(metric), label: words.label(label), n })}
        onClick={() => onChoose(metric, label)}
      >
        <Icon name={label === "worse" ? "worse" : "better"} size={9} /> {n}
      </button>
    );
  };
  return (
    <Card title={t("compare.metrics")}>
      <div className={css.scroll}>
        <table className={css.metrics} aria-label={t("compare.metrics")}>
          <thead>
            <tr>
              <th scope="col">{t("answer.metric")}</th>
              <th scope="col">{t("words.before")}</th>
              <th scope="col">{t("words.after")}</th>
              <th scope="col">{t("compare.difference")}</th>
              <th scope="col">{t("compare.interval")}</th>
              <th scope="col">{t("compare.n")}</th>
              <th scope="col">{words.label("worse")}</th>
              <th scope="col">{words.label("better")}</th>
            </tr>
          </thead>
          <tbody>
            {ids.map((id) => {
              const m = c.metrics[id];
              if (!m) return null;
              const [low, high] = m.ci95 ?? [];
              const known = low !== undefined && high !== undefined;
              const shown = format.beside(m.baseline, m.candidate);
              return (
                <tr key={id} aria-current={chosen === id ? "true" : undefined}>
                  <th scope="row" title={words.meaning(id)}>
                    {words.metric(id)} {m.lower_is_better && <LowerIsBetter />}
                  </th>
                  <td>{shown.before}</td>
                  <td>{shown.after}</td>
                  <td>
                    <DeltaBadge
                      diff={m.diff}
                      between={[m.baseline, m.candidate]}
                      lowerIsBetter={m.lower_is_better}
                      clear={known && (low > 0 || high < 0)}
                    />
                  </td>
                  <td className="soft small">{known && t("compare.ci", { low: format.signed(low), high: format.signed(high) })}</td>
                  <td className="soft small">{format.count(m.n)}</td>
                  <td>{count(id, "worse")}</td>
                  <td>{count(id, "better")}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="soft small">{t("compare.metricsNote")}</p>
    </Card>
  );
}

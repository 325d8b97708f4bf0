import { useTranslation } from "react-i18next";
import type { ComparisonView } from "../../api/types";
import { DeltaBadge } from "../../parts/badges";
import { absent } from "../../parts/format";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import css from "./compare.module.css";

/** Low scores by cause and category of question, before and after. */
export function CauseTable({ causes }: { causes: NonNullable<ComparisonView["causes"]> }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <Card title={t("compare.causeTable")} className={css.causes}>
      <p className="soft small">{[...new Set(causes.methods)].map((m) => words.word("cause_method", m)).join(" → ")}</p>
      <table className={css.metrics} aria-label={t("compare.causeTable")}>
        <thead>
          <tr>
            <th scope="col">{t("compare.dataCause")}</th>
            <th scope="col">{t("compare.component")}</th>
            <th scope="col">{t("run.category")}</th>
            <th scope="col">{t("words.before")}</th>
            <th scope="col">{t("words.after")}</th>
            <th scope="col">{t("compare.difference")}</th>
          </tr>
        </thead>
        <tbody>
          {causes.changes.map((c) => (
            <tr key={`${c.data}/${c.component}/${c.category}`}>
              <th scope="row">{words.data(c.data)}</th>
              <td>{words.cause(c.component)}</td>
              <td>{c.category ? words.category(c.category) : absent}</td>
              <td className="figures">{c.before}</td>
              <td className="figures">{c.after}</td>
              <td>
                <DeltaBadge diff={c.after - c.before} whole lowerIsBetter />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

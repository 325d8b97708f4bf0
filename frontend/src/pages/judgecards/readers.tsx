import { useTranslation } from "react-i18next";
import type { VerdictScore } from "../../api/types_judges";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import css from "./judgecards.module.css";
import { useWords } from "../../parts/words";

const readings = ["worse", "mixed", "no_change", "better"] as const;

/** How far "worse" and "better" of the judge mean what they mean to careful readers. */
export function Readers({ score }: { score: VerdictScore }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  return (
    <Card
      title={t("judges.readers.title")}
      aside={<span className="soft">{t("judges.readers.pairs", { n: score.pairs, source: score.source })}</span>}
    >
      <div className="stack">
        <table className={css.figures} aria-label={t("judges.readers.title")}>
          <thead>
            <tr>
              <th scope="col">{t("judges.readers.word")}</th>
              <th scope="col" className={css.right}>
                {t("judges.readers.precision")}
              </th>
              <th scope="col" className={css.right}>
                {t("judges.readers.recall")}
              </th>
            </tr>
          </thead>
          <tbody>
            {(["worse", "better"] as const).map((word) => (
              <tr key={word}>
                <td>{words.label(word)}</td>
                <td className={css.right}>{format.mean(score[word].precision)}</td>
                <td className={css.right}>{format.mean(score[word].recall)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={css.wide}>
          <table className={css.figures} aria-label={t("judges.readers.table")}>
            <thead>
              <tr>
                <th scope="col">{t("judges.readers.table")}</th>
                {readings.map((said) => (
                  <th key={said} scope="col" className={css.right}>
                    {words.label(said)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {readings.map((readers) => (
                <tr key={readers}>
                  <th scope="row">{words.label(readers)}</th>
                  {readings.map((said) => (
                    <td key={said} className={css.right}>
                      {format.count(score.confusion[readers]?.[said] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Card>
  );
}

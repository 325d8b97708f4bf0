import { useTranslation } from "react-i18next";
import type { ImportedReviews } from "../../api/types_agreement";
import { Badge } from "../../parts/badges";
import { absent, useFormat } from "../../parts/format";
import { PageLink } from "../../parts/pagelink";
import css from "./agreement.module.css";

/** What an import would store, or has stored, and what it leaves out. */
export function Counts({ found }: { found: ImportedReviews }) {
  const { t } = useTranslation();
  const format = useFormat();
  const counts: [string, number, string][] = [
    [t("agreement.count.new"), found.new, css.met ?? ""],
    [t("agreement.count.changed"), found.changed, css.open ?? ""],
    [t("agreement.count.known"), found.known, ""],
    [t("agreement.count.left_out"), found.left_out, css.missed ?? ""],
    [t("agreement.count.blank"), found.blank, ""],
  ];
  return (
    <div className={css.counts}>
      {counts.map(([word, n, tone]) => (
        <span key={word} className={`${css.count} ${n > 0 ? tone : ""}`}>
          <strong className="figures">{format.count(n)}</strong> {word}
        </span>
      ))}
      <span className="soft small">{t("agreement.sheets", { names: found.sheets.join(t("agreement.joint")) })}</span>
    </div>
  );
}

/** What stands against rows, and what people see differently: by sheet, row and column. */
export function Conflicts({ found }: { found: ImportedReviews }) {
  const { t } = useTranslation();
  return (
    <section>
      <h3>{t("agreement.conflicts", { count: found.conflicts.length })}</h3>
      <div className={css.wide}>
        <table className={css.table} aria-label={t("agreement.conflicts", { count: found.conflicts.length })}>
          <thead>
            <tr>
              <th scope="col">{t("agreement.conflictWord")}</th>
              <th scope="col">{t("agreement.sheet")}</th>
              <th scope="col" className={css.right}>
                {t("agreement.row")}
              </th>
              <th scope="col">{t("agreement.column")}</th>
              <th scope="col">{t("run.question")}</th>
              <th scope="col">{t("agreement.details")}</th>
              <th scope="col">{t("agreement.outcome")}</th>
            </tr>
          </thead>
          <tbody>
            {found.conflicts.map((c, i) => (
              <tr key={i}>
                <td>{t(`agreement.conflict.${c.code}`, { defaultValue: c.code })}</td>
                <td>{c.sheet || absent}</td>
                <td className={css.right}>{c.row || absent}</td>
                <td>{c.column || absent}</td>
                <td className={css.id}>
                  {c.question_id && c.run_id ? (
                    <PageLink className="mono" to={`/runs/${c.run_id}`} search={{ question: c.question_id }}>
                      {c.question_id}
                    </PageLink>
                  ) : (
                    <span className="mono">{c.question_id || absent}</span>
                  )}
                </td>
                <td className="text small" lang="en">
                  {c.message}
                </td>
                <td>
                  {c.stored ? (
                    <Badge tone="needs_check">{t("agreement.taken")}</Badge>
                  ) : (
                    <Badge tone="worse">{t("agreement.notTaken")}</Badge>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Right answers that people corrected. */
export function Corrections({ found }: { found: ImportedReviews }) {
  const { t } = useTranslation();
  return (
    <div className={css.wide}>
      <table className={css.table} aria-label={t("agreement.corrections")}>
        <thead>
          <tr>
            <th scope="col">{t("run.dataset")}</th>
            <th scope="col">{t("run.question")}</th>
            <th scope="col">{t("words.before")}</th>
            <th scope="col">{t("words.after")}</th>
            <th scope="col">{t("agreement.reviewer")}</th>
          </tr>
        </thead>
        <tbody>
          {found.references.map((r) => (
            <tr key={`${r.dataset} ${r.question_id}`}>
              <td>{r.dataset}</td>
              <td className={`mono ${css.id}`}>{r.question_id}</td>
              <td className="text small">{r.old || absent}</td>
              <td className="text small">{r.new}</td>
              <td>{r.reviewers.join(t("agreement.joint"))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

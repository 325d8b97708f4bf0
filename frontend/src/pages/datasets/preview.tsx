import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ReadReport, RowProblem, UploadPreview } from "../../api/types_library";
import { type Bilingual, said } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { absent, useFormat } from "../../parts/format";
import css from "./datasets.module.css";
import { changed, grouped, type Mapping, mapped, otherFields, reasonOf } from "./mapping";

/** How the file was read, in one line. */
export function Found({ report }: { report: ReadReport }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className="soft">
      {[
        t("datasets.rows", { count: report.rows, n: format.count(report.rows) }),
        report.format.toUpperCase(),
        report.encoding,
        report.sheet && t("datasets.sheet", { name: report.sheet }),
      ]
        .filter(Boolean)
        .join(" · ")}
    </span>
  );
}

/** Every column of the file with its first values, what it becomes and why. */
export function Columns({
  preview,
  changes,
  onChange,
}: {
  preview: UploadPreview;
  changes: Mapping;
  onChange: (changes: Mapping) => void;
}) {
  const { t } = useTranslation();
  const fields = preview.fields;
  const choices = [...fields, ...otherFields].map((value) => ({ value, label: t(`datasets.fields.${value}`, { defaultValue: value }) }));
  return (
    <table className={`${css.columns} ${css.mapping}`} aria-label={t("datasets.step2")}>
      <thead>
        <tr>
          <th scope="col">{t("datasets.column")}</th>
          <th scope="col">{t("datasets.firstValues")}</th>
          <th scope="col">{t("datasets.becomes")}</th>
        </tr>
      </thead>
      <tbody>
        {mapped(preview, changes).map((c) => (
          <tr key={c.source}>
            <td className="mono">{c.source}</td>
            <td className="small">
              <ul className={css.samples}>
                {c.samples.map((sample, i) => (
                  <li key={`${i} ${sample}`}>{sample}</li>
                ))}
              </ul>
            </td>
            <td>
              <div className="row">
                <NativeSelect
                  size="xs"
                  w={230}
                  aria-label={t("datasets.becomesOf", { name: c.source })}
                  data={choices.some((x) => x.value === c.field) ? choices : [{ value: c.field, label: c.field }, ...choices]}
                  value={c.field}
                  onChange={(e) => onChange(changed(preview, changes, c.source, e.currentTarget.value))}
                />
                {changes[c.source] !== undefined && <Badge tone="accent">{t("datasets.changed")}</Badge>}
              </div>
              {changes[c.source] === undefined && <Why field={c.field} why={c.why} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why a column was taken for what it is. */
function Why({ field, why }: { field: string; why?: Bilingual }) {
  const { t, i18n } = useTranslation();
  return <div className="soft small">{why ? said(why, i18n.language) : t(`datasets.why.${reasonOf(field)}`)}</div>;
}

/** What is wrong with rows: each kind once, with the rows. Where nothing is, what was assumed or left out; a file is fine without either. */
export function Problems({ problems, notes, hint }: { problems: RowProblem[]; notes: Bilingual[]; hint: string }) {
  const { t, i18n } = useTranslation();
  if (problems.length === 0 && notes.length === 0) return <p>{t("datasets.noProblems")}</p>;
  if (problems.length === 0)
    return (
      <div>
        <strong>{t("datasets.notes", { count: notes.length })}</strong>
        <ul className={`small ${css.notes}`}>
          {notes.map((note) => (
            <li key={note.en}>{said(note, i18n.language)}</li>
          ))}
        </ul>
      </div>
    );
  return (
    <div role="alert" className={css.problems}>
      <strong>{t("datasets.problems", { count: problems.length })}</strong> {hint}
      <ul>
        {grouped(problems)
          .slice(0, 20)
          .map((g) => (
            <li key={`${g.field} ${g.message}`}>
              <span className="mono">{g.field}</span> {g.message}{" "}
              <span className="soft">
                {t("datasets.inRows", { rows: `${g.rows.slice(0, 12).join(", ")}${g.rows.length > 12 ? " …" : ""}` })}
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** The first questions as they would be stored. */
export function Rows({ rows }: { rows: UploadPreview["rows"] }) {
  const { t } = useTranslation();
  return (
    <div className={css.wide}>
      <table className={css.columns} aria-label={t("datasets.firstRows")}>
        <thead>
          <tr>
            <th scope="col">ID</th>
            <th scope="col">{t("datasets.question")}</th>
            <th scope="col">{t("datasets.reference")}</th>
            <th scope="col">{t("datasets.tags")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 8).map((q, i) => (
            <tr key={q.question_id ?? i}>
              <td className="mono">{q.question_id ?? absent}</td>
              <td>{q.question ?? absent}</td>
              <td>{q.reference || absent}</td>
              <td className="small">{(q.tags ?? []).join(", ") || absent}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

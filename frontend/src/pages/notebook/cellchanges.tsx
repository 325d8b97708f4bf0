import { useTranslation } from "react-i18next";
import type { CellChange } from "../../api/types_history";
import { said } from "../../api/types_notebook";
import { useWords } from "../../parts/words";
import { StateChip } from "./statechip";
import css from "./history.module.css";

/** The questions that are shown of one comparison. */
const most = 50;

/** Cells whose results differ between two versions; of comparisons the questions whose verdict is another one. */
export function CellChanges({ changes }: { changes: CellChange[] }) {
  const { t, i18n } = useTranslation();
  if (changes.length === 0) return <p className="soft">{t("history.sameResults")}</p>;
  return (
    <table className={css.changes}>
      <thead>
        <tr>
          <th>{t("history.cell")}</th>
          <th>{t("words.before")}</th>
          <th>{t("words.after")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((c) => (
          <tr key={`${c.kind} ${c.cell}`}>
            <th scope="row">
              <span className="mono">{c.cell}</span> <span className="soft small">{c.type}</span>
            </th>
            <td>
              {c.kind === "added" ? <span className="soft">{t("history.added")}</span> : said(c.before, i18n.language) || "–"}
              {c.was && c.was !== c.is && c.kind !== "added" && (
                <>
                  {" "}
                  <StateChip state={c.was} />
                </>
              )}
            </td>
            <td>
              {c.kind === "removed" ? <span className="soft">{t("history.removed")}</span> : said(c.after, i18n.language) || "–"}
              {c.is && c.was !== c.is && c.kind !== "removed" && (
                <>
                  {" "}
                  <StateChip state={c.is} />
                </>
              )}
              <Questions change={c} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Questions({ change }: { change: CellChange }) {
  const { t } = useTranslation();
  const words = useWords();
  const list = change.questions ?? [];
  if (list.length === 0) return null;
  return (
    <details>
      <summary>{t("history.verdicts", { count: list.length })}</summary>
      <ul>
        {list.slice(0, most).map((q) => (
          <li key={q.question}>
            <span className="mono">{q.question}</span>: {words.label(q.before)} → {words.label(q.after)}
          </li>
        ))}
        {list.length > most && <li className="soft">{t("history.more", { count: list.length - most })}</li>}
      </ul>
    </details>
  );
}

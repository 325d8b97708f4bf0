import type { i18n as I18n } from "i18next";
import { ApiProblem } from "../../api/problem";
import type { NotebookProblem } from "../../api/types_notebook";
import { problemWords } from "../../parts/problemwords";

/** Whether a mistake has words of the page; the others say what the server says, in English. */
export const hasWords = (p: NotebookProblem, i18n: I18n) => p.code.startsWith("sql_") && i18n.exists(`problem.${p.code}.title`);

/** A mistake in the language of the page, where it has words: those of queries. What the engine says is quoted. */
export function worded(p: NotebookProblem, i18n: I18n): NotebookProblem {
  if (!hasWords(p, i18n)) return p;
  const { title, hint } = problemWords(
    new ApiProblem({ code: p.code, detail: p.detail, hint: p.hint ?? "", params: p.params ?? {} }, 422),
    i18n,
  );
  const near = p.params?.near ? i18n.t("notebook.near", { name: p.params.near }) : "";
  return { ...p, detail: title, hint: [near, hint].filter(Boolean).join(" ") };
}

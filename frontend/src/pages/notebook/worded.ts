import type { i18n as I18n } from "i18next";
import { ApiProblem } from "../../api/problem";
import type { NotebookProblem } from "../../api/types_notebook";
import { problemWords } from "../../parts/problemwords";
import { brief } from "./code/marks";

/** A mistake in the language of the page; one whose code has no words there says what the server says, and stays itself. */
export function worded(p: NotebookProblem, i18n: I18n): NotebookProblem {
  const { title, hint } = problemWords(new ApiProblem({ ...p, detail: brief(p), hint: p.hint ?? "", params: p.params ?? {} }, 422), i18n);
  if (title === brief(p)) return p;
  const near = p.params?.near ? i18n.t("notebook.near", { name: p.params.near }) : "";
  return { ...p, detail: title, hint: [near, hint].filter(Boolean).join(" ") };
}

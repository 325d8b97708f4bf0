import type { i18n as I18n } from "i18next";
import { ApiProblem } from "../api/problem";

/**
 * The words of an error. A known code has words in both languages, and some codes other words for each kind of mistake; they may use the
 * parameters of the problem, its detail and its hint, and where one that they use is missing, the server's own words stand.
 */
export function problemWords(error: unknown, i18n: I18n): { title: string; hint: string } {
  if (!(error instanceof ApiProblem)) return { title: i18n.t("problem.unknown.title"), hint: i18n.t("problem.unknown.hint") };
  const known = { ...inLanguage(error.params, i18n.language), detail: sentence(error.message), hint: error.hint };
  const key = [`problem.${error.code}_${error.params.mistake}`, `problem.${error.code}`].find((k) => i18n.exists(`${k}.title`));
  if (error.code && key && filled(i18n, key, known)) return { title: i18n.t(`${key}.title`, known), hint: i18n.t(`${key}.hint`, known) };
  if (!error.message) return { title: i18n.t("problem.server.title"), hint: i18n.t("problem.server.hint") };
  return { title: error.message, hint: error.hint };
}

/** Parameters as texts; one that is said in both languages, {en, ja}, in that of the page. */
function inLanguage(params: Record<string, unknown>, language: string): Record<string, string> {
  const said = (v: unknown) => {
    const words = v as Partial<Record<string, string>> | null;
    return typeof v === "object" && words && typeof words.en === "string" ? (words[language] ?? words.en) : (v as string);
  };
  return Object.fromEntries(Object.entries(params).map(([name, v]) => [name, said(v)]));
}

/** Whether there is a value for everything that the words of a key fill in. */
function filled(i18n: I18n, key: string, known: Record<string, unknown>): boolean {
  const words = ["title", "hint"].map((part) => i18n.t(`${key}.${part}`, { skipInterpolation: true })).join(" ");
  return [...words.matchAll(/{{(\w+)}}/g)].every(([, name]) => known[name ?? ""] !== undefined && known[name ?? ""] !== "");
}

/** A detail begins in the middle of a sentence: "the run …". */
function sentence(detail: string): string {
  return detail.charAt(0).toUpperCase() + detail.slice(1);
}

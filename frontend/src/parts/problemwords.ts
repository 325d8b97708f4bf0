import type { i18n as I18n } from "i18next";
import { ApiProblem } from "../api/problem";

/**
 * The words of an error. A known code has words in both languages; they may use the parameters of the problem, its detail and its hint, and
 * where one that they use is missing, the server's own words stand.
 */
export function problemWords(error: unknown, i18n: I18n): { title: string; hint: string } {
  if (!(error instanceof ApiProblem)) return { title: i18n.t("problem.unknown.title"), hint: i18n.t("problem.unknown.hint") };
  const known = { ...(error.params as Record<string, string>), detail: sentence(error.message), hint: error.hint };
  const key = `problem.${error.code}`;
  if (error.code && i18n.exists(`${key}.title`) && filled(i18n, key, known))
    return { title: i18n.t(`${key}.title`, known), hint: i18n.t(`${key}.hint`, known) };
  if (!error.message) return { title: i18n.t("problem.server.title"), hint: i18n.t("problem.server.hint") };
  return { title: error.message, hint: error.hint };
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

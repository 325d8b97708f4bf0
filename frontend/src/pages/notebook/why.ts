import type { TFunction } from "i18next";
import type { CellDetail, Reason } from "../../api/types_notebook";
import type { Words } from "../../parts/words";

/** Why a cell stands where it stands, in the language of the page. */
export function whyWords(t: TFunction, words: Pick<Words, "word">, cell: Pick<CellDetail, "reasons" | "why">): string[] {
  if (cell.reasons.length === 0) return cell.why;
  return cell.reasons.map((r, i) => reason(t, words, r) ?? cell.why[i] ?? r.code);
}

function reason(t: TFunction, words: Pick<Words, "word">, { code, params = {} }: Reason): string | undefined {
  if (code === "other") return typeof params.text === "string" ? params.text : undefined;
  const shown: Record<string, string> = Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)]));
  if (shown.state) shown.state = words.word("notebook_state", shown.state);
  return t(`nbwhy.${code}`, { ...shown, defaultValue: "" }) || undefined;
}

import type { TFunction } from "i18next";
import type { CellDetail, Reason } from "../../api/types_notebook";

/** Why a cell stands where it stands, in the language of the page. */
export function whyWords(t: TFunction, cell: Pick<CellDetail, "reasons" | "why">): string[] {
  if (cell.reasons.length === 0) return cell.why;
  return cell.reasons.map((r, i) => reason(t, r) ?? cell.why[i] ?? r.code);
}

function reason(t: TFunction, { code, params = {} }: Reason): string | undefined {
  if (code === "other") return typeof params.text === "string" ? params.text : undefined;
  const shown: Record<string, string> = Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)]));
  if (shown.state) shown.state = t(`nbstate.${shown.state}`, { defaultValue: shown.state });
  return t(`nbwhy.${code}`, { ...shown, defaultValue: "" }) || undefined;
}

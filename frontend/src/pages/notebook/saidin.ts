import type { CellDetail, Values } from "../../api/types_notebook";

/** The compare cell that says already what a report cell of the same two runs would say; undefined where none does. */
export function saidIn(report: CellDetail | undefined, cells: Iterable<CellDetail>): string | undefined {
  const of = report?.type === "report" ? (report.value as Values["report"] | undefined) : undefined;
  if (!of?.baseline) return undefined;
  for (const cell of cells) {
    const c = cell.type === "compare" || cell.type === "apply" ? (cell.value as Values["compare"] | undefined) : undefined;
    if (c && c.baseline.run_id === of.baseline && c.candidate.run_id === of.run_id) return cell.name;
  }
  return undefined;
}

import type { RowProblem, SheetUse, UploadPreview } from "../../api/types_library";

/** Fields that are no field of a question. */
export const otherFields = ["tag", "metadata", "ignore"];

/** What people changed of the mapping that was found: column name → field. */
export type Mapping = Record<string, string>;

/** What can be asked of a file: nothing more where nothing in it could be read, and its name only where it can be stored. */
export function asks(preview: Pick<UploadPreview, "problem" | "total" | "report">): { corpus: boolean; store: boolean } {
  return { corpus: (preview.report.columns ?? []).length > 0, store: preview.problem === undefined && preview.total > 0 };
}

/** The field of each column, with what people changed. */
export function mapped(preview: UploadPreview, changes: Mapping) {
  return (preview.report.columns ?? []).map(({ source, field, why, samples }) => {
    const to = changes[source] ?? field;
    return { source, field: to, changed: to !== field, why, samples: samples ?? [] };
  });
}

/** What a change of one column makes of all: a field belongs to one column, so that the one that had it is kept beside. */
export function changed(preview: UploadPreview, changes: Mapping, source: string, field: string): Mapping {
  const next: Mapping = { ...changes, [source]: field };
  if (otherFields.includes(field)) return next;
  for (const c of mapped(preview, changes)) if (c.source !== source && c.field === field) next[c.source] = "metadata";
  return next;
}

/** The sheets that are read: those that people chose, else those that the reader did. */
export function checked(sheets: SheetUse[], chosen: string[] | undefined): string[] {
  return chosen ?? sheets.filter((s) => s.read).map((s) => s.name);
}

/** The sheets that are chosen after one was turned on or off, in the order of the workbook. */
export function turned(sheets: SheetUse[], chosen: string[] | undefined, name: string): string[] {
  const before = checked(sheets, chosen);
  return sheets.map((s) => s.name).filter((s) => before.includes(s) !== (s === name));
}

/** The fields that two columns claim. Tags may come from several. */
export function doubled(columns: { field: string }[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { field } of columns) {
    if (otherFields.includes(field)) continue;
    if (seen.has(field)) twice.add(field);
    seen.add(field);
  }
  return [...twice];
}

/** Whether some column holds the questions: without one there is nothing to import. */
export function hasQuestions(columns: { field: string }[]): boolean {
  return columns.some((c) => c.field === "question");
}

/** Problems of the same kind, so that a hundred rows with one mistake are one line. */
export function grouped(problems: RowProblem[]): { field: string; message: string; rows: number[] }[] {
  const groups = new Map<string, { field: string; message: string; rows: number[] }>();
  for (const p of problems) {
    const key = `${p.field ?? ""}\n${p.message}`;
    const group = groups.get(key) ?? { field: p.field ?? "", message: p.message, rows: [] };
    group.rows.push(p.row);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.rows.length - a.rows.length || (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
}

/** A name for what a file holds: its own, without ending and without characters that names cannot have. */
export function nameFrom(file: string): string {
  const stem = file.replace(/^.*[/\\]/, "").replace(/\.(jsonl|ndjson|json|csv|tsv|xlsx|zip|txt|md|html?|docx|pptx|pdf)$/i, "");
  return stem
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+|-+$/gu, "")
    .slice(0, 100);
}

/** What is said of a column for which the reader gives no reason of its own: a key of the translations. */
export function reasonOf(field: string): "read" | "tag" | "kept" {
  if (field === "tag") return "tag";
  return otherFields.includes(field) || field === "conversation" ? "kept" : "read";
}

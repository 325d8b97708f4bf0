import type { RowProblem, UploadPreview } from "../../api/types_library";

/** Fields that are no field of a question. */
export const otherFields = ["tag", "metadata", "ignore"];

/** What people changed of the mapping that was found: column name → field. */
export type Mapping = Record<string, string>;

/** The field of each column, with what people changed. */
export function mapped(preview: UploadPreview, changes: Mapping) {
  return (preview.report.columns ?? []).map(({ source, field, why, samples }) => {
    const to = changes[source] ?? field;
    return { source, field: to, changed: to !== field, why: why ?? "", samples: samples ?? [] };
  });
}

/** What a change of one column makes of all: a field belongs to one column, so that the one that had it is kept beside. */
export function changed(preview: UploadPreview, changes: Mapping, source: string, field: string): Mapping {
  const next: Mapping = { ...changes, [source]: field };
  if (otherFields.includes(field)) return next;
  for (const c of mapped(preview, changes)) if (c.source !== source && c.field === field) next[c.source] = "metadata";
  return next;
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

/** The reasons of the reader that are no sentence of their own, by their key in the translations. */
const reasons: Record<string, string> = {
  "a remark": "remark",
  "another wording": "wording",
  "what a system answered": "system",
  "names the source": "source",
  "it is empty": "empty",
  "its name says nothing that is known": "unknown",
  "no id, because its values repeat or are missing": "repeats",
};

/** Why a column was taken for what it is: a key of the translations and what stands in it. */
export function reasonOf(field: string, why: string): { key: string; values: Record<string, string> } {
  const taken = /^because (\w+) is read from column (.+)$/.exec(why);
  if (taken) return { key: "taken", values: { field: taken[1] ?? "", column: taken[2] ?? "" } };
  const named = /^names the source; (\d+) of (\d+) name a document of the corpus$/.exec(why);
  if (named) return { key: "named", values: { n: named[1] ?? "", of: named[2] ?? "" } };
  const known = reasons[why];
  if (known) return { key: known, values: {} };
  if (field === "tag") return { key: "tag", values: {} };
  return { key: otherFields.includes(field) || field === "conversation" ? "kept" : "read", values: {} };
}

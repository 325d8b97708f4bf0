import type { NotebookProblem } from "../../../api/types_notebook";

/** Something wrong in a text. */
export interface Mark {
  line: number; // of the text, from 1
  column?: number | undefined; // from 1
  field?: string | undefined; // "retrieve.mode"
  text: string;
}

/** What is wrong in a text whose first line is that line of the file. */
export function marksOf(problems: NotebookProblem[], first: number): Mark[] {
  return problems.flatMap((p) => {
    const column = Number(p.params?.column) || undefined;
    const said = [brief(p), p.hint].filter(Boolean).join(" · ");
    return p.line ? [{ line: p.line - first + 1, column, field: p.field ?? (p.params?.field as string | undefined), text: said }] : [];
  });
}

/** A problem without file, line and cell: it stands beside them. */
export const brief = (p: NotebookProblem) => p.detail.replace(/^\S*?:(\d+)(: (cell \S+: )?|：(セル \S+?：)?)/, "");

/** Where a mark stands: the word at its column, the value of its field, or its line. */
export function rangeOf(text: string, mark: Mark): [from: number, to: number] {
  const lines = text.split("\n");
  const at = Math.min(Math.max(mark.line, 1), lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, l) => sum + l.length + 1, 0);
  const line = lines[at] ?? "";
  if (mark.column && mark.line > 0) {
    const from = Math.min(mark.column - 1, Math.max(0, line.length - 1));
    const word = /^[\p{L}\p{N}_.]+|^./u.exec(line.slice(from))?.[0] ?? "";
    return [start + from, start + from + word.length];
  }
  const [name = "", ...inner] = (mark.field ?? "").split(".");
  const last = inner.at(-1) ?? name;
  let offset = start;
  for (let i = at; last && mark.line > 0 && i < lines.length; i++) {
    const here = lines[i] ?? "";
    if (i > at && /^\S/.test(here)) break; // the next field
    const found = valueIn(here, last, i === at && inner.length > 0 ? here.indexOf(":") : 0);
    if (found) return [offset + found[0], offset + found[1]];
    offset += here.length + 1;
  }
  return [start + (line.length - line.trimStart().length), start + line.trimEnd().length];
}

/** Where the value of a field stands in a line, or its name where it has none. */
function valueIn(line: string, name: string, from: number): [number, number] | null {
  const key = new RegExp(`(^|[\\s{,"'])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}["']?\\s*:`, "u").exec(line.slice(from));
  if (!key) return null;
  const begin = from + key.index + (key[1]?.length ?? 0);
  const colon = from + key.index + key[0].length;
  const value = /^\s*([[{].*[\]}]|"[^"]*"|'[^']*'|(?:\$\{[^{}]*\}|[^,}#])*)/.exec(line.slice(colon))?.[0] ?? "";
  const shown = value.trim();
  if (!shown || /^[|>][+-]?$/.test(shown)) return [begin, begin + name.length];
  const at = colon + value.indexOf(shown);
  return [at, at + shown.length];
}

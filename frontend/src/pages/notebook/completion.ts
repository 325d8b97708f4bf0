import type { Bilingual, CellDetail, CellSchema, NotebookParam, QueryTable, SchemaField } from "../../api/types_notebook";
import { keysOf, textOf } from "./fields";
import type { Names } from "./knownnames";
import { sqlSuggestions } from "./sqlcompletion";

/** What may stand at the caret: a text that replaces what is typed of it already. */
export interface Suggestion {
  text: string;
  about: string;
}

/** Where suggestions go: they replace the text from here to the caret. */
export interface Completion {
  from: number;
  list: Suggestion[];
}

/** What completion knows of the notebook. */
export interface Known {
  schemas: CellSchema[];
  cells: CellDetail[];
  params: NotebookParam[];
  names: Names;
  values: Record<string, Bilingual>; // what references in prose show
  rendered: ReadonlySet<string>; // texts of blocks that were evaluated
  say: (words: { en?: string; ja?: string } | undefined) => string;
}

const longest = 40;

/** Suggests what may follow in the body of a cell: names, fields, choices, parameters and values of other cells. */
export function complete(known: Known, type: string, body: string, caret: number): Completion | null {
  const before = body.slice(0, caret);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const value = /\{\{\s*([^{}\s]*)$/.exec(line);
  if (value)
    return offer(
      known.cells.flatMap((c) => paths(known, c)),
      value[1] ?? "",
      caret,
    );
  const param = /\$\{?\s*([^{}\s]*)$/.exec(line);
  if (param) return ofParams(known, line, caret);
  if (type === "sql") return inStatement(known, body, before, caret);
  const schema = known.schemas.find((s) => s.type === type);
  if (!schema || schema.open) return null;
  const field = fieldAt(schema, body, before, line);
  if (field === null) {
    const present = new Set(keysOf(body).map((e) => e.key));
    const typed = /^[\p{L}_]*$/u.exec(line)?.[0];
    if (typed === undefined) return null;
    const free = schema.fields.filter((f) => f.name === typed || !present.has(f.name));
    return offer(
      free.map((f) => ({ text: `${f.name}: `, about: known.say(f.doc) })),
      typed,
      caret,
    );
  }
  if ((type === "query" && field.name === "sql") || (type === "table" && field.name === "filter"))
    return inStatement(
      known,
      body,
      before.slice(before.lastIndexOf(`${field.name}:`) + field.name.length + 1),
      caret,
      tableOf(known, type, body),
    );
  const typed = /[^\s,[\]{}:"']*$/.exec(line)?.[0] ?? "";
  return offer(candidates(known, field, line), typed, caret);
}

/** The tables that a query can read: those of every notebook, and the cells of this one. */
const tablesOf = (known: Known): QueryTable[] => [
  ...known.names.tables,
  ...known.cells.flatMap((c) => (c.columns ? [{ name: c.name, columns: c.columns }] : [])),
];

/** What a condition over a table stands in. */
const tableOf = (known: Known, type: string, body: string) =>
  type === "table" ? ` FROM ${known.cells.find((c) => c.name === textOf(body, "of").split(".")[0])?.name ?? ""}` : "";

function inStatement(known: Known, statement: string, before: string, caret: number, more = ""): Completion | null {
  const typed = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(before)?.[0] ?? "";
  return offer(sqlSuggestions(tablesOf(known), known.names.functions, statement + more, before), typed, caret);
}

/** The field whose value the caret stands in; null at the beginning of a line. */
function fieldAt(schema: CellSchema, body: string, before: string, line: string): SchemaField | null {
  const row = before.split("\n").length - 1;
  const here = /^([\p{L}_]+):/u.exec(line)?.[1];
  if (!here && !/^\s/.test(line)) return null;
  const name = here ?? keysOf(body).findLast((e) => e.first <= row)?.key;
  const field = schema.fields.find((f) => f.name === name);
  if (!field) return null;
  const inner = /[{,]\s*([\p{L}_]+):\s*[^,{}]*$/u.exec(line)?.[1] ?? (here ? undefined : /^\s+([\p{L}_]+):/u.exec(line)?.[1]);
  return (inner && field.fields?.find((f) => f.name === inner)) || field;
}

function candidates(known: Known, field: SchemaField, line: string): Suggestion[] {
  if (field.fields && !/[\p{L}_]:\s*[^,{}\s]*$/u.test(line.replace(/^[\p{L}_]+:/u, "")))
    return field.fields.map((f) => ({ text: `${f.name}: `, about: known.say(f.doc) }));
  if (field.choices) return field.choices.map((text) => ({ text, about: "" }));
  if (field.type === "boolean") return ["true", "false"].map((text) => ({ text, about: "" }));
  if (field.pick === "model") return modelsOf(known, line).map((m) => ({ text: m.name, about: m.price }));
  if (field.pick) return (known.names.registered[field.pick] ?? []).map((text) => ({ text, about: "" }));
  if (field.type === "ref" || field.type === "refs") return references(known, field);
  return [];
}

/** The models of the provider that a line names: generate: {provider: offline, model: …}. */
function modelsOf(known: Known, line: string) {
  const provider = /provider:\s*([^\s,}]+)/.exec(line)?.[1] ?? "";
  return known.names.models(provider, /^([\p{L}_]+):/u.exec(line)?.[1] ?? "");
}

/** What a field may refer to: cells of its types, their runs, and words of its own. */
export function references(known: Known, field: SchemaField): Suggestion[] {
  const fits = (c: CellDetail) => {
    const schema = known.schemas.find((s) => s.type === c.type);
    return schema && c.type !== "params" && c.type !== "note" && (!field.of?.length || field.of.includes(schema.publishes));
  };
  const cells = known.cells.filter(fits).flatMap((c) => {
    const runs = field.of?.includes("RunSet") && c.type === "run" ? ["best", ...c.runs.map((r) => r.label)] : [];
    return [{ text: c.name, about: c.type }, ...[...new Set(runs)].map((r) => ({ text: `${c.name}.${r}`, about: c.type }))];
  });
  return [...cells, ...(field.literal ?? []).map((l) => ({ text: l.replace("…", ""), about: "" }))];
}

function paths(known: Known, cell: CellDetail): Suggestion[] {
  if (cell.type === "params")
    return known.params.filter((p) => p.cell === cell.name).map((p) => ({ text: `${p.cell}.${p.name}`, about: known.say(p.doc) }));
  const outputs = known.schemas.find((s) => s.type === cell.type)?.outputs ?? [];
  const doc = (path: string) => outputs.find((o) => o.path === path || o.path.replace(/<\w+>/, path.split(".")[1] ?? "") === path)?.doc;
  return cell.paths.map((path) => ({ text: `${cell.name}.${path}`, about: known.say(doc(path)) }));
}

function ofParams(known: Known, line: string, caret: number): Completion | null {
  const at = line.lastIndexOf("$");
  const list = known.params.map((p) => ({ text: `\${${p.cell}.${p.name}}`, about: known.say(p.doc) || String(p.value) }));
  const typed = line.slice(at).replace(/^\$\{?/, "");
  const fit = list.filter((s) => s.text.slice(2).toLowerCase().startsWith(typed.toLowerCase()));
  return fit.length ? { from: caret - (line.length - at), list: fit } : null;
}

function offer(list: Suggestion[], typed: string, caret: number): Completion | null {
  const low = typed.toLowerCase();
  const starts = list.filter((s) => s.text.toLowerCase().startsWith(low));
  const holds = low.length > 1 ? list.filter((s) => !starts.includes(s) && s.text.toLowerCase().includes(low)) : [];
  const found = [...starts, ...holds].slice(0, longest);
  return found.length === 0 || (found.length === 1 && found[0]?.text === typed) ? null : { from: caret - typed.length, list: found };
}

import type { Catalogue, Param, RunDetail, RunRow } from "../../api/types";
import type { Axis, Definition } from "../../api/types_experiments";

/** Where the form of a new experiment begins: what was learned, not what files leave unsaid, which keeps its old meaning. */
export function emptyDefinition(): Definition {
  return {
    name: "",
    corpus: "",
    dataset: "",
    suite: ["standard"],
    judge: { provider: "offline", model: "lexical", embedding: { provider: "offline", model: "ngram" } },
    base: {
      chunk: { by: "recursive", size: 1000, overlap: 100, heading: "path" },
      embedding: { provider: "offline", model: "ngram" },
      rewrite: { mode: "none", provider: "", model: "" },
      retrieve: { mode: "hybrid", k: 3, bm25: { k1: 1.2, b: 0.75, analyzer: "auto" } },
      rerank: { mode: "none", provider: "", model: "" },
      generate: { provider: "offline", model: "extractive", prompt: "", temperature: 0 },
      post_process: [],
    },
    sweep: [],
    low_score: 2,
    tags: [],
    notes: "",
  };
}

/** The parameters that a sweep can vary, as the experiment file names them. */
export const sweepable = [
  "chunk.size",
  "chunk.overlap",
  "chunk.by",
  "chunk.heading",
  "chunk.header",
  "chunk.parent",
  "chunk.count",
  "chunk.separators",
  "retrieve.k",
  "retrieve.mode",
  "retrieve.bm25.k1",
  "retrieve.bm25.b",
  "retrieve.bm25.analyzer",
  "retrieve.fusion",
  "retrieve.alpha",
  "retrieve.norm",
  "retrieve.engine",
  "retrieve.neighbours",
  "retrieve.per_document",
  "retrieve.min_score",
  "retrieve.mmr",
  "embedding.model",
  "embedding.provider",
  "embedding.dimensions",
  "embedding.input_type",
  "embedding.query_prefix",
  "embedding.passage_prefix",
  "rewrite",
  "rerank",
  "generate.model",
  "generate.provider",
  "generate.temperature",
  "generate.prompt",
  "post_process",
  "corpus",
] as const;

/** Reads the values of an axis: separated by commas, numbers where they look like numbers. A JSON list stays what it is. */
export function readValues(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) {
    try {
      const list: unknown = JSON.parse(trimmed);
      if (Array.isArray(list)) return list;
    } catch {
      // not a list: its parts are values
    }
  }
  return trimmed
    .split(/[,、，]/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => (/^-?\d+(\.\d+)?$/.test(part) ? Number(part) : part));
}

/** The opposite of readValues: values that are not plain, or hold commas or lines, are written as a JSON list. */
export function writeValues(values: unknown[]): string {
  const plain = values.every(
    (v) =>
      typeof v === "number" || (typeof v === "string" && !/[,、，\n]|^\s*\[|^\s|\s$/.test(v) && !/^-?\d+(\.\d+)?$/.test(v) && v !== ""),
  );
  return plain ? values.join(", ") : JSON.stringify(values);
}

/** Reads which combinations are left out: "chunk.size = 1200; retrieve.k = 5, 10" has each of these parameters with one of its values. */
export function readCondition(text: string): Record<string, unknown> {
  const parts = text.split(/[;；]/).flatMap((part) => {
    const at = part.search(/[=＝]/);
    const name = part.slice(0, Math.max(0, at)).trim();
    const values = readValues(part.slice(at + 1));
    return at < 0 || name === "" || values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values]];
  });
  return Object.fromEntries(parts);
}

/** The opposite of readCondition. */
export function writeCondition(condition: Record<string, unknown>): string {
  return Object.entries(condition)
    .map(([name, value]) => `${name} = ${writeValues(Array.isArray(value) ? value : [value])}`)
    .join("; ");
}

type KnownEmbedders = Catalogue["known_embedders"]["embedders"];

/** What is known of an embedding model: the first line of the table that fits its name, without what stands before "/" or after ":". */
export function knownEmbedder(table: KnownEmbedders, model: string): NonNullable<KnownEmbedders>[number] | undefined {
  const [name = ""] = model
    .slice(model.lastIndexOf("/") + 1)
    .toLowerCase()
    .split(":");
  return table?.find((e) => new RegExp(e.model).test(name));
}

/** How many configurations the axes make together; combinations that make no sense are still in it. */
export function combinationCount(axes: Axis[]): number {
  return axes.filter((a) => !a.with).reduce((n, a) => n * Math.max(1, a.values.length), 1);
}

/** A name for a copy that nobody has yet. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  const stem = name.replace(/-copy(-\d+)?$/, "");
  let candidate = `${stem}-copy`;
  for (let n = 2; taken.has(candidate); n++) candidate = `${stem}-copy-${n}`;
  return candidate;
}

/** Sets one field of a tree, such as "base.chunk.size", without changing the tree that was given. */
export function withField<T extends object>(tree: T, path: string, value: unknown): T {
  const [first = "", ...rest] = path.split(".");
  const fields = tree as Record<string, unknown>;
  if (rest.length === 0) return { ...tree, [first]: value };
  return { ...tree, [first]: withField((fields[first] ?? {}) as object, rest.join("."), value) };
}

/** The definition as it is sent: without fields that say nothing, and without empty words of lists that were being typed. */
export function tidy(d: Definition): Definition {
  const words = (list: string[] | undefined) => (list ?? []).map((w) => w.trim()).filter(Boolean);
  const except = d.except?.filter((c) => Object.keys(c).length > 0);
  const said = except && except.length > 0 ? { ...d, except } : { ...d, except: undefined };
  return { ...said, suite: words(d.suite), tags: words(d.tags), base: { ...d.base, post_process: d.base.post_process ?? [] } };
}

/** One field that differs. Undefined: it is not there. */
export interface FieldChange {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** What differs between two definitions or setups, field by field, in the order of their names. */
export function differences(before: unknown, after: unknown): FieldChange[] {
  const was = leaves(before);
  const is = leaves(after);
  const names = [...new Set([...was.keys(), ...is.keys()])].sort();
  return names.flatMap((field) => (was.get(field) === is.get(field) ? [] : [{ field, before: was.get(field), after: is.get(field) }]));
}

/** The leaves of a tree under dotted names. Nothing, "" and an empty list are the same: not said. */
function leaves(value: unknown, prefix = "", out = new Map<string, string>()): Map<string, string> {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return out;
  if (Array.isArray(value) && value.every((v) => isAxis(v))) {
    for (const axis of value as Axis[]) out.set(`${prefix}.${axis.name}`, writeValues(axis.values));
    return out;
  }
  if (Array.isArray(value)) return out.set(prefix, value.every((v) => typeof v !== "object") ? writeValues(value) : JSON.stringify(value));
  if (typeof value === "object") {
    for (const [name, item] of Object.entries(value)) leaves(item, prefix ? `${prefix}.${name}` : name, out);
    return out;
  }
  return out.set(prefix, String(value));
}

function isAxis(v: unknown): v is Axis {
  return typeof v === "object" && v !== null && "name" in v && Array.isArray((v as Axis).values);
}

/** The field of the form that a problem names: that of the definition, without what the server puts around it. */
export function fieldOf(field: string): string {
  return field
    .replace(/^(body|definition)\./, "")
    .replace(/^(chunk|embedding|rewrite|retrieve|rerank|generate|post_process)(\.|$)/, "base.$1$2");
}

/** Runs without those that belong to a sweep of the list; a sweep stands with the best of its configurations. */
export function topRuns(runs: RunRow[]): { run: RunRow; best?: RunRow }[] {
  const sweeps = new Set(runs.filter((r) => r.kind === "sweep").map((r) => r.run_id));
  return runs
    .filter((r) => !r.sweep_id || !sweeps.has(r.sweep_id))
    .map((run) => {
      if (run.kind !== "sweep") return { run };
      const of = runs.filter((r) => r.sweep_id === run.run_id && r.totals);
      const [best] = of.sort((a, b) => (a.totals?.low_score_count ?? 0) - (b.totals?.low_score_count ?? 0));
      return best ? { run, best } : { run };
    });
}

/** Low scores of a run, and the answers of which it can be told; none where neither correctness nor trust was measured. */
export function lowOf({ scores, low_score_count }: NonNullable<RunRow["totals"]>): { low: number; of: number } | undefined {
  const of = scores.correctness?.n || scores.trust?.n;
  return of ? { low: low_score_count, of } : undefined;
}

/** What a run froze of its experiment: what people chose, without what follows from it. What a sweep varied stands as its axes. */
export function frozenBy({ run: { setup } }: RunDetail, axes: Param[] | undefined): object {
  const { config, corpus, dataset, judge, low_score, suite } = setup;
  const base = structuredClone(config) as Record<string, unknown>;
  for (const { name } of axes ?? []) forget(base, name.split("."));
  const named = (axes ?? []).map((a) => ({ name: a.name, values: Array.isArray(a.value) ? a.value : [a.value] }));
  const swept = new Set(named.map((a) => a.name));
  return {
    base,
    corpus: swept.has("corpus") ? "" : `${corpus.name}@${corpus.version}`,
    dataset: `${dataset.name}@${dataset.version}`,
    judge,
    low_score,
    suite: suite.map((s) => s.id),
    sweep: named,
  };
}

/** Removes a field of a tree, given by its path. */
function forget(tree: Record<string, unknown>, [first = "", ...rest]: string[]) {
  const below = tree[first];
  if (rest.length > 0 && typeof below === "object" && below !== null) forget(below as Record<string, unknown>, rest);
  else delete tree[first];
}

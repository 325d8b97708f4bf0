import { describe, expect, it } from "vitest";
import type { CellDetail, CellSchema, NotebookParam, SchemaField } from "../../api/types_notebook";
import { asNote, starterBody, withRepeats } from "./celltypes";
import { offersOf } from "./onefield";
import { complete, type Known } from "./completion";
import { changed, starting } from "./document";
import { entriesOf, textOf } from "./fields";
import { formOf, shapeOf, shownText, wordsOf, writeInside, writeList, writeText, writeWords } from "./formvalue";
import { beginning, paramList } from "./state";

const field = (name: string, type: SchemaField["type"], more: Partial<SchemaField> = {}): SchemaField => ({
  name,
  type,
  doc: { en: `doc of ${name}` },
  ...more,
});
const ref = (name: string, of: string[], more: Partial<SchemaField> = {}) => field(name, "ref", { of, required: true, ...more });
const schema = (type: string, publishes: string, fields: SchemaField[], more: Partial<CellSchema> = {}): CellSchema => ({
  type,
  publishes,
  paid: false,
  doc: {},
  starter: "",
  fields,
  outputs: [],
  ...more,
});
const cell = (name: string, type: string, more: Partial<CellDetail> = {}) =>
  ({ name, type, runs: [], paths: [], ...more }) as unknown as CellDetail;

const known: Known = {
  schemas: [
    schema("params", "Params", [], { open: true }),
    schema("note", "Doc", [field("en", "text"), field("ja", "text")]),
    schema("dataset", "Dataset", [field("source", "text", { required: true, pick: "dataset" }), field("limit", "integer")]),
    schema("config", "Config", [
      field("retrieve", "mode", { fields: [field("mode", "text", { choices: ["dense", "bm25"] }), field("k", "integer")] }),
    ]),
    schema("query", "Table", [field("sql", "text")]),
    schema(
      "run",
      "RunSet",
      [field("configs", "refs", { of: ["Config"], required: true }), ref("dataset", ["Dataset"]), field("metrics", "list")],
      { starter: "configs: base\ndataset: qa\n" },
    ),
    schema(
      "compare",
      "Comparison",
      [ref("baseline", ["RunSet"], { literal: ["run:…", "pinned"] }), ref("candidate", ["RunSet"], { literal: ["run:…"] })],
      {
        starter: "baseline: before\ncandidate: after\n",
        outputs: [
          { path: "worse.count", unit: "count", doc: { en: "Answers that got worse." } },
          { path: "metrics.<metric>.diff", unit: "diff", doc: { en: "After minus before." } },
        ],
      },
    ),
  ],
  cells: [
    cell("p", "params"),
    cell("qa", "dataset", { paths: ["count"] }),
    cell("base", "config"),
    cell("r1", "run", { runs: [{ label: "base", run_id: "1" }], paths: ["best.low_scores"] }),
    cell("c1", "compare", { paths: ["worse.count", "metrics.correctness.diff"] }),
  ],
  params: [{ cell: "p", name: "k", type: "integer", default: 4, value: 4, doc: { en: "Contexts." } } as NotebookParam],
  names: {
    registered: { dataset: ["faq-153"] },
    models: (provider) => (provider === "offline" ? [{ name: "extractive", price: "" }] : []),
    tables: [
      { name: "scores", columns: ["run", "metric", "value"].map((name) => ({ name, type: "TEXT" })) },
      {
        name: "runs",
        columns: [
          { name: "run", type: "TEXT" },
          { name: "k", type: "INTEGER" },
        ],
      },
    ],
    functions: ["avg", "max"],
    runs: [
      { id: "abc", title: "faq · 20 Nov", sweep: false },
      { id: "def", title: "faq · k=3, 4 · 21 Nov", sweep: true },
    ],
  },
  values: {},
  rendered: new Set(),
  say: (words) => words?.en ?? "",
};
const offers = (type: string, before: string, after = "") =>
  complete(known, type, before + after, before.length)?.list.map((s) => s.text) ?? [];

describe("completion", () => {
  it("offers fields at the beginning of a line, those that are not there yet", () => {
    expect(offers("run", "")).toEqual(["configs: ", "dataset: ", "metrics: "]);
    expect(offers("run", "configs: base\nda")).toEqual(["dataset: "]);
  });
  it("offers cells of the fitting type, their runs and words of the field", () => {
    expect(offers("run", "configs: ")).toEqual(["base"]);
    expect(offers("run", "configs: [base, b")).toEqual(["base"]);
    expect(offers("compare", "baseline: ")).toEqual(["r1", "r1.best", "r1.base", "run:", "pinned"]);
    expect(offers("compare", "candidate: r1.")).toEqual(["r1.best", "r1.base"]);
  });
  it("offers choices, names inside a mapping, and registered names", () => {
    expect(offers("config", "retrieve: {")).toEqual(["mode: ", "k: "]);
    expect(offers("config", "retrieve: {mode: ")).toEqual(["dense", "bm25"]);
    expect(offers("dataset", "source: f")).toEqual(["faq-153"]);
  });
  it("offers parameters behind a dollar and values between braces", () => {
    const found = complete(known, "config", "retrieve: {k: $}", 15);
    expect(found).toEqual({ from: 14, list: [{ text: "${p.k}", about: "Contexts." }] });
    expect(offers("note", "en: |\n  {{ c1.")).toEqual(["c1.worse.count", "c1.metrics.correctness.diff"]);
    expect(offers("", "text {{ p")).toEqual(["p.k"]);
    expect(complete(known, "", "{{ c1.m", 7)?.list[0]?.about).toBe("After minus before.");
  });
  it("offers the tables of the box, and columns of those that a statement names", () => {
    const sql = (before: string, after = "") => offers("query", `sql: |\n  ${before}`, after);
    expect(sql("SELECT x FROM ")).toEqual(["scores", "runs"]);
    expect(sql("SELECT me", " FROM scores")).toEqual(["metric"]);
    expect(sql("SELECT s.", " FROM scores s JOIN runs r USING (run)")).toEqual(["s.run", "s.metric", "s.value"]);
    expect(sql("SELECT avg", " FROM scores")).toEqual(["avg("]);
    expect([sql("SELECT 'me", " FROM scores"), sql("SELECT 1 -- me", " FROM scores"), sql("SELECT x.", " FROM scores")]).toEqual([
      [],
      [],
      [],
    ]);
    expect(complete(known, "sql", "SELECT k FROM ru", 16)?.list[0]?.text).toBe("runs");
  });
  it("offers nothing where nothing is known", () => {
    expect(offers("config", "unknown: ")).toEqual([]);
    expect(offers("dataset", "source: faq-153")).toEqual([]);
    expect(offers("params", "k")).toEqual([]);
  });
});

describe("undo", () => {
  const typed = (h: ReturnType<typeof starting>, text: string, at: number, group = "a") => changed(h, { do: "edit", text, group, at });
  it("takes typing in one place back at once, and other places one by one", () => {
    let h = typed(typed(starting(""), "a", 1000), "ab", 1500);
    h = typed(h, "abc", 1600, "b");
    h = changed(h, { do: "undo" });
    expect(h.text).toBe("ab");
    h = changed(h, { do: "undo" });
    expect(h.text).toBe("");
    expect(changed(h, { do: "undo" }).text).toBe("");
    h = changed(changed(h, { do: "redo" }), { do: "redo" });
    expect([h.text, changed(h, { do: "redo" }).text]).toEqual(["abc", "abc"]);
  });
  it("begins a new step after a rest, and forgets what was undone when something else is written", () => {
    let h = typed(typed(starting(""), "a", 1000), "ab", 9000);
    expect(h.past).toEqual(["", "a"]);
    h = typed(changed(h, { do: "undo" }), "ax", 20000);
    expect(h.future).toEqual([]);
  });
  it("gives one's own text back after theirs was taken", () => {
    const h = changed(typed(starting("x"), "mine", 1), { do: "load", text: "theirs" });
    expect([h.text, changed(h, { do: "undo" }).text]).toEqual(["theirs", "mine"]);
  });
});

describe("forms", () => {
  const body =
    'title: {en: Runs, ja: 実行}\nconfigs: [a, b]\nbudget: "5.00"\nretrieve: {mode: dense, k: ${p.k}}\ntargets:\n  - {metric: correctness, target: 3.5}\n';
  it("show each field in its shape", () => {
    const form = formOf(body);
    const shape = (name: string, type: SchemaField["type"]) => shapeOf(field(name, type), form?.get(name));
    expect([
      shape("title", "words"),
      shape("configs", "refs"),
      shape("budget", "text"),
      shape("retrieve", "mode"),
      shape("targets", "list"),
      shape("none", "mode"),
    ]).toEqual(["words", "list", "text", "group", "raw", "group"]);
    expect([shownText(form?.get("configs")), shownText(form?.get("budget")), wordsOf(form?.get("title")).ja]).toEqual([
      "a, b",
      "5.00",
      "実行",
    ]);
  });
  it("write back what they show, and nothing else", () => {
    expect(writeText(body, field("budget", "text"), "2.50")).toBe(body.replace("5.00", "2.50"));
    expect(writeText(body, field("limit", "integer"), "10")).toBe(`${body}limit: 10\n`);
    expect(writeList(body, field("configs", "refs"), "a, c, d")).toBe(body.replace("[a, b]", "[a, c, d]"));
    expect(writeList(body, field("configs", "refs"), "a")).toBe(body.replace("[a, b]", "a"));
    expect(writeInside(body, ["retrieve", "k"], "7")).toBe(body.replace("${p.k}", "7"));
    expect(writeInside(body, ["retrieve", "k"], "a: b")).toBe(body.replace("${p.k}", '"a: b"'));
    expect(writeWords(body, field("title", "words"), { en: "A: b", ja: "実行" })).toBe(body.replace("{en: Runs", '{en: "A: b"'));
    expect(writeText(body, field("en", "text"), "one\ntwo")).toBe(`${body}en: |\n  one\n  two\n`);
    expect(writeText("en: |\n  one\nja: x\n", field("en", "text"), "")).toBe("ja: x\n");
  });
  it("are not shown of what is no YAML, so that nothing below it is lost", () => {
    expect([formOf("a: [b\nc: d\n"), formOf("a: 'b\n"), formOf("a: b\n: d")]).toEqual([null, null, null]);
    expect(formOf("")?.size).toBe(0);
  });
  it("survive anything that is typed into a text", () => {
    for (const text of [
      "- x",
      "# no comment",
      "a: b",
      "{",
      "[",
      "'",
      '"',
      "*",
      "true",
      "5",
      "~",
      "終: わり",
      "a # b",
      " lead",
      "trail ",
      "\\",
      "%",
      "@x",
      "${p.k}",
      "x\n\ny",
      "日本",
    ])
      expect(textOf(writeText("of: r\nen: old\nja: x\n", field("en", "text"), text), "en"), text).toBe(text);
  });
});

describe("new cells", () => {
  it("refer to the nearest cells that fit", () => {
    const of = (type: string) => known.schemas.find((s) => s.type === type) as CellSchema;
    const at = (...names: string[]) =>
      names.map((name) => ({ name, type: name === "r2" ? "run" : (known.cells.find((c) => c.name === name)?.type ?? "") }));
    expect(starterBody(of("run"), known, at("p", "qa", "base"))).toBe("configs: base\ndataset: qa\n");
    const two: Known = { ...known, cells: [...known.cells, cell("r2", "run")] };
    expect(starterBody(of("compare"), two, at("r1", "r2"))).toBe("baseline: r1\ncandidate: r2\n");
    expect(starterBody(of("compare"), two, [])).toBe(of("compare").starter);
  });
  it("keep what they said when they become notes", () => {
    expect(textOf(asNote("of: r\n\nlimit: 3\n"), "en")).toBe("of: r\n\nlimit: 3");
    expect(entriesOf(asNote(""))?.length).toBe(1);
  });
  it("get more votes only where their number is one", () => {
    expect([withRepeats("configs: a\n", 1), withRepeats("repeats: 3\n", 2), withRepeats("repeats: ${p.n}\n", 1)]).toEqual([
      "configs: a\nrepeats: 2\n",
      "repeats: 5\n",
      null,
    ]);
  });
});

describe("what an editor begins with", () => {
  const detail = { text: "disk", digest: "2", blocks: [], read_only: false } as unknown as Parameters<typeof beginning>[0];
  it("is what was not saved, and a conflict when the file is another one by now", () => {
    expect(beginning(detail, null)).toEqual({ text: "disk", conflict: null });
    expect(beginning(detail, { text: "mine", digest: "2" })).toEqual({ text: "mine", conflict: null });
    expect(beginning(detail, { text: "mine", digest: "1" })).toMatchObject({
      text: "mine",
      conflict: { theirs: { text: "disk", digest: "2" } },
    });
    expect(beginning(detail, { text: "disk", digest: "1" }).conflict).toBeNull();
  });
  it("are parameters in one order", () => {
    expect(paramList({ "p.k": "6", "p.a": "", "p.b": "x" })).toEqual(["p.b=x", "p.k=6"]);
  });
});

describe("fields that take runs", () => {
  const taken = (type: "ref" | "refs", of: string[]) =>
    offersOf(known, { name: "of", type, of, literal: ["run:…"], doc: {} })
      ?.filter((o) => o.past)
      .map((o) => `${o.value} ${o.label}`);
  it("offer finished ones by name and date, and the whole of a sweep where several can stand", () => {
    expect(taken("ref", ["RunSet"])).toEqual(["run:abc faq · 20 Nov"]);
    expect(taken("refs", ["RunSet", "Comparison"])).toEqual(["run:abc faq · 20 Nov", "run:def faq · k=3, 4 · 21 Nov"]);
    expect(taken("ref", ["CauseSet"])).toEqual([]);
  });
});

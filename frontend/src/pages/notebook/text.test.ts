import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entriesOf, setField, setPath, textOf } from "./fields";
import { parseFlow, printFlow, printScalar } from "./yamltext";
import { blocksOf, cellText, closesFence, freeName, insert, isShown, joined, move, remove, withBody, withOpening } from "./text";

const folder = join(import.meta.dirname, "../../../../internal/notebooks/templates/gallery");
// Templates without their conditions, with the names of slots in their places.
const gallery = readdirSync(folder).map((name) =>
  readFileSync(join(folder, name), "utf8")
    .replace(/^\[\[.*\]\]\n/gm, "")
    .replace(/\[\[(\w+)\]\]/g, "$1"),
);
const front = "---\nragnb: 1\n---\n";
const small = `${front}\n# Title\n\n${cellText("dataset", "qa", "source: faq # ours\n")}\n${cellText("run", "r", "configs: [a, b]\ndataset: qa\n")}`;
const at = (source: string, name: string) => blocksOf(source).findIndex((b) => b.cell?.name === name);
const order = (source: string) =>
  blocksOf(source)
    .filter(isShown)
    .map((b) => b.cell?.name ?? b.text.trim());

describe("the blocks of a notebook", () => {
  it("make up the text, letter by letter", () => {
    expect(gallery.length).toBeGreaterThanOrEqual(4);
    for (const text of [...gallery, small, "", "\n", "---\n", "```rag run", "~~~\n```rag a b\n", small.replaceAll("\n", "\r\n")])
      expect(joined(blocksOf(text))).toBe(text);
  });
  it("are cells only where a fence of backticks says rag, and not inside other fences", () => {
    const text = `${front}\`\`\`\`md\n\`\`\`rag run x\n\`\`\`\n\`\`\`\`\n~~~rag run y\n~~~\n${cellText("run", "z", "a: 1\n")}`;
    expect(blocksOf(text).flatMap((b) => b.cell?.name ?? [])).toEqual(["z"]);
  });
  it("are changed one at a time", () => {
    const edited = withBody(small, at(small, "qa"), "source: other");
    expect(edited).toBe(small.replace("source: faq # ours", "source: other"));
    expect(withOpening(small, at(small, "r"), "run", "after")).toBe(small.replace("rag run r", "rag run after"));
    expect(withBody(small, at(small, "qa"), "x: 1\n```\n")).toBe(small);
    expect(closesFence({ type: "", name: "", opening: "````rag a b\n", body: "", closing: "" }, "```\n")).toBe(false);
  });
  it("move past each other and back", () => {
    const down = move(small, at(small, "qa"), true);
    expect(order(down.source)).toEqual(["# Title", "r", "qa"]);
    expect(blocksOf(down.source)[down.at]?.cell?.name).toBe("qa");
    expect(move(down.source, down.at, false).source).toBe(small);
    const up = move(small, at(small, "qa"), false);
    expect(order(up.source)).toEqual(["qa", "# Title", "r"]);
    expect(move(small, at(small, "r"), true).source).toBe(small);
  });
  it("are put in and taken out with empty lines around them", () => {
    const added = insert(small, at(small, "r"), cellText("note", "n", "en: x\n"));
    expect(order(added.source)).toEqual(["# Title", "qa", "n", "r"]);
    expect(blocksOf(added.source)[added.at]?.cell?.name).toBe("n");
    expect(remove(added.source, added.at)).toBe(small);
    const last = insert(small.trimEnd(), 99, cellText("note", "n", "en: x\n"));
    expect(order(last.source)).toEqual(["# Title", "qa", "r", "n"]);
    expect(order(insert(front, 0, cellText("note", "n", "")).source)).toEqual(["n"]);
  });
  it("get a name that is free", () => {
    expect([freeName(small, "r"), freeName(small, "c")]).toEqual(["r2", "c"]);
  });
});

describe("values in one line", () => {
  it.each([
    ["{by: chars, size: ${p.size}, overlap: 0}", "{by: chars, size: ${p.size}, overlap: 0}"],
    ["[400,  800]", "[400, 800]"],
    ["{en: \"a: b\", ja: '回''答'}", '{en: "a: b", ja: 回\'答}'],
    ["{a: {b: [1, {c: d}]}}", "{a: {b: [1, {c: d}]}}"],
    ["name@2 # newest", "name@2"],
  ])("%s", (text, printed) => {
    const value = parseFlow(text);
    expect(value && printFlow(value)).toBe(printed);
  });
  it("are left to the text where a form cannot show them", () => {
    for (const text of ["[a", "{a: b", "*anchor", "'x", "a: b: c", "[a] b"]) expect(parseFlow(text)).toBeNull();
  });
  it("are quoted where YAML would read something else", () => {
    expect(["", "yes", "5.00", "a: b", "- x", "it's", "correctness >= 4", "${p.k}", "x\ny"].map((s) => printScalar(s, true))).toEqual([
      '""',
      '"yes"',
      '"5.00"',
      '"a: b"',
      '"- x"',
      "it's",
      "correctness >= 4",
      "${p.k}",
      '"x\\ny"',
    ]);
    expect([printScalar("5"), printScalar("true")]).toEqual(["5", "true"]);
  });
});

describe("the fields of a body", () => {
  const body =
    '# what is run\nconfigs: [a, b]\ndataset: qa # all\n\njudge:\n  provider: offline # free\n  model: lexical\nbudget: "5.00"\n';
  it("are found with the lines below them", () => {
    expect(entriesOf(body)?.map((e) => e.key)).toEqual(["configs", "dataset", "judge", "budget"]);
    expect([textOf(body, "dataset"), textOf(body, "budget"), textOf(body, "none")]).toEqual(["qa", "5.00", ""]);
  });
  it("are set without touching comments and other fields", () => {
    expect(setField(body, "dataset", "qb")).toBe(body.replace("qa # all", "qb # all"));
    expect(setField(body, "budget", null)).toBe(body.replace('budget: "5.00"\n', ""));
    expect(setField(body, "repeats", "3")).toBe(`${body}repeats: 3\n`);
    expect(setField("", "of", "r")).toBe("of: r\n");
    expect(setField(body, "judge", "{provider: x}")).toBe(body.replace(/judge:[\s\S]*lexical/, "judge: {provider: x}"));
  });
  it("that are mappings keep the style they are written in", () => {
    expect(setPath(body, ["judge", "model"], "other")).toBe(body.replace("lexical", "other"));
    expect(setPath(body, ["judge", "explain_lang"], "ja")).toBe(body.replace("lexical\n", "lexical\n  explain_lang: ja\n"));
    const flow = "retrieve: {mode: dense, k: ${p.k}}\n";
    expect(setPath(flow, ["retrieve", "mode"], "bm25")).toBe("retrieve: {mode: bm25, k: ${p.k}}\n");
    expect(setPath("retrieve: {k: 3}\n", ["retrieve", "k"], null)).toBe("");
    expect(setPath("", ["chunk", "size"], "800")).toBe("chunk: {size: 800}\n");
    const deep = "chunk:\n  size: 800 # letters\n  parent: {mode: window, n: 2} # around it\nretrieve: {k: 3}\n";
    expect(setPath(deep, ["chunk", "parent", "n"], "5")).toBe(deep.replace("n: 2", "n: 5"));
    expect(setPath(deep, ["chunk", "parent", "size"], "9")).toBe(deep.replace("n: 2", "n: 2, size: 9"));
    expect(setPath(deep, ["chunk", "parent", "mode"], null)).toBe(deep.replace("mode: window, ", ""));
    expect(setPath(deep, ["retrieve", "mmr", "lambda"], "0.5")).toBe(deep.replace("{k: 3}", "{k: 3, mmr: {lambda: 0.5}}"));
    expect(setPath("retrieve: {k: 3, mmr: {lambda: 0.5}}\n", ["retrieve", "mmr", "lambda"], null)).toBe("retrieve: {k: 3}\n");
  });
  it("of notes are texts of several lines", () => {
    const note = "en: |\n  ## Title\n\n  A line.\nja: x\n";
    expect(textOf(note, "en")).toBe("## Title\n\nA line.");
    expect(setField(note, "ja", "|\n  二\n  行")).toBe("en: |\n  ## Title\n\n  A line.\nja: |\n  二\n  行\n");
  });
  it("are left to the text where the body is no list of fields", () => {
    expect([entriesOf("{a: 1}"), entriesOf("- a\n"), entriesOf("just text")]).toEqual([null, null, null]);
    expect(entriesOf("a: >\n  folded\n")?.[0]?.value).toBeNull();
  });
  it("of the gallery can all be shown", () => {
    for (const text of gallery)
      for (const b of blocksOf(text))
        if (b.cell)
          expect(
            entriesOf(b.cell.body)?.every((e) => e.value !== null),
            b.text,
          ).toBe(true);
  });
});

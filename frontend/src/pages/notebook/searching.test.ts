import { expect, it } from "vitest";
import { textOf } from "./fields";
import { merged, parted, unnoted } from "./notes";
import { hitsOf, replaced } from "./searching";
import { blocksOf } from "./text";

const source =
  "---\nragnb: 1\ntitle: Alpha\n---\n\nAlpha and *alpha*.\n\n```rag note a\nen: |\n  one alpha\n\n  two\nja: い\n```\n\n" +
  "```rag note b\ntitle: T\nen: three\n```\n\n```rag config alpha\nname: ${p.alpha}\n```\n";

it("finds a text in prose and bodies with its line, and leaves names, types and the front alone", () => {
  const { hits, count } = hitsOf(source, "ALPHA", false);
  expect(count).toBe(4);
  expect(hits.map((h) => [h.line, h.found])).toEqual([
    [6, "Alpha"],
    [6, "alpha"],
    [10, "alpha"],
    [22, "alpha"],
  ]);
  expect(hits.map((h) => source.split("\n")[h.line - 1])).toEqual(hits.map((h) => h.before + h.found + h.after));
  expect(hitsOf(source, "alpha", true).count).toBe(3);
  expect(hitsOf("", "", false).count).toBe(0);
});

it("replaces one or all, and keeps a cell whose fence that would close", () => {
  const all = replaced(source, "alpha", "beta", false);
  expect(all).toMatchObject({ done: 4, left: 0 });
  expect(all.source).toContain("title: Alpha\n");
  expect(all.source).toContain("rag config alpha\nname: ${p.beta}");
  const one = replaced(source, "alpha", "beta", false, hitsOf(source, "alpha", false).hits[2]);
  expect(one.source).toBe(source.replace("one alpha", "one beta"));
  const broken = replaced(source, "name", "```\nname", false);
  expect(broken).toMatchObject({ source, done: 0, left: 1 });
});

it("merges notes after each other, parts them again, and gives back what a note was", () => {
  const at = blocksOf(source).flatMap((b, i) => (b.cell?.type === "note" ? [i] : []));
  const one = merged(source, at) ?? "";
  const notes = blocksOf(one).flatMap((b) => (b.cell?.type === "note" ? [b.cell] : []));
  expect(notes.map((n) => [n.name, textOf(n.body, "en").trim(), textOf(n.body, "ja").trim()])).toEqual([
    ["a", "one alpha\n\ntwo\n\nthree", "い"],
  ]);
  expect(merged(source, [at[0] ?? 0, at[0] === undefined ? 0 : blocksOf(source).length - 1])).toBeNull();
  const two = parted(one, at[0] ?? 0, "en", "one alpha\n\n".length);
  const after = blocksOf(two?.source ?? "").flatMap((b) => (b.cell?.type === "note" ? [b.cell] : []));
  expect(after.map((n) => [n.name, textOf(n.body, "en").trim(), textOf(n.body, "ja").trim()])).toEqual([
    ["a", "one alpha", "い"],
    ["a2", "two\n\nthree", ""],
  ]);
  expect(parted(one, at[0] ?? 0, "en", 0)).toBeNull();
  expect(unnoted(blocksOf("```rag note n\nen: |\n  of: r\n  limit: 3\n```\n")[0])).toBe("of: r\nlimit: 3\n");
});

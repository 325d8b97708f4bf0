import { describe, expect, it } from "vitest";
import { merge } from "./merge";
import { blocksOf, cellText, insert, joined, move, remove, withBody } from "./text";

/** Numbers from 0 to 1, the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const front = "---\nragnb: 1\ntitle: T\n---\n\nIntro line.\n\n";
const cells = ["a", "b", "c", "d", "e"];
const base =
  front + cells.map((name) => `${cellText("note", name, `en: text of ${name}\nja: ${name} の文`)}\nProse after ${name}.\n\n`).join("");

/** One edit of a text at random, each with lines that nobody else writes. */
function edited(source: string, who: string, random: () => number): string {
  const blocks = blocksOf(source);
  const at = 1 + Math.floor(random() * (blocks.length - 1));
  const own = `${who} wrote ${Math.floor(random() * 1e9)}`;
  const kind = random();
  if (kind < 0.5) {
    const block = blocks[at];
    if (block?.cell) return withBody(source, at, `en: ${own}\n`);
    return joined(blocks.map((b, i) => (i === at ? { ...b, text: `${b.text}${own}\n\n` } : b)));
  }
  if (kind < 0.7) return insert(source, at, cellText("note", `n${Math.floor(random() * 1e9)}`, `en: ${own}`)).source;
  if (kind < 0.85) return move(source, at, random() < 0.5).source;
  return remove(source, at);
}

const lines = (text: string) => text.split("\n").filter((l) => l.trim() !== "");

describe("two texts of one", () => {
  it("are joined when different cells were changed", () => {
    const at = (name: string) => blocksOf(base).findIndex((b) => b.cell?.name === name);
    const mine = withBody(base, at("a"), "en: mine\n");
    const theirs = remove(withBody(base, at("d"), "en: theirs\n"), at("b"));
    const { text, taken, clashes } = merge(base, mine, theirs);
    expect(clashes).toEqual([]);
    expect(taken).toContain("d");
    expect(text).toContain("en: mine\n");
    expect(text).toContain("en: theirs\n");
    expect(text).not.toContain("rag note b\n");
  });

  it("clash where both changed the same cell, and nowhere else", () => {
    const at = blocksOf(base).findIndex((b) => b.cell?.name === "a");
    expect(merge(base, withBody(base, at, "en: mine\n"), withBody(base, at, "en: theirs\n")).clashes).toEqual(["a"]);
    expect(merge(base, withBody(base, at, "en: same\n"), withBody(base, at, "en: same\n")).clashes).toEqual([]);
  });

  it("keep the change of a cell that the other one took out", () => {
    const at = blocksOf(base).findIndex((b) => b.cell?.name === "a");
    for (const [mine, theirs] of [
      [withBody(base, at, "en: kept\n"), remove(base, at)],
      [remove(base, at), withBody(base, at, "en: kept\n")],
    ] as const) {
      const { text, clashes } = merge(base, mine, theirs);
      expect(clashes).toEqual([]);
      expect(text).toContain("en: kept\n");
    }
  });

  it("lose no line in 1,000 random pairs", () => {
    const random = seeded(7);
    let joinedPairs = 0;
    for (let i = 0; i < 1000; i++) {
      const steps = (who: string) =>
        Array.from({ length: 1 + Math.floor(random() * 3) }).reduce<string>((s) => edited(s, who, random), base);
      const [mine, theirs] = [steps("Ann"), steps("Ben")];
      const { text, clashes } = merge(base, mine, theirs);
      if (clashes.length > 0) continue; // people are asked, with both texts before them
      joinedPairs++;
      const result = new Set(lines(text));
      const [b, m, t] = [new Set(lines(base)), new Set(lines(mine)), new Set(lines(theirs))];
      const owed = [...m, ...t].filter((l) => !b.has(l) || (m.has(l) && t.has(l)));
      expect(
        owed.filter((l) => !result.has(l)),
        `pair ${i}`,
      ).toEqual([]);
      expect(blocksOf(text).filter((x) => x.cell).length, `pair ${i}`).toBe(
        new Set(blocksOf(text).flatMap((x) => x.cell?.name ?? [])).size,
      );
    }
    expect(joinedPairs).toBeGreaterThan(500);
  });
});

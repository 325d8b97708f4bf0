import { describe, expect, it } from "vitest";
import type { CellDetail } from "../../api/types_notebook";
import { layered, reach, sortedByNeed } from "./graph";
import { entriesOf } from "./outline";
import { initials } from "./readers";
import { priceOf, staleOf } from "./stale";
import { blocksOf, cellText, moveTo } from "./text";

const cell = (name: string, refs: string[] = [], more: Partial<CellDetail> = {}) =>
  ({ name, type: "run", refs, used_by: [], paid: true, state: "fresh", ...more }) as CellDetail;

/** Cells whose used_by follows from their refs, as the server tells it. */
const linked = (cells: CellDetail[]) =>
  cells.map((c) => ({ ...c, used_by: cells.filter((o) => o.refs.includes(c.name)).map((o) => o.name) }));

const chain = linked([cell("c", ["a", "b"]), cell("a"), cell("b", ["a"]), cell("d", ["c"]), cell("alone")]);

describe("the picture of what needs what", () => {
  it("puts each cell behind everything that it needs", () => {
    const at = Object.fromEntries(layered(chain).map((n) => [n.cell.name, `${n.column}.${n.row}`]));
    expect(at).toEqual({ a: "0.0", alone: "0.1", b: "1.0", c: "2.0", d: "3.0" });
  });

  it("ends where cells need each other", () => {
    expect(layered(linked([cell("a", ["b"]), cell("b", ["a"])]))).toHaveLength(2);
  });

  it("marks what a cell needs and what needs it, through others too", () => {
    const nodes = layered(chain);
    expect([...reach(nodes, "c", "needs")].sort()).toEqual(["a", "b"]);
    expect([...reach(nodes, "a", "usedBy")].sort()).toEqual(["b", "c", "d"]);
  });

  it("is the order that cells are sorted into; prose stays where it is", () => {
    const source = `Intro.\n\n${cellText("run", "c", "configs: b")}\nBetween.\n\n${cellText("run", "b", "x: 1")}\n${cellText("run", "a", "y: 1")}`;
    const nodes = layered(linked([cell("c", ["b"]), cell("b", ["a"]), cell("a")]));
    const sorted = sortedByNeed(source, nodes);
    expect(blocksOf(sorted).flatMap((b) => b.cell?.name ?? b.text.trim())).toEqual(["Intro.", "a", "Between.", "b", "", "c"]);
    expect(sortedByNeed(sorted, nodes)).toBe(sorted);
  });
});

describe("the outline", () => {
  const source = `# One\n\ntext\n\n${cellText("run", "a", "x: 1")}\n## Two ##\n\n${cellText("note", "b", "en: x")}\n${cellText("run", "c", "z: 1")}`;

  it("lists headings and cells in their order", () => {
    const blocks = blocksOf(source);
    const shown = blocks.flatMap((b, i) => (b.kind === "cell" || b.text.trim() ? [i] : []));
    expect(entriesOf(blocks, shown).map((e) => `${e.level} ${e.label}`)).toEqual(["1 One", "0 a", "2 Two", "0 b", "0 c"]);
  });

  it("takes a cell to another place and loses no line", () => {
    const blocks = blocksOf(source);
    const at = (name: string) => blocks.findIndex((b) => b.cell?.name === name);
    for (const [from, to, order] of [
      ["c", "a", ["c", "a", "b"]],
      ["a", "c", ["b", "a", "c"]],
      ["b", "b", ["a", "b", "c"]],
    ] as const) {
      const moved = moveTo(source, at(from), at(to)).source;
      expect(blocksOf(moved).flatMap((b) => b.cell?.name ?? [])).toEqual(order);
      const lines = (s: string) =>
        s
          .split("\n")
          .filter((l) => l.trim())
          .sort();
      expect(lines(moved)).toEqual(lines(source));
    }
  });
});

describe("what is not up to date", () => {
  const price = (calls: number) => ({ calls, known: 0, micros: calls * 10, price_known: true, currency: "USD", runs: 1, runs_done: 0 });

  it("is counted and priced together; what has no price yet is said", () => {
    const cells = [
      cell("a", [], { state: "stale", price: price(200) }),
      cell("b", [], { state: "blocked" }),
      cell("c", [], { state: "partial", price: price(40) }),
      cell("d"),
      cell("free", [], { state: "stale", paid: false }),
    ];
    expect(staleOf(cells).map((c) => c.name)).toEqual(["a", "b", "c"]);
    expect(priceOf(staleOf(cells))).toEqual({ calls: 240, micros: 2400, price_known: true, currency: "USD", later: true });
    expect(priceOf([cell("b", [], { state: "blocked" })])).toBeNull();
  });
});

it("tells people by their initials", () => {
  expect(["Ann Lee", "ben", "山田 太郎", "山田太郎", "x"].map(initials)).toEqual(["AL", "BE", "山太", "山田", "X"]);
});

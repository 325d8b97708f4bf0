import { describe, expect, it } from "vitest";
import type { RunRow } from "../../api/types";
import { combinations, costOf, cover, finder, goodness, layout, lowScores, measure, nameOf, repairRows } from "./grid";
import type { ParetoPoint, SweepPoint } from "../../api/types_sweep";

const axes = [
  { name: "chunk.size", values: ["400", "800"] },
  { name: "retrieve.k", values: ["3", "4"] },
  { name: "rerank", values: ["none"] },
];

function point(id: string, size: number, k: number, repaired: string[] = [], broken: string[] = []): SweepPoint {
  const params = [
    { name: "chunk.size", value: size },
    { name: "retrieve.k", value: k },
    { name: "rerank", value: { mode: "none", provider: "" } },
  ];
  const totals = { coverage: { scored: 1, applicable: 1 }, scores: { trust: { mean: 0, n: 0 } }, low_score_count: 0, questions: 5 };
  return { run: { run_id: id, params, totals } as unknown as RunRow, repaired, broken };
}

describe("the table of a sweep", () => {
  const points = [point("a", 400, 3), point("b", 400, 4), point("c", 800, 3)];

  it("puts half of the parameters across, and leaves out those with one value", () => {
    const table = layout(axes, []);
    expect(table.down.map((a) => a.name)).toEqual(["chunk.size"]);
    expect(table.across.map((a) => a.name)).toEqual(["retrieve.k"]);
    expect(layout(axes, ["chunk.size", "nonsense"]).across.map((a) => a.name)).toEqual(["chunk.size"]);
  });

  it("finds the configuration of a cell, and nothing where a combination was skipped", () => {
    const find = finder(points, layout(axes, []));
    expect(find(["400"], ["4"])?.run.run_id).toBe("b");
    expect(find(["800"], ["4"])).toBeUndefined();
  });

  it("lists combinations with the last parameter changing fastest", () => {
    expect(combinations(axes.slice(0, 2))).toEqual([
      ["400", "3"],
      ["400", "4"],
      ["800", "3"],
      ["800", "4"],
    ]);
    expect(combinations([])).toEqual([[]]);
  });

  it("names a configuration by what differs", () => {
    expect(nameOf(points[0] as SweepPoint, axes, { param: (id) => id, value: (_, v) => v })).toBe("chunk.size 400 · retrieve.k 3");
  });
});

describe("measures", () => {
  it("has no value where nothing was scored, and a zero where nothing is low", () => {
    const p = point("a", 400, 3);
    expect(measure(p, "trust")).toBeUndefined();
    expect(measure(p, "correctness")).toBeUndefined();
    expect(measure(p, lowScores)).toEqual({ value: 0, n: 5 });
    expect(measure({ ...p, run: { run_id: "a" } as unknown as RunRow }, lowScores)).toBeUndefined();
  });

  it("respects the direction of the measure", () => {
    expect(goodness(1, [1, 3], true)).toBe(1);
    expect(goodness(1, [1, 3], false)).toBe(0);
    expect(goodness(2, [2, 2], false)).toBe(0.5);
  });
});

describe("repairs", () => {
  const points = [
    point("a", 400, 3, ["q1", "q2"], ["q9"]),
    point("b", 400, 4, ["q2", "q3", "q4"]),
    point("c", 800, 3, ["q1", "q2"]),
    point("d", 800, 4, ["q3"]),
  ];

  it("chooses configurations by what each adds, and the one that breaks less on a tie", () => {
    expect(cover(points).map((s) => [s.point.run.run_id, s.adds, s.sum])).toEqual([
      ["b", 3, 3],
      ["c", 1, 4],
    ]);
  });

  it("has one row for each question that something happens to, the rarely repaired first", () => {
    const rows = repairRows(points);
    expect(rows.map((r) => r.question)).toEqual(["q4", "q1", "q3", "q2", "q9"]);
    expect(rows[4]?.marks).toEqual([-1, 0, 0, 0]);
    expect(rows[0]?.marks).toEqual([0, 1, 0, 0]);
  });
});

describe("cost", () => {
  const p = (micros?: number): ParetoPoint => ({
    run_id: "a",
    quality: 1,
    context_tokens: 900,
    latency_ms: 0,
    standing: "front",
    ...(micros === undefined ? {} : { micros }),
  });

  it("is money only where every configuration has a price", () => {
    expect(costOf([p(2_000_000), p(0)]).money).toBe(true);
    expect(costOf([p(2_000_000), p(0)]).cost(p(2_000_000))).toBe(2);
    expect(costOf([p(1), p()]).money).toBe(false);
    expect(costOf([p(1), p()]).cost(p(1))).toBe(900);
    expect(costOf([]).money).toBe(false);
  });
});

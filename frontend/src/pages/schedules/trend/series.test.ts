import { describe, expect, it } from "vitest";
import type { TrendPoint, TrendRun, TrendValue } from "../../../api/types_trend";
import { whatHappened } from "./sentence";
import {
  axis,
  bands,
  chosenMetrics,
  columnsOf,
  driftParts,
  happenings,
  labelled,
  lanes,
  pieces,
  reach,
  stacks,
  textWidth,
  upward,
} from "./series";

const value = (mean: number, half?: number): TrendValue => ({
  mean,
  n: 20,
  ...(half === undefined ? {} : { ci95: [mean - half, mean + half] }),
});

function run(id: string, more: Partial<TrendRun> = {}): TrendRun {
  return {
    run_id: id,
    metrics: { correctness: value(4, 0.2) },
    low: 2,
    scored: 20,
    low_share: { mean: 0.1, n: 20, ci95: [0.03, 0.3] },
    low_score: 2,
    causes: [],
    offline: true,
    ...more,
  };
}

function point(more: Partial<TrendPoint> = {}): TrendPoint {
  return {
    at: "2026-01-05T06:00:00Z",
    state: "ran",
    worse: 0,
    newly_worse: 0,
    spent_micros: 0,
    calls: 0,
    is_baseline: false,
    new_baseline: false,
    changes: [],
    run: run("r"),
    ...more,
  };
}

const gap = () => {
  const { run: _, ...rest } = point({ state: "missed" });
  return rest as TrendPoint;
};

describe("the line of a metric", () => {
  it("ends where a fire has no value and where the measure changed", () => {
    const points = [
      point(),
      point(),
      gap(),
      point(),
      point({ changes: ["judge"] }),
      point({ changes: ["system", "corpus"] }),
      point({ run: run("x", { metrics: {} }) }),
    ];
    expect(pieces(points, "correctness").map((piece) => piece.map((p) => p.at))).toEqual([[0, 1], [3], [4, 5]]);
    expect(pieces(points, "trust")).toEqual([]);
  });
  it("has a band only where every fire has an interval", () => {
    const piece = [value(4, 0.1), value(4), value(3, 0.2), value(3, 0.3)].map((v, at) => ({ at, value: v }));
    expect(bands(piece).map((b) => b.map((p) => p.at))).toEqual([[0], [2, 3]]);
    expect(bands(piece)[0]?.[0]).toEqual({ at: 0, low: 3.9, high: 4.1 });
  });
});

describe("axes", () => {
  it("span values and intervals with round numbers, within the scale", () => {
    expect(reach([point(), gap()], "correctness")).toEqual([4, 3.8, 4.2]);
    expect(axis([3.62, 4.1])).toEqual([3.6, 3.8, 4, 4.2]);
    expect(axis([4.7, 5], { min: 1, max: 5 }).at(-1)).toBe(5);
    expect(axis([0, 0], { min: 0, max: 1 })).toEqual([0, 0.5]);
    expect(axis([])).toEqual([]);
  });
  it("never leave room for nothing", () => {
    for (const v of [0, 1, 3, 0.333, -2, 1e6]) expect(axis([v]).length).toBeGreaterThan(1);
  });
  it("put the largest number on top", () => {
    const y = upward([3, 4, 5], 100, 80);
    expect([y(3), y(5), y(4), y(9)]).toEqual([100, 20, 60, 20]);
  });
  it("divide the width among the fires and write as many dates as there is room for", () => {
    const c = columnsOf(4, 50, 400);
    expect([c.wide, c.left(0), c.middle(3)]).toEqual([100, 50, 400]);
    expect(labelled(4, 100, 90, 0)).toEqual([0, 1, 2, 3]);
    expect(labelled(10, 20, 90, 40)).toEqual([4, 9]);
  });
  it("leave out the date that the newest one needs the room of", () => {
    expect(labelled(15, 20, 90, 0)).toEqual([4, 14]);
  });
});

describe("flags", () => {
  it("share a lane only where there is room", () => {
    const middle = (at: number) => at * 50;
    const placed = lanes(
      [
        { at: 0, text: "a long text of a flag" },
        { at: 1, text: "next" },
        { at: 8, text: "far" },
      ],
      middle,
      1000,
    );
    expect(placed.map((p) => p.lane)).toEqual([0, 1, 0]);
  });
  it("are written to the left at the right edge, and do not cover each other there", () => {
    const placed = lanes(
      [
        { at: 8, text: "judge changed" },
        { at: 9, text: "dataset changed" },
      ],
      (at) => at * 50,
      460,
    );
    expect(placed.map((p) => [p.lane, p.end])).toEqual([
      [0, true],
      [1, true],
    ]);
  });
  it("know that Japanese letters are wider", () => {
    expect(textWidth("評価")).toBeGreaterThan(textWidth("ab"));
  });
  it("name what happened, what breaks the series first", () => {
    expect(happenings(point({ drift: "x", changes: ["dataset", "system"], new_baseline: true }))).toEqual([
      "drift",
      "dataset",
      "system",
      "baseline",
    ]);
  });
});

describe("causes", () => {
  const caused = (method: string, ...n: number[]) =>
    point({
      run: run("c", { cause_method: method, causes: n.map((count, i) => ({ component: ["retriever", "generation"][i] ?? "", n: count })) }),
    });
  it("are stacked within one method, each fire in one stack", () => {
    const all = stacks([caused("observed", 1, 2), gap(), caused("tested", 4), point(), caused("observed", 5)]);
    expect(all.map((g) => [g.method, g.most, g.stacks.map((s) => s.at)])).toEqual([
      ["tested", 4, [2]],
      ["observed", 5, [0, 4]],
    ]);
    expect(all[1]?.stacks[0]?.parts).toEqual([
      { component: "retriever", from: 0, n: 1 },
      { component: "generation", from: 1, n: 2 },
    ]);
  });
});

describe("metrics on screen", () => {
  it("are those asked for, else correctness and trust, else the first", () => {
    const known = ["hit", "correctness", "mrr", "trust"];
    expect(chosenMetrics(known, "mrr,unknown")).toEqual(["mrr"]);
    expect(chosenMetrics(known, "")).toEqual(["correctness", "trust"]);
    expect(chosenMetrics(["hit", "mrr", "ndcg"], "x")).toEqual(["hit", "mrr"]);
  });
  it("that drifted are read from what the server says", () => {
    expect(driftParts("the judge scores the same answers differently than it did: correctness +0.30, trust -0.12")).toEqual([
      { metric: "correctness", by: 0.3 },
      { metric: "trust", by: -0.12 },
    ]);
    expect(driftParts("something else")).toEqual([]);
  });
});

describe("the sentence", () => {
  const said = (...points: TrendPoint[]) => whatHappened(points)?.key;
  const share = (mean: number, low: number, high: number) => run("s", { low_share: { mean, n: 20, ci95: [low, high] } });
  it("says first what is surest", () => {
    expect(said(point(), gap())).toBe("gap");
    expect(said(gap())).toBe("gapOnly");
    expect(said(point(), point({ baseline: "b", worse: 3, newly_worse: 1, drift: "x" }))).toBe("newlyWorse");
    expect(said(point(), point({ baseline: "b", worse: 3 }))).toBe("stillWorse");
    expect(said(point(), point({ baseline: "b", drift: "x" }))).toBe("drift");
    expect(said(point(), point({ baseline: "b" }))).toBe("noneWorse");
    expect(whatHappened([])).toBeNull();
  });
  it("compares without a baseline only what was measured the same way, and says whether chance would do", () => {
    expect(said(point({ run: share(0.1, 0.05, 0.2) }), point({ run: share(0.4, 0.3, 0.6) }))).toBe("moved");
    expect(said(point({ run: share(0.1, 0.05, 0.35) }), point({ run: share(0.4, 0.3, 0.6) }))).toBe("level");
    expect(said(point({ run: share(0.1, 0.05, 0.2) }), point({ run: share(0.4, 0.3, 0.6), changes: ["judge"] }))).toBe("newMeasure");
    expect(
      said(
        point({ run: share(0.9, 0.8, 0.95) }),
        point({ run: share(0.1, 0.05, 0.2), changes: ["judge"] }),
        gap(),
        point({ run: share(0.11, 0.05, 0.2) }),
      ),
    ).toBe("level");
  });
  it("has three numbers at most", () => {
    for (const points of [
      [point(), gap()],
      [point(), point({ newly_worse: 1, worse: 1, baseline: "b" })],
      [point(), point()],
    ]) {
      expect(Object.keys(whatHappened(points)?.values ?? {}).length).toBeLessThanOrEqual(3);
    }
  });
});

import { describe, expect, it } from "vitest";
import type { TrendPoint, TrendRun, TrendValue } from "../../../api/types_trend";
import { whatHappened } from "./sentence";
import { driftParts, happenings } from "./series";

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

describe("what happened", () => {
  it("name what happened, what breaks the series first", () => {
    expect(happenings(point({ drift: "x", changes: ["dataset", "system"], new_baseline: true }))).toEqual([
      "drift",
      "dataset",
      "system",
      "baseline",
    ]);
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
  it("says nothing of low scores where nobody can tell them", () => {
    const untold = { run: run("u", { low: 0, scored: 0, low_share: { mean: 0, n: 0 } }) };
    expect(said(point(), point(untold))).toBe("untold");
    expect(said(point(untold), gap())).toBe("gapUntold");
    expect(said(point({ ...untold, baseline: "b" }))).toBe("noneWorseUntold");
    expect(said(point({ ...untold, baseline: "b", worse: 3, newly_worse: 1 }))).toBe("worseUntold");
    expect(said(point(untold), point({ run: share(0.4, 0.3, 0.6) }))).toBe("newMeasure");
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

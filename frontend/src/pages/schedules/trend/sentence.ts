import type { TrendPoint } from "../../../api/types_trend";

/** What is said where nobody can tell which answers are low. */
type Untold = "gapUntold" | "worseUntold" | "noneWorseUntold" | "untold";

/** What to say: the end of a key below trend.said, and the numbers that it holds, three at most. */
export interface Said {
  key: "gap" | "gapOnly" | "newlyWorse" | "stillWorse" | "drift" | "noneWorse" | "moved" | "level" | "newMeasure" | Untold;
  values: Record<string, number>;
  /** The state of the newest slot where it has no figures. */
  state?: string;
}

/**
 * What happened, in one sentence: first a newest slot without figures, then what is known for sure about the newest fire, and
 * without a baseline how the share of low scores moved since the oldest fire that measured the same.
 */
export function whatHappened(points: TrendPoint[]): Said | null {
  const newest = points[points.length - 1];
  const last = points.findLastIndex((p) => p.run);
  const fire = points[last];
  const run = fire?.run;
  if (!newest || !fire || !run) return newest ? { key: "gapOnly", values: {}, state: newest.state } : null;
  const low = { low: run.low, n: run.scored };
  if (run.scored === 0) return untold(newest === fire, newest, fire);
  if (newest !== fire) return { key: "gap", values: low, state: newest.state };
  if (fire.newly_worse > 0) return { key: "newlyWorse", values: { ...low, worse: fire.newly_worse } };
  if (fire.worse > 0) return { key: "stillWorse", values: { ...low, worse: fire.worse } };
  if (fire.drift) return { key: "drift", values: low };
  if (fire.baseline) return { key: "noneWorse", values: low };
  return moved(points, last, low);
}

/** What is known where nobody can tell which answers are low. */
function untold(now: boolean, newest: TrendPoint, fire: TrendPoint): Said {
  if (!now) return { key: "gapUntold", values: {}, state: newest.state };
  if (fire.worse > 0) return { key: "worseUntold", values: { worse: fire.worse, newly: fire.newly_worse } };
  return { key: fire.baseline ? "noneWorseUntold" : "untold", values: {} };
}

/** How low scores moved within the fires that measured the same as the newest. */
function moved(points: TrendPoint[], last: number, low: { low: number; n: number }): Said {
  let first = last;
  for (let i = last; i >= 0; i--) {
    const p = points[i];
    if (!p?.run) continue;
    if (p.run.scored > 0) first = i;
    if (p.changes.some((c) => c === "dataset" || c === "questions" || c === "judge" || c === "metrics" || c === "low_score")) break;
  }
  const a = points[first]?.run;
  const b = points[last]?.run;
  if (first === last || !a || !b) return { key: "newMeasure", values: low };
  const apart = distinct(a.low_share.ci95, b.low_share.ci95);
  const values = { from: a.low_share.mean, to: b.low_share.mean, n: b.scored };
  return { key: apart ? "moved" : "level", values };
}

/** Whether two intervals have nothing in common. */
function distinct(a: number[] | undefined, b: number[] | undefined): boolean {
  if (!a || !b) return false;
  const [aLow = 0, aHigh = 0] = a;
  const [bLow = 0, bHigh = 0] = b;
  return aHigh < bLow || bHigh < aLow;
}

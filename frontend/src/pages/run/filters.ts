import type { Points } from "../../api/types";
import { isChosen, readSteps, stepOf } from "../../parts/bubblegrid";

/** What narrows the questions of a run, as it stands in the address. */
export const filterNames = ["c", "t", "cause", "category", "theme", "tag", "low", "state", "q"] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Record<FilterName, string>;

/** The same filters as the server names them. */
export function serverFilters(f: Filters): Record<string, string> {
  const { c, t, ...rest } = f;
  return { ...rest, correctness: c, trust: t };
}

/** Whether a point passes the filters. Free text is left to the server. */
export function passes(points: Points, f: Filters): (index: number) => boolean {
  const bubbles = { correctness: readSteps(f.c), trust: readSteps(f.t) };
  const anyBubble = bubbles.correctness.length + bubbles.trust.length > 0;
  const tagged = f.tag ? new Set(points.tags[f.tag] ?? []) : null;
  return (i) => {
    if (anyBubble) {
      const [c, t] = [points.correctness[i], points.trust[i]];
      const placed = c !== null && c !== undefined && t !== null && t !== undefined;
      if (!placed || !isChosen(bubbles, stepOf(c), stepOf(t))) return false;
    }
    return (
      (!f.low || String(points.low[i]) === f.low) &&
      (!f.state || points.state[i] === f.state) &&
      (!f.cause || points.cause[i] === f.cause) &&
      (!f.category || points.category[i] === f.category) &&
      (!f.theme || points.theme[i] === f.theme) &&
      (!tagged || tagged.has(i))
    );
  };
}

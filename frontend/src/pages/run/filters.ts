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

/**
 * Whether a point passes the filters, apart from those of one chart: a chart that filters shows what the others leave, so that
 * other choices of its own stay in sight. Free text is left to the server.
 */
export function passes(points: Points, f: Filters, apart?: FilterName | "bubbles"): (index: number) => boolean {
  const bubbles = { correctness: readSteps(f.c), trust: readSteps(f.t) };
  const anyBubble = bubbles.correctness.length + bubbles.trust.length > 0;
  const tagged = f.tag && apart !== "tag" ? new Set(points.tags[f.tag] ?? []) : null;
  return (i) => {
    if (anyBubble && apart !== "bubbles") {
      const [c, t] = [points.correctness[i], points.trust[i]];
      const placed = c !== null && c !== undefined && t !== null && t !== undefined;
      if (!placed || !isChosen(bubbles, stepOf(c), stepOf(t))) return false;
    }
    return (
      (!f.low || String(points.low[i]) === f.low) &&
      (!f.state || points.state[i] === f.state) &&
      (!f.cause || apart === "cause" || points.cause[i] === f.cause) &&
      (!f.category || apart === "category" || points.category[i] === f.category) &&
      (!f.theme || apart === "theme" || points.theme[i] === f.theme) &&
      (!tagged || tagged.has(i))
    );
  };
}

/** Counts points by a column: how many there are, and how many of them are low scores. */
export function groups(points: Points, column: string[], keep: (index: number) => boolean): { key: string; count: number; low: number }[] {
  const found = new Map<string, { key: string; count: number; low: number }>();
  column.forEach((key, i) => {
    if (!key || !keep(i)) return;
    const group = found.get(key) ?? { key, count: 0, low: 0 };
    group.count++;
    if (points.low[i]) group.low++;
    found.set(key, group);
  });
  return [...found.values()];
}

/** Tags such as "hops:multi", in groups by their first part. Themes and categories have charts of their own. */
export function tagGroups(points: Points, keep: (index: number) => boolean): Map<string, { key: string; count: number; low: number }[]> {
  const out = new Map<string, { key: string; count: number; low: number }[]>();
  for (const [tag, members] of Object.entries(points.tags)) {
    const [name = "", value] = tag.split(":");
    if (value === undefined || name === "theme" || name === "category") continue;
    const kept = members.filter(keep);
    if (kept.length === 0) continue;
    const bar = { key: tag, count: kept.length, low: kept.filter((i) => points.low[i]).length };
    out.set(name, [...(out.get(name) ?? []), bar]);
  }
  return out;
}

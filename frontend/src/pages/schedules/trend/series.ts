import type { TrendChange, TrendPoint } from "../../../api/types_trend";

/** Something that happened at a fire and explains a jump, or is one. */
export type Happening = "baseline" | "drift" | TrendChange;

/** What happened at a fire, what breaks the series first. */
export function happenings(p: TrendPoint): Happening[] {
  return [...(p.drift ? (["drift"] as const) : []), ...p.changes, ...(p.new_baseline ? (["baseline"] as const) : [])];
}

/** The metrics that the server says drifted, by how much: "…: correctness +0.30, trust -0.12". */
export function driftParts(text: string): { metric: string; by: number }[] {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  return [...tail.matchAll(/([\w.]+) ([+-]\d+(?:\.\d+)?)/g)].map((m) => ({ metric: m[1] ?? "", by: Number(m[2]) }));
}

import type { TrendChange, TrendPoint, TrendValue } from "../../../api/types_trend";

/** Changes after which the mean of a metric does not measure what it did before. */
const breaksMeans: ReadonlySet<TrendChange> = new Set<TrendChange>(["dataset", "judge", "metrics"]);

/** Whether a line would join what cannot be compared: the measure changed at this point. */
export function breaks(point: TrendPoint): boolean {
  return point.changes.some((c) => breaksMeans.has(c));
}

/** A value of a line, with the index of its fire. */
export interface Place {
  at: number;
  value: TrendValue;
}

/** The pieces of a metric's line: it ends where a fire has no value, and where the measure changed. */
export function pieces(points: TrendPoint[], metric: string): Place[][] {
  const out: Place[][] = [];
  let open = false;
  points.forEach((p, at) => {
    const value = p.run?.metrics[metric];
    if (!value) {
      open = false;
      return;
    }
    if (!open || breaks(p)) out.push([]);
    out[out.length - 1]?.push({ at, value });
    open = true;
  });
  return out;
}

/** The parts of a piece that have intervals: a band is drawn only where every fire has one. */
export function bands(piece: Place[]): { at: number; low: number; high: number }[][] {
  const out: { at: number; low: number; high: number }[][] = [];
  let open = false;
  for (const { at, value } of piece) {
    const [low, high] = value.ci95 ?? [];
    if (low === undefined || high === undefined) {
      open = false;
      continue;
    }
    if (!open) out.push([]);
    out[out.length - 1]?.push({ at, low, high });
    open = true;
  }
  return out;
}

/** All values of a metric that a chart has to have room for, intervals included. */
export function reach(points: TrendPoint[], metric: string): number[] {
  return points.flatMap((p) => {
    const value = p.run?.metrics[metric];
    return value ? [value.mean, ...(value.ci95 ?? [])] : [];
  });
}

/** Round numbers for an axis: those that span the values, and no further than the scale of the metric goes. */
export function axis(values: number[], scale?: { min: number; max: number }, most = 4): number[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [];
  const span = high - low || Math.abs(high) * 0.2 || 1;
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = ([1, 2, 5, 10].find((s) => span / (s * power) <= most) ?? 10) * power;
  let from = Math.floor(low / step + 1e-9);
  let to = Math.ceil(high / step - 1e-9);
  if (from === to) [from, to] = [from - 1, to + 1];
  const marks = Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)));
  if (!scale || scale.max <= scale.min) return marks;
  const inside = marks.filter((m) => m >= scale.min && m <= scale.max);
  return inside.length > 1 ? inside : marks;
}

/** A number on an axis from marks[0], at the bottom, to the last one, at the top. */
export function upward(marks: number[], bottom: number, height: number): (value: number) => number {
  const low = marks[0] ?? 0;
  const high = marks[marks.length - 1] ?? 1;
  return (value) => bottom - (Math.min(Math.max(value, low), high) - low) * (height / (high - low || 1));
}

/** Where the fires are: n columns of equal width between left and right. */
export interface Columns {
  wide: number;
  left: (at: number) => number;
  middle: (at: number) => number;
}

export function columnsOf(n: number, left: number, width: number): Columns {
  const wide = width / Math.max(1, n);
  return { wide, left: (at) => left + at * wide, middle: (at) => left + (at + 0.5) * wide };
}

/**
 * The fires whose date is written, so that dates do not touch. The newest has one always; beside it there are margin pixels, and what
 * its date lacks of room it takes to its left.
 */
export function labelled(n: number, wide: number, room: number, margin: number): number[] {
  const every = Math.max(1, Math.ceil(room / wide));
  const shift = Math.max(0, room / 2 - wide / 2 - margin);
  const touching = every * wide - shift < room ? n - 1 - every : -1;
  return Array.from({ length: n }, (_, i) => i).filter((i) => (n - 1 - i) % every === 0 && i !== touching);
}

/** Something that happened at a fire and explains a jump, or is one. */
export type Happening = "baseline" | "drift" | TrendChange;

/** What happened at a fire, what breaks the series first. */
export function happenings(p: TrendPoint): Happening[] {
  return [...(p.drift ? (["drift"] as const) : []), ...p.changes, ...(p.new_baseline ? (["baseline"] as const) : [])];
}

/** A text at a place on a line. */
export interface Flag {
  at: number;
  text: string;
}

/** A flag with its lane, from the top; texts that would leave the drawing are written to the left of their line. */
export interface Placed extends Flag {
  lane: number;
  end: boolean;
}

/** How wide a text is about, in pixels at 11.5: letters of East Asia are square. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, c) => sum + (c > "\u2e7f" ? 11.5 : 6.1), 0);
}

/** Puts flags into lanes so that no text touches another. */
export function lanes(flags: Flag[], middle: (at: number) => number, right: number): Placed[] {
  const taken: [number, number][][] = [];
  return flags.map((flag) => {
    const x = middle(flag.at);
    const width = textWidth(flag.text) + 10;
    const end = x + width > right;
    const span: [number, number] = end ? [x - width, x + 4] : [x - 4, x + width];
    let lane = taken.findIndex((spans) => spans.every(([a, b]) => span[1] <= a || span[0] >= b));
    if (lane < 0) lane = taken.push([]) - 1;
    taken[lane]?.push(span);
    return { ...flag, lane, end };
  });
}

/** The causes of one fire's low scores on top of each other. */
export interface Stack {
  at: number;
  total: number;
  parts: { component: string; from: number; n: number }[];
}

/** The stacks of each method: what was tested and what was only observed never stands in one drawing. */
export function stacks(points: TrendPoint[]): { method: string; most: number; stacks: Stack[] }[] {
  const by = new Map<string, Stack[]>();
  points.forEach((p, at) => {
    const method = p.run?.cause_method;
    if (!p.run || !method) return;
    let total = 0;
    const parts = p.run.causes.map(({ component, n }) => {
      total += n;
      return { component, from: total - n, n };
    });
    by.set(method, [...(by.get(method) ?? []), { at, total, parts }]);
  });
  const order = ["tested", "observed", "paper"];
  return [...by]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([method, list]) => ({ method, most: Math.max(1, ...list.map((s) => s.total)), stacks: list }));
}

/** The metrics on screen: those asked for that the series has, else correctness and trust, else the first two. */
export function chosenMetrics(known: string[], asked: string): string[] {
  const named = new Set(asked.split(","));
  const chosen = known.filter((m) => named.has(m));
  if (chosen.length > 0) return chosen;
  const usual = ["correctness", "trust"].filter((m) => known.includes(m));
  return usual.length > 0 ? usual : known.slice(0, 2);
}

/** The metrics that the server says drifted, by how much: "…: correctness +0.30, trust -0.12". */
export function driftParts(text: string): { metric: string; by: number }[] {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  return [...tail.matchAll(/([\w.]+) ([+-]\d+(?:\.\d+)?)/g)].map((m) => ({ metric: m[1] ?? "", by: Number(m[2]) }));
}

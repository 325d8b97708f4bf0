import { fixed } from "../format";

/** A text in English and Japanese; one of the data stands in en alone and is the same in both. */
export interface Words {
  en?: string;
  ja?: string;
}

/** The text in a language, or in the other one where it is missing. */
export function wordsIn(w: Words | undefined, lang: string): string {
  return (lang === "ja" && w?.ja ? w.ja : w?.en || w?.ja) ?? "";
}

export interface Axis {
  title: Words;
  category?: boolean;
  log?: boolean;
  domain: [number, number];
  ticks: { at: number; text: Words }[];
}

export interface Mark {
  facet?: number;
  x: number;
  x2?: number;
  y: number;
  base?: number;
  span?: number[];
  out?: number[];
  colour?: number;
  size?: number;
  part?: number;
  apart?: boolean;
  begins?: boolean;
  framed?: boolean;
  text?: string;
  key?: string;
  row: number;
}

export interface Head {
  title: Words;
  number?: boolean;
  digits?: number;
}

/** One of several drawings below each other over the same places. */
export interface Track {
  title: Words;
  y: Axis;
  line?: boolean;
  parts?: boolean;
  nothing?: Words;
}

/** A chart as the server decided it: internal/charts. */
export interface Plan {
  mark: "bar" | "line" | "area" | "point" | "heat" | "box" | "hist" | "rule" | "text" | "flow" | "hex" | "bubble" | "over";
  title?: Words;
  summary: Words;
  x: Axis;
  y: Axis;
  colour?: { title: Words; names?: Words[]; lanes?: number; diverging?: boolean; ends?: [Words, Words] };
  facets?: Words[];
  marks: Mark[];
  lines?: { x?: number; y?: number; title?: Words }[];
  notes?: Words[];
  /** Said of {n} labels of marks that would stand over others. */
  crowded?: Words;
  list?: boolean;
  path?: number[];
  corner?: number;
  rise?: number;
  tracks?: Track[];
  places?: { key?: string; empty?: boolean }[];
  head: Head[];
  rows: (string | number | null)[][];
  words?: Record<string, Words>;
}

/** A value of a plan's rows as people read it. */
export function shown(head: Head, v: string | number | null | undefined): string {
  if (v === null || v === undefined) return "–";
  if (typeof v === "string" || !head.number) return String(v);
  const [whole = "", rest] = fixed(Math.abs(v), head.digits ?? 0).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
  return v < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** The same, where texts of the data have names in two languages. */
export function shownIn(p: Plan, head: Head, v: string | number | null | undefined, lang: string): string {
  const called = typeof v === "string" ? p.words?.[v] : undefined;
  return called ? wordsIn(called, lang) : shown(head, v);
}

/** What a mark stands for, in words. */
export const said = (p: Plan, m: Mark, lang: string) => saidOf(p, m.row, lang);

/** A row behind a plan, in words. */
export function saidOf(p: Plan, row: number, lang: string): string {
  return p.head
    .map((h, i) => {
      const v = p.rows[row]?.[i];
      return v === null || v === undefined ? "" : `${wordsIn(h.title, lang)}: ${shownIn(p, h, v, lang)}`;
    })
    .filter(Boolean)
    .join(", ");
}

/** A plan with the first of its bars, and with those that are kept. The rows behind it stay whole. */
export function firstOf(p: Plan, n: number, keep: ((m: Mark) => boolean) | undefined): Plan {
  const marks = p.marks.filter((m, i) => i < n || keep?.(m));
  if (marks.length === p.marks.length) return p;
  return {
    ...p,
    marks: marks.map((m, x) => ({ ...m, x })),
    x: { ...p.x, domain: [-0.5, marks.length - 0.5], ticks: marks.map((m, at) => ({ at, text: p.x.ticks[m.x]?.text ?? {} })) },
  };
}

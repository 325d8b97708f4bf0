import type { Plan } from "../parts/chart/plan";
import type { CellRun, CellState } from "./types_notebook";

export interface ReadingBlock {
  kind: "prose" | "cell";
  markdown?: string;
  html?: string; // that was made of it
  cell?: string;
  type?: string;
  title?: string;
  state?: CellState;
  why?: string[];
  caution?: string;
  error?: string;
  text?: string;
  tone?: string;
  figures?: { name: string; value: string }[];
  table?: { head: string[]; rows: string[][] };
  plan?: Plan;
  runs?: CellRun[];
  headline?: string;
  found?: FoundRead[];
}

/** A part of the findings: a heading and the lines below it, in one language. */
export interface FoundRead {
  name: string;
  title: string;
  lines: string[];
}

/** A comment that was sealed with a snapshot. */
export interface ReadingRemark {
  cell: string;
  run?: string; // of the row that it is about
  question?: string;
  by: string;
  at: string;
  resolved?: boolean;
  html: string;
}

export interface Reading {
  name: string;
  lang: "en" | "ja";
  title: string;
  offline: boolean;
  verdict: string;
  blocks: ReadingBlock[];
  comments?: ReadingRemark[];
}

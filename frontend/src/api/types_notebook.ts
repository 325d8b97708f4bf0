import type { Plan } from "../parts/chart/plan";

/** A text in English, Japanese or both. */
export interface Bilingual {
  en?: string;
  ja?: string;
}

export interface NotebookRow {
  name: string;
  title: Bilingual;
  cells: number;
  paid: number;
  stale: number;
  problems: number;
  verdict: string;
  digest: string;
  modified: string;
  last_run?: string;
  running: boolean;
  schedules: number;
}

export interface GalleryEntry {
  id: string;
  title: Bilingual;
  doc: Bilingual;
  cells: number;
  types: string[];
  slots: TemplateSlot[];
  own: boolean;
  problem?: NotebookProblem;
}

/** A typed place of a template. */
export interface TemplateSlot {
  name: string;
  type: "corpus" | "dataset" | "endpoint" | "text" | "integer" | "choice";
  optional?: boolean;
  default?: string;
  choices?: string[];
  doc?: Bilingual;
}

/** What a notebook of a template would make and cost. */
export interface TemplateQuote {
  runs: number;
  answers: number;
  price: { calls: number; micros: number; price_known: boolean; currency: string };
  later: string[];
  problem?: NotebookProblem;
}

export interface NotebookSaved {
  name: string;
  digest: string;
  modified: string;
}

export interface NotebookProblem {
  code: string;
  detail: string;
  hint?: string;
  line?: number;
  cell?: string;
  field?: string;
  params?: Record<string, unknown>;
}

export interface NotebookParam {
  cell: string;
  name: string;
  type: "text" | "number" | "integer" | "boolean" | "date";
  default: unknown;
  value: unknown;
  choices?: string[];
  min?: number;
  max?: number;
  doc?: Bilingual;
}

export interface NotebookSpend {
  calls: number;
  micros: number;
  currency?: string;
}

export interface NotebookPrice {
  calls: number;
  known: number;
  micros: number;
  price_known: boolean;
  currency: string;
  runs: number;
  runs_done: number;
}

export type CellState = "fresh" | "stale" | "blocked" | "queued" | "running" | "partial" | "error" | "pinned" | "unknown";

export interface Reason {
  code: string;
  params?: Record<string, unknown>;
}

export interface CellRun {
  label: string;
  run_id: string;
}

export interface CellDetail {
  name: string;
  type: string;
  line: number;
  lines: number;
  body: string;
  title?: Bilingual;
  refs: string[];
  used_by: string[];
  paid: boolean;
  state: CellState;
  why: string[];
  reasons: Reason[];
  command_line: boolean;
  price?: NotebookPrice;
  spend: NotebookSpend;
  done: number; // answers, while it runs
  total: number;
  runs: CellRun[];
  value?: unknown; // by the type of the cell
  plan?: Plan; // the same, drawn; that of a chart is in its value
  error?: NotebookProblem;
  more?: NotebookProblem[]; // that is wrong with it besides
  paths: string[];
  columns?: { name: string; type: string }[]; // of one that queries can read as a table
}

export interface RunValue {
  run_id: string;
  label: string;
  questions: number;
  low_scores: number;
  coverage: number;
  votes: number;
  scores: Record<string, number>;
  offline: boolean;
}

export interface Counted {
  count: number;
  questions: string[];
}

export interface AnswerValue {
  id: string;
  question: string;
  reference: string;
  answer: string;
  correctness: number | null;
  trust: number | null;
  contexts?: string[];
  scores?: Record<string, number>;
  reasons?: Bilingual[];
}

/** A part of the findings in both languages. */
export interface Found {
  name: string;
  title: Bilingual;
  lines: Bilingual[];
}

/** A value of a table. */
export type Datum = string | number | null;

export interface TabledColumn {
  name: string;
  title: Bilingual;
  type: string;
  digits?: number;
  unit?: string;
  width?: number;
  colour?: string;
  at?: number;
  low?: number;
  high?: number;
}

/** What a repair cell changed of the configuration of a run. */
export interface RepairedValue {
  run_id: string;
  names: string[];
  change: Bilingual;
  reason: Bilingual;
  repairs: number;
  tried?: boolean;
  at_risk: number;
  low_scores: number;
  lines: { param: string; words: Bilingual }[];
}

/** What cells publish, by the types of cells. */
export interface Values {
  table: {
    count: number;
    total: number;
    columns: TabledColumn[];
    rows: Datum[][];
    totals?: Datum[];
    sort: string[];
    filter?: string;
    pivot?: boolean;
    across?: { of: string; rows: string[]; column: string; tops: Datum[] };
    run?: string;
    words?: Record<string, Bilingual>;
  };
  query: {
    count: number;
    truncated: boolean;
    sorted: boolean;
    columns: { name: string; type: string }[];
    rows: (string | number | null)[][];
    no_run?: Bilingual; // why there are no rows
    themes?: Record<string, Bilingual>; // what the ids in its column of themes are called
  };
  dataset: { ref: string; name: string; digest: string; count: number; total: number; size?: Bilingual; limit?: number; filter?: string[] };
  config: { name: string; corpus?: string; endpoint?: string; answers?: string; base: Record<string, unknown>; repaired?: RepairedValue };
  sweep: { count: number; axes: { name: string; values: unknown[] }[] };
  run: { count: number; best?: RunValue; first?: RunValue; runs: RunValue[] };
  compare: {
    baseline: RunValue;
    candidate: RunValue;
    matched: number;
    worse: Counted;
    mixed: Counted;
    needs_check: Counted;
    better: Counted;
    low_before: number;
    low_after: number;
    low_untold?: boolean;
    metrics: Record<string, { baseline: number; candidate: number; diff: number }>;
    sentences: Bilingual;
    headline: Bilingual;
    found?: Found[];
    applied?: { name: string; experiment: string; change: Bilingual };
  };
  failures: {
    run: RunValue;
    count: number;
    questions: number;
    threshold: number;
    answers: AnswerValue[];
    line?: Bilingual;
    by?: { id: string; name: Bilingual }[];
    untold?: boolean;
  };
  cause: {
    run_id: string;
    method: string;
    low_scores: number;
    diagnosed: number;
    counts: { component: string; name: Bilingual; count: number }[];
    change: Bilingual;
    told?: Bilingual;
    repairs: number;
    summary: Bilingual;
    facts?: Bilingual[];
    recommendations?: { number: number; name: string; change: Bilingual; repairs: number }[];
  };
  question: AnswerValue;
  chart: { kind: string; metric: string; unit: string; plan?: Plan };
  gate: { decision: string; found: string; worse: number; reasons: string[]; why?: Bilingual[]; caution?: Bilingual };
  agreement: {
    registered: boolean;
    met: number;
    missed: number;
    count: number;
    threshold: number;
    targets: {
      theme: string;
      metric: string;
      target: number;
      measured: number | null;
      state: string;
      title?: Bilingual;
      owner: string;
      due: string;
    }[];
  };
  report: { run_id: string; baseline: string; headline?: Bilingual; summary?: Bilingual; found?: Found[] };
}

export interface NotebookJob {
  id: string;
  state: "running" | "done" | "stopped" | "failed";
  cells: string[];
  started_at: string;
  ended_at?: string;
  problem?: NotebookProblem;
  spend: NotebookSpend;
}

export interface NotebookBlock {
  kind: string;
  line: number;
  text: string;
  cell?: string;
  html?: Bilingual; // of prose and notes, with the values of cells
}

export interface NotebookDetail {
  name: string;
  title: Bilingual;
  lang: ("en" | "ja")[];
  schedules: { name: string; cron: string }[];
  digest?: string;
  modified?: string;
  text?: string;
  read_only: boolean;
  sealed_at?: string;
  blocks: NotebookBlock[];
  embeds: Record<string, Bilingual>; // what references in prose show
  cells: CellDetail[];
  params: NotebookParam[];
  problems: NotebookProblem[];
  verdict: string;
  offline: boolean;
  job?: NotebookJob;
}

export interface SchemaField {
  name: string;
  type: "text" | "number" | "integer" | "boolean" | "list" | "mapping" | "mode" | "words" | "ref" | "refs";
  required?: boolean;
  default?: unknown;
  choices?: string[];
  named?: Record<string, Bilingual>; // what people call the choices
  of?: string[];
  literal?: string[];
  fields?: SchemaField[];
  min?: number;
  max?: number;
  pick?: "corpus" | "dataset" | "endpoint" | "provider" | "model" | "metric"; // registered names that it takes
  doc: Bilingual;
  display?: boolean;
}

/** A table that queries can read. */
export interface QueryTable {
  name: string;
  columns: { name: string; type: string }[];
}

export interface CellSchema {
  type: string;
  publishes: string;
  paid: boolean;
  open?: boolean;
  doc: Bilingual;
  starter: string;
  fields: SchemaField[];
  outputs: { path: string; unit: string; doc: Bilingual }[];
}

export interface NotebookPlan {
  cells: { name: string; state: CellState; price?: NotebookPrice }[];
  calls: number;
  micros: number;
  price_known: boolean;
  currency: string;
  later: string[]; // priced when what they need has run
}

/** The text in the language, or in the other one. */
export function said(words: Bilingual | undefined, language: string): string {
  return (language === "ja" ? words?.ja || words?.en : words?.en || words?.ja) ?? "";
}

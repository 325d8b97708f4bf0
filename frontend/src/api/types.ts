import type { Plan as Chart } from "../parts/chart/plan";
import type { components } from "./schema";

type Schemas = components["schemas"];

type Known<T> = NonNullable<T> extends readonly unknown[] | Record<string, unknown> ? NonNullable<T> | Extract<T, undefined> : T;

/**
 * A type of the contract as the server really sends it. Go's lists may be null as far as the contract knows, and the server
 * sends empty ones instead.
 */
export type Sent<T> = T extends readonly (infer U)[] ? Sent<Known<U>>[] : T extends object ? { [K in keyof T]: Sent<Known<T[K]>> } : T;

/** One type of the contract by its name, with closer types for some of its fields. */
type Of<N extends keyof Schemas, Closer = unknown> = Omit<Sent<Schemas[N]>, keyof Closer | "$schema"> & Closer;

/** The four words for a question in a comparison. */
export type Label = "worse" | "mixed" | "needs_check" | "no_change" | "better";
export type LabelCount = Record<Label, number>;

export type Me = Of<"Me">;
export type Catalogue = Of<"Catalogue">;
export type Metric = Of<"Spec">;
export type CatalogueMetric = Catalogue["metrics"][number];
export type Ref = Of<"Ref">;
export type Param = Of<"Param">;
export type Totals = Of<"Totals">;
export type Spending = Of<"Spending">;
export type Bubbles = Of<"Bubbles">;

export type GateView = Of<"GateView">;
export type FileText = Sent<Schemas["FileText"]>;
export type FileComparison = Of<"FileComparison", { questions: (Omit<Sent<Schemas["FileChange"]>, "label"> & { label: Label })[] }>;

export type RunRow = Of<"RunRow">;
/** What people write beside runs, how that is changed, and lists that they saved. */
export type NoteChange = Of<"NoteChange">;
export type NotesChanged = Of<"NotesChanged">;
export type TagCount = Of<"TagCount">;
export type RunView = Of<"RunView">;
/** What differs between the runs of a list. */
export type Parameters = Of<"Parameters">;
export type ChildRow = Of<"ChildRow">;
export type RunDetail = Of<"RunDetail", { row: RunRow; bubbles?: Bubbles; spent: Spending; own: Spending; children: ChildRow[] }>;
export type Points = Of<"Points">;
/** The charts of a run, as they are narrowed. */
export interface RunCharts {
  bubbles: Chart;
  bars: { filter: "cause" | "category" | "theme" | "tag"; plan: Chart }[];
}
/** Two runs as bubbles. */
export interface Movements {
  before: Chart;
  after: Chart;
}
export type QuestionRow = Of<"QuestionRow">;

export type Span = Of<"Span">;
export type Question = Of<"Question">;
export type Score = Of<"Score">;
export type Result = Of<"Result">;
export type Mark = Of<"Mark">;
export type ContextDetail = Of<"ContextDetail">;
export type ClaimDetail = Of<"ClaimDetail">;
export type AnswerDetail = Of<"AnswerDetail", { row: QuestionRow; baseline?: AnswerDetail }>;
export type Past = Of<"Past", { run: RunRow }>;

export type MetricChange = Of<"MetricChange">;
export type Note = Of<"Note">;
export type QuestionChange = Of<"QuestionChange", { label: Label }>;
export type ChangeRow = Of<"ChangeRow", { label?: Label; changes: Record<string, QuestionChange> }>;
export type ContextPiece = Of<"ContextPiece">;
export type ChangeDetail = Of<
  "ChangeDetail",
  { row: ChangeRow; changes: QuestionChange[]; before: AnswerDetail | null; after: AnswerDetail | null }
>;
export type ComparisonView = Of<
  "ComparisonView",
  { baseline: RunRow; candidate: RunRow; bubbles: Bubbles[]; charts: Movements; causes?: CauseTable }
>;

/** Runs beside one baseline. */
export type BesideRow = Omit<Of<"BesideRow">, "cells"> & { cells: (Omit<Of<"BesideRow">["cells"][number], "label"> & { label?: Label })[] };
export type BesideView = Of<"BesideView", { baseline: RunRow; runs: (Of<"BesideRun"> & { run: RunRow; labels: LabelCount })[] }>;

export type Diagnosis = Of<"Diagnosis">;
export type CauseReport = Of<"CauseView", { chart?: Chart }>;
export type QuestionReport = Of<"QuestionReport">;
export type CauseTable = Of<"CauseTable">;
export type Plan = Of<"Plan">;
export type DiagnosePlan = Of<"DiagnosePlan">;
export type TrialPlan = Of<"TrialPlan">;
export type VerifyPlan = Of<"VerifyState">;
export type Verification = Of<"Verification">;
export type Job = Of<"Job">;

/** One thing that happened to a run, as the event stream sends it. */
export interface RunEvent {
  run_id: string;
  seq: number;
  kind: string;
  at: string;
  body: Record<string, unknown>;
}

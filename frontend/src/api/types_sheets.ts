import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** What drafting questions from a corpus wrote: the result of its job. */
export interface Drafted {
  questions: number;
  by_category: Record<string, number>;
  notes: string[];
  offline: boolean;
}
/** What was found for a dataset. The five numbers add up to its questions. */
export interface EvidenceFound {
  known: number;
  whole: number;
  part: number;
  none: number;
  unasked: number;
  offline: boolean;
}
/** How an upload of logged answers was read, and what it stored. */
export type ImportedAnswers = Omit<Sent<Schemas["AnswersImported"]>, "$schema">;
/** What an upload of another tool's results stored. */
export type ImportedResults = Omit<Sent<Schemas["ImportedResults"]>, "$schema">;

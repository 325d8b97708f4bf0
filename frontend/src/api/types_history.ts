import type { Bilingual, CellState } from "./types_notebook";

/** A text that a notebook had. */
export interface NotebookVersion {
  number: number;
  digest: string;
  by: string;
  at: string;
  changed_at: string;
  origin: "saved" | "disk" | "restored";
  name?: string;
  params?: string[];
  ran: boolean;
}

/** A cell that was taken out and can be put back. */
export interface RemovedCell {
  id: string;
  cell: string;
  type: string;
  text: string;
  by: string;
  at: string;
}

/** A cell whose result is another one in a later version. */
export interface CellChange {
  cell: string;
  type: string;
  kind: "added" | "removed" | "changed";
  before?: Bilingual;
  after?: Bilingual;
  was?: CellState;
  is?: CellState;
  questions?: { question: string; before: string; after: string }[];
}

export interface NotebookDiff {
  text: string;
  results?: CellChange[];
}

import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** A dataset or corpus in a list: its newest version. */
export type LibraryRow = Sent<Schemas["LibraryRow"]>;
/** A stored version of a dataset or corpus. */
export type Listing = Sent<Schemas["Listing"]>;
/** A question of a dataset in a list. */
export type DatasetQuestion = Omit<Sent<Schemas["DatasetQuestion"]>, "$schema">;
/** The versions of a corpus, and the index of a team that it is searched in. */
export type CorpusVersions = Omit<Sent<Schemas["CorpusVersions"]>, "$schema">;
export type CorpusIndex = Sent<Schemas["CorpusIndex"]>;
/** How an uploaded file of questions was understood. */
export type UploadPreview = Omit<Sent<Schemas["DatasetPreview"]>, "$schema">;
export type ReadReport = Sent<Schemas["ReadReport"]>;
/** A sheet of a workbook: whether it is read, and why. */
export type SheetUse = Sent<Schemas["SheetUse"]>;
export type RowProblem = Sent<Schemas["RowProblem"]>;
/** What an import stored; created is false where it was stored already. */
export type Imported = Sent<Schemas["Imported"]>;
/** A document in a list. */
export type DocumentRow = Sent<Schemas["DocumentRow"]>;
/** A document with the evidence that a dataset marks in it. */
export type DocumentView = Sent<Schemas["DocumentView"]>;
export type EvidenceMark = Sent<Schemas["EvidenceMark"]>;
/** How a document would be cut. */
export type ChunkPreview = Omit<Sent<Schemas["ChunkPreview"]>, "$schema">;

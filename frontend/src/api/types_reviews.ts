import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** How far the reviewers of a run are, and what came of it. */
export type QueueView = Omit<Sent<Schemas["QueueView"]>, "$schema">;
/** An answer that waits for a reviewer, without what the judge says of it. */
export type QueueItem = Sent<Schemas["QueueItem"]>;
export type ReviewerProgress = Sent<Schemas["ReviewerProgress"]>;
/** What waits for a reviewer. */
export type Waiting = Omit<Sent<Schemas["Waiting"]>, "$schema">;
/** What came of one step in a queue. */
export type Turn = Omit<Sent<Schemas["Turn"]>, "$schema">;
/** Where aligning the judge of a run stands. */
export type AlignState = Sent<Schemas["AlignState"]>;

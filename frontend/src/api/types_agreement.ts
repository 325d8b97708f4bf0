import type { components } from "./schema";
import type { RunRow, Sent } from "./types";

type Schemas = components["schemas"];

/** What was agreed about a dataset, in one version. */
export type Agreement = Sent<Schemas["Agreement"]>;
export type Target = Sent<Schemas["Target"]>;
export type AgreementItem = Sent<Schemas["AgreementItem"]>;
export type AgreementRow = Sent<Schemas["AgreementRow"]>;
/** Every version of an agreement, and what the next one may be about. */
export type AgreementView = Omit<Sent<Schemas["AgreementView"]>, "$schema">;
export type TargetProgress = Sent<Schemas["TargetProgress"]>;
export type ItemProgress = Sent<Schemas["ItemProgress"]>;
/** Where a run stands against what was agreed. */
export type Standing = Omit<Sent<Schemas["AgreementStanding"]>, "$schema" | "run"> & { run: RunRow };
/** What people say about the answers of a run, beside its judge. */
export type ReviewsView = Omit<Sent<Schemas["ReviewsView"]>, "$schema">;
export type HumanLabel = Sent<Schemas["HumanLabel"]>;
export type ImportedReviews = Omit<Sent<Schemas["ImportedReviews"]>, "$schema">;
export type ReviewConflict = Sent<Schemas["ReviewConflict"]>;
/** The next version of an agreement, as it is sent. */
export type AgreementBody = Omit<Schemas["AgreementBody"], "$schema">;

import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

export type JudgeCard = Sent<Schemas["JudgeCardView"]>;
export type Protocol = Sent<Schemas["Protocol"]>;
export type Check = Sent<Schemas["Check"]>;
export type ConditionRow = Sent<Schemas["ConditionRow"]>;
export type PayloadRow = Sent<Schemas["PayloadRow"]>;
export type VerdictScore = Sent<Schemas["VerdictScore"]>;
export type DatasetScore = Sent<Schemas["DatasetScore"]>;

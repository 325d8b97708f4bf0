import type { components } from "./schema";
import type { RunRow, Sent } from "./types";

type Schemas = components["schemas"];

export type ExperimentRow = Omit<Sent<Schemas["ExperimentRow"]>, "last_run"> & { last_run?: RunRow };
/** The definition of an experiment. Fields that the form does not know are kept. */
export type Definition = Omit<Sent<Schemas["Definition"]>, "sweep"> & { sweep?: Axis[] };
export type ExperimentDetail = Omit<Sent<Schemas["ExperimentDetail"]>, "$schema" | "runs" | "definition"> & {
  runs: RunRow[];
  definition: Definition;
};
export type Revision = Sent<Schemas["Revision"]>;

/** A value that is possible and probably not meant. */
export type Doubt = Sent<Schemas["Doubt"]>;
/** A swept parameter; its values are texts, numbers or mappings. */
export interface Axis {
  name: string;
  values: unknown[];
  /** An axis before it that this one moves along with. */
  with?: string;
}

/** A provider and one of its models. */
export interface ModelName {
  provider: string;
  model: string;
}

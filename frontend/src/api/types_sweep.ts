import type { Plan } from "../parts/chart/plan";
import type { components } from "./schema";
import type { RunRow, Sent } from "./types";

type Schemas = components["schemas"];

/** One configuration of a sweep. */
export type SweepPoint = Omit<Sent<Schemas["SweepPoint"]>, "run" | "chart"> & { run: RunRow; chart?: Plan };
/** A sweep with everything that its page shows. */
export type SweepView = Omit<Sent<Schemas["SweepView"]>, "sweep" | "runs" | "pareto" | "charts"> & {
  charts: { cost?: Plan; latency?: Plan; effects: { metric: string; plan?: Plan }[] };
  sweep: RunRow;
  runs: SweepPoint[];
  pareto: ParetoPoint[];
};
/** What intervals allow to say of the cells of a heat map. */
export type SweepMap = Sent<Schemas["SweepMap"]>;
/** One cell of it. */
export type MapCell = Sent<Schemas["MapCell"]>;
/** A configuration by quality, cost and latency. */
export type ParetoPoint = Omit<Sent<Schemas["ParetoPoint"]>, "standing"> & { standing: "front" | "tied" | "dominated" };

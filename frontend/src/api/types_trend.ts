import type { Plan } from "../parts/chart/plan";
import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** What is not as it was at the point before. Figures before and after some of them do not measure the same. */
export type TrendChange = "dataset" | "questions" | "judge" | "metrics" | "low_score" | "corpus" | "system" | "limits";
/** A run reduced to what a series shows. */
export type TrendRun = Omit<Sent<Schemas["TrendRun"]>, "metrics" | "low_share"> & {
  metrics: Record<string, TrendValue>;
  low_share: TrendValue;
};
/** A mean with its 95% interval, where there are enough questions for one. */
export type TrendValue = Omit<Sent<Schemas["TrendValue"]>, "ci95"> & { ci95?: number[] };
/** One fire, or one run that no schedule started. */
export type TrendPoint = Omit<Sent<Schemas["TrendPoint"]>, "run" | "changes"> & { run?: TrendRun; changes: TrendChange[] };
/** How an experiment did over time, oldest first. */
export type Trend = Omit<Sent<Schemas["TrendView"]>, "$schema" | "points" | "baselines" | "chart" | "chosen" | "caution"> & {
  caution?: Schemas["Text"];
  chart: Plan;
  chosen: string[];
  points: TrendPoint[];
  baselines: TrendRun[];
};

import type { TFunction } from "i18next";
import { formatSearch } from "../app/url";
import type { Param, Ref, RunRow } from "../api/types";
import type { Words } from "./words";

/** A version of something, as name@version. */
export function refText(ref: Ref | undefined): string {
  return ref?.name ? `${ref.name}@${ref.version}` : "";
}

/** The tools whose scores a run has, as one reads them; a table that shows no tool's marks is called so. */
export function toolsText(t: TFunction, tools: string[] | undefined): string {
  return (tools ?? []).map((tool) => (tool === "table" ? t("results.table") : tool)).join(", ");
}

/** A value of a parameter as people read it. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value !== null && typeof value === "object")
    return Object.values(value)
      .filter((v) => v !== "")
      .join("/");
  return String(value);
}

/** The values of a parameter: one; of a sweep, all that it tries. */
function valuesText(param: Param): string[] {
  return (Array.isArray(param.value) ? param.value : [param.value]).map(valueText);
}

/** The value of a parameter; of a sweep, all that it tries. */
export function paramText(param: Param): string {
  return valuesText(param).join(", ");
}

/** What a sweep set in a run, in one line: in words, or by the ids of the parameters where there is no room for words. */
export function paramsText(params: Param[] | undefined, words?: Pick<Words, "set" | "sets">): string {
  if (words) return words.sets((params ?? []).map((p) => words.set(p.name, valuesText(p))));
  return (params ?? []).map((p) => `${p.name}=${paramText(p)}`).join(" ");
}

/** What to call a run: its experiment and what a sweep set, as paramsText says it. */
export function runTitle(run: RunRow, words?: Pick<Words, "set" | "sets">): string {
  return [run.experiment, paramsText(run.params, words)].filter(Boolean).join(" · ");
}

/** Where a run is looked at. */
export function runPath(run: Pick<RunRow, "run_id" | "kind">): string {
  return run.kind === "sweep" ? `/sweeps/${run.run_id}` : `/runs/${run.run_id}`;
}

/** The corpus of a run; of a sweep over corpora all of them. */
export function corpusText(run: Pick<RunRow, "kind" | "params" | "corpus">): string {
  const axis = run.kind === "sweep" ? run.params?.find((p) => p.name === "corpus") : undefined;
  return axis ? paramText(axis) : refText(run.corpus);
}

/** Whether a run looks into another one: it has no answers and no low scores of its own. */
export const looksInto = (run: Pick<RunRow, "kind">) => run.kind === "diagnose" || run.kind === "questions";

/** How many runs can stand beside a baseline. */
export const mostBeside = 5;

/** Where runs are compared with a baseline: one as a pair, several side by side. */
export function comparePath(baseline: string, ...others: string[]): string {
  if (others.length === 1) return `/compare${formatSearch({ baseline, candidate: others[0] })}`;
  return `/beside${formatSearch({ baseline, run: others.join(",") })}`;
}

/** Whether nothing more will happen to a run. */
export function isOver(state: string): boolean {
  return state === "finished" || state === "cancelled" || state === "failed";
}

/** Millionths of the currency as an amount. */
export const million = 1_000_000;

import type { Param, Ref, RunRow } from "../api/types";

/** A version of something, as name@version. */
export function refText(ref: Ref | undefined): string {
  return ref?.name ? `${ref.name}@${ref.version}` : "";
}

/** What a sweep set in a run, in one line. */
export function paramsText(params: Param[] | undefined): string {
  return (params ?? []).map((p) => `${p.name}=${String(p.value)}`).join(" ");
}

/** What to call a run: its experiment and what a sweep set. */
export function runTitle(run: RunRow): string {
  return [run.experiment, paramsText(run.params)].filter(Boolean).join(" · ");
}

/** Where a run is looked at. */
export function runPath(run: Pick<RunRow, "run_id" | "kind">): string {
  return run.kind === "sweep" ? `/sweeps/${run.run_id}` : `/runs/${run.run_id}`;
}

/** Whether nothing more will happen to a run. */
export function isOver(state: string): boolean {
  return state === "finished" || state === "cancelled" || state === "failed";
}

/** Millionths of the currency as an amount. */
export const million = 1_000_000;

/** The steps of both axes. */
export const steps = [1, 2, 3, 4, 5] as const;

/** The part of the bubble chart that people chose: some columns and some rows; empty means all of them. */
export interface Chosen {
  correctness: number[];
  trust: number[];
}

/** Whether a cell belongs to what is chosen. */
export function isChosen(chosen: Chosen, correctness: number, trust: number): boolean {
  return (
    (chosen.correctness.length === 0 || chosen.correctness.includes(correctness)) &&
    (chosen.trust.length === 0 || chosen.trust.includes(trust))
  );
}

/** A list in an address, such as "1,2". Everything that is no step is dropped. */
export function readSteps(text: string): number[] {
  return text
    .split(",")
    .map(Number)
    .filter((n) => (steps as readonly number[]).includes(n));
}

/** The opposite of readSteps. All steps are the same as none. */
export function writeSteps(list: number[]): string {
  const sorted = steps.filter((s) => list.includes(s));
  return sorted.length === steps.length ? "" : sorted.join(",");
}

/** Whether answers with these scores are low scores. The threshold is agreed data. */
export function isLow(correctness: number, trust: number, threshold: number): boolean {
  return correctness <= threshold || trust <= threshold;
}

/** The step that a score belongs to: means of several votes are rounded. */
export function stepOf(score: number): number {
  return Math.min(5, Math.max(1, Math.round(score)));
}

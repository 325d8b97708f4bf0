import type { ComparisonView } from "../../api/types";
import { type Chosen, type Counts, countAt, isChosen, steps } from "../../parts/bubblegrid";

type Moves = ComparisonView["moved"];

/**
 * Where the answers of some bubbles went, or came from: the table of the other chart with only those answers. What did not
 * move is what is left of a bubble after all moves out of it, as far as the same place still has that many.
 */
export function follow(own: Counts, other: Counts, moves: Moves, chosen: Chosen, forward: boolean): Counts {
  const out: Counts = steps.map(() => steps.map(() => 0));
  const add = (correctness: number, trust: number, n: number) => {
    const row = out[trust - 1];
    if (row) row[correctness - 1] = (row[correctness - 1] ?? 0) + n;
  };
  for (const trust of steps) {
    for (const correctness of steps) {
      if (!isChosen(chosen, correctness, trust)) continue;
      let stayed = countAt(own, correctness, trust);
      for (const move of moves) {
        const [from, to] = forward ? [move.from, move.to] : [move.to, move.from];
        if (from[0] !== correctness || from[1] !== trust) continue;
        const [toCorrectness = 0, toTrust = 0] = to;
        stayed -= move.count;
        add(toCorrectness, toTrust, move.count);
      }
      add(correctness, trust, Math.max(0, Math.min(stayed, countAt(other, correctness, trust))));
    }
  }
  return out;
}

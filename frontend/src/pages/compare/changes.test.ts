import { expect, test } from "vitest";
import { rated } from "./movement";
import { scoresShown } from "./changes";

type Compared = Parameters<typeof scoresShown>[0];

const compared = (measured: string[], decide_by: string[]) =>
  ({ metrics: Object.fromEntries(measured.map((id) => [id, {}])), decide_by }) as unknown as Compared;

test("the scores that decide stand beside each question, and none that nobody has", () => {
  const own = ["correctness", "trust"];
  expect(scoresShown(compared([...own, "hit"], own), "")).toEqual(own);
  expect(scoresShown(compared([...own, "hit"], own), "hit")).toEqual([...own, "hit"]);
  expect(scoresShown(compared([...own, "hit"], own), "trust")).toEqual(own);
  const imported = ["table.helpfulness", "table.toxicity"];
  expect(scoresShown(compared(imported, imported), "")).toEqual(imported);
  expect(scoresShown(compared([...imported, "correctness"], imported), "")).toEqual(["correctness", ...imported]);
});

test("a picture of answers by correctness and trust needs answers that have both", () => {
  const bubbles = (...counts: number[][]) => ({ counts }) as unknown as Parameters<typeof rated>[0];
  expect(rated(bubbles([0, 0], [0, 0]))).toBe(0);
  expect(rated(bubbles([0, 3], [2, 0]))).toBe(5);
  expect(rated({ counts: null } as unknown as Parameters<typeof rated>[0])).toBe(0);
});

import { expect, test } from "vitest";
import { isLowBy } from "./lowlines";

test("a score is low on the side that the run says, and by no other metric", () => {
  const lines = ["ragas.faithfulness<=0.5", "table.a>=b>=0.3"];
  expect([0.4, 0.5, 0.5 + 1e-12, 0.51].map((v) => isLowBy(lines, "ragas.faithfulness", v))).toEqual([true, true, true, false]);
  expect([0.2, 0.3, 0.9].map((v) => isLowBy(lines, "table.a>=b", v))).toEqual([false, true, true]);
  expect(["ragas.faithfulness", "table.a>=b", "correctness", ""].map((id) => isLowBy(lines, id))).toEqual([true, true, false, false]);
});

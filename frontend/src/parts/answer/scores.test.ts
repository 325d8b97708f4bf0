import { expect, it } from "vitest";
import { evidenceFound } from "./scores";

it("reads two counts of the evidence, and nothing else, out of a reason", () => {
  expect(evidenceFound("span_coverage", "0/54")).toEqual(["0", "54"]);
  expect(evidenceFound("fully_covered", "12/54")).toEqual(["12", "54"]);
  for (const [metric, reason] of [
    ["correctness", "3/4"],
    ["span_coverage", "no_evidence"],
    ["span_coverage", "0/54 of it"],
  ] as const)
    expect(evidenceFound(metric, reason)).toBeUndefined();
});

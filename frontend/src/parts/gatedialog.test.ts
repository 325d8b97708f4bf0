import { describe, expect, it } from "vitest";
import { asShare, inPercent, limitsSent } from "./gatedialog";

describe("the allowance in the address of a page", () => {
  it("is the share that people wrote in per cent, whatever they wrote", () => {
    for (let tenths = 0; tenths <= 1000; tenths++) {
      const percent = String(tenths / 10);
      expect(Number(asShare(percent))).toBeCloseTo(tenths / 1000, 12);
      expect(inPercent(asShare(percent))).toBe(percent);
    }
    expect(asShare("7")).toBe("0.07");
    expect(asShare(" ") + inPercent("")).toBe("");
    expect(asShare("a few")).toBe("NaN"); // the server refuses it by name
  });
});

it("sends the limits of a page as a request has them, and nothing that nobody wrote", () => {
  expect(limitsSent({ min: "", margin: "", allowance: "" })).toEqual({ min: [], margin: "" });
  expect(limitsSent({ min: "correctness >= 4, trust >= 4.5", margin: "0.1", allowance: "0.05" })).toEqual({
    min: ["correctness >= 4", "trust >= 4.5"],
    margin: "0.1",
    allowance: 0.05,
  });
});

import { expect, test } from "vitest";
import { standingOf } from "./standing";

test("only what was tested is shown as tested, whatever the method", () => {
  for (const stands of ["tested", "probable", "searched", "observed", "unknown"])
    expect(standingOf({ method: "tested", stands })).toEqual({
      vocabulary: "cause_standing",
      code: stands,
      tone: stands === "tested" ? "accent" : "neutral",
    });
  expect(standingOf({ method: "observed" })).toEqual({ vocabulary: "cause_method", code: "observed", tone: "neutral" });
});

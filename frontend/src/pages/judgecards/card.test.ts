import { describe, expect, it } from "vitest";
import type { Check, JudgeCard } from "../../api/types_judges";
import { inBand, lightOf, lostText, protocolsOf, reach, reached, reasonsOf, unmeasured } from "./card";

const check = (id: string, light: string, value = 0.5, at_most = false): Check => ({
  id,
  light,
  value,
  n: 10,
  goal: 0.9,
  floor: 0.5,
  at_most,
});
const protocol = (id: string, light: string, checks: Check[]) => ({
  id,
  light,
  checks,
  items: 10,
  lost: 0,
  measured_at: "2026-11-20T15:00:00Z",
});

const card = {
  judge: "offline/lexical",
  protocols: {
    J7: protocol("J7", "GREEN", [check("injection", "GREEN", 0, true)]),
    J1: protocol("J1", "AMBER", [check("ideal", "AMBER"), check("auroc", "GREEN", 1)]),
    J6: protocol("J6", "RED", [check("style", "RED", 1.4, true)]),
    J4: protocol("J4", "UNMEASURED", []),
  },
} as unknown as JudgeCard;

describe("a judge card", () => {
  it("has its protocols in order, whatever the order of the answer", () => {
    expect(protocolsOf(card).map((p) => p.id)).toEqual(["J1", "J4", "J6", "J7"]);
  });

  it("says what is red before what is amber, and nothing of what is green", () => {
    expect(reasonsOf(card).map((r) => `${r.protocol} ${r.check.id}`)).toEqual(["J6 style", "J1 ideal"]);
  });

  it("names what was not measured", () => {
    expect(unmeasured(card)).toEqual(["J2", "J4"]);
    expect(lightOf("PURPLE")).toBe("UNMEASURED");
  });

  it("draws shifts that exceed a share on a longer scale", () => {
    expect(reach(check("style", "RED", 1.4, true))).toBe(1.4);
    expect(reach(check("ideal", "AMBER"))).toBe(1);
  });

  it("knows a band by its ends", () => {
    expect([5, 4, 3, 2, 1].map((l) => inBand([2, 4], l))).toEqual([false, true, true, true, false]);
  });

  it("respects the direction of a goal", () => {
    expect(reached(check("x", "", 0.9))).toBe(true);
    expect(reached(check("x", "", 0.95, true))).toBe(false);
    expect(reached(check("x", "", 0.9, true))).toBe(true);
  });
});

it("says why items were left out, in words of the page", () => {
  const said: Record<string, string> = { ideal: "理想的 → 4〜5", "not scored": "採点できない", high: "誤答が2を超える" };
  const words = { word: (_: string, code: string) => said[code] ?? code.replaceAll("_", " "), metric: () => "信頼性" };
  expect(lostText("ideal: not scored", words, true)).toBe("理想的：採点できない");
  expect(lostText("trust of high", words, true)).toBe("信頼性：誤答が2を超える");
  expect(lostText("not scored", words, true)).toBe("採点できない");
});

import { describe, expect, it } from "vitest";
import type { Plan, Points, VerifyPlan } from "../api/types";
import { type Filters, passes, serverFilters } from "../pages/run/filters";
import { held } from "../parts/answer/evidence";
import { priceOf } from "../parts/buydialog";

const none: Filters = { c: "", t: "", cause: "", category: "", theme: "", tag: "", low: "", state: "", q: "" };

const points: Points = {
  run_id: "r",
  line: { code: "", en: "correctness or trust of 2 or less", ja: "正確性または信頼性が2以下" },
  rated: 2,
  threshold: 2,
  ids: ["a", "b", "c", "d"],
  correctness: [1, 5, 2, null],
  trust: [5, 5, 1, null],
  low: [true, false, true, false],
  state: ["scored", "scored", "scored", "error"],
  category: ["", "", "", ""],
  theme: ["fares", "fares", "pets", "pets"],
  theme_names: { fares: { code: "fares", en: "Fares", ja: "運賃" } },
  cause: ["retriever", "", "database", ""],
  tags: { "hops:single": [0, 1], "hops:multi": [2], "theme:fares": [0, 1], loose: [3] },
};
const kept = (f: Partial<Filters>) => points.ids.filter((_, i) => passes(points, { ...none, ...f })(i));

describe("filters of a run", () => {
  it("narrow by every column at once", () => {
    expect(kept({ theme: "fares" })).toEqual(["a", "b"]);
    expect(kept({ theme: "fares", low: "true" })).toEqual(["a"]);
    expect(kept({ c: "1,2", t: "1" })).toEqual(["c"]);
    expect(kept({ tag: "hops:multi" })).toEqual(["c"]);
  });
  it("leave a question without scores out of chosen bubbles, and in without them", () => {
    expect(kept({ c: "1,2,3,4" })).toEqual(["a", "c"]);
    expect(kept({})).toEqual(["a", "b", "c", "d"]);
  });
  it("are named for the server", () => {
    expect(serverFilters({ ...none, c: "1,2", q: "x" })).toMatchObject({ correctness: "1,2", trust: "", q: "x" });
  });
});

describe("evidence in contexts", () => {
  const evidence = { doc_id: "d", start: 10, end: 20 };
  it("counts characters once, however many contexts hold them", () => {
    expect(
      held(evidence, [
        { doc_id: "d", start: 0, end: 15 },
        { doc_id: "d", start: 12, end: 17 },
      ]),
    ).toBeCloseTo(0.7);
  });
  it("is nothing in other documents", () => {
    expect(held(evidence, [{ doc_id: "e", start: 0, end: 99 }])).toBe(0);
  });
});

describe("the price of work", () => {
  it("is none where nothing is bought", () => {
    const plan: Plan = {
      runs: 1,
      questions: 9,
      stages: [],
      buy: 0,
      expected_buy: 0,
      price_micros: 0,
      expected_micros: 0,
      price_known: true,
      currency: "USD",
    };
    expect(priceOf(plan)).toBeNull();
    expect(priceOf({ ...plan, buy: 9, expected_buy: 3, price_micros: 9_000_000, expected_micros: 1_500_000 })).toMatchObject({
      calls: 3,
      most: 9,
      micros: 1_500_000,
      known: true,
    });
  });
  it("of more votes is that of the next step", () => {
    const plan = { price: { votes: 4, calls: 12, micros: 7, price_known: false, currency: "USD" } } as VerifyPlan;
    expect(priceOf(plan)).toMatchObject({ calls: 12, known: false });
  });
});

import { describe, expect, it } from "vitest";
import type { RunDetail, RunRow } from "../../api/types";
import { workKey } from "../../api/client";
import {
  combinationCount,
  copyName,
  differences,
  emptyDefinition,
  fieldOf,
  frozenBy,
  readCondition,
  readValues,
  tidy,
  lowOf,
  topRuns,
  withField,
  writeCondition,
  writeValues,
} from "./form";

describe("the values of an axis", () => {
  it("reads numbers and words, with commas of either language", () => {
    expect(readValues("400, 800、1000")).toEqual([400, 800, 1000]);
    expect(readValues(" dense,bm25 , 0.5,")).toEqual(["dense", "bm25", 0.5]);
    expect(readValues("gpt-4.1, 1e3, v2")).toEqual(["gpt-4.1", "1e3", "v2"]);
    expect(readValues("")).toEqual([]);
  });

  it("gives back what it was given", () => {
    for (const values of [
      [400, 800],
      ["dense", "bm25"],
      [{ mode: "llm", provider: "x" }, "none"],
      ["a, b", "c"],
      ["line\nline"],
      ["8", "9"],
      [[], ["truncate"]],
    ]) {
      expect(readValues(writeValues(values))).toEqual(values);
    }
  });

  it("reads which combinations are left out, and writes them back", () => {
    const condition = { "chunk.size": 1200, "retrieve.k": [5, 10], "retrieve.mode": "dense" };
    expect(readCondition("chunk.size = 1200; retrieve.k=5, 10 ；retrieve.mode ＝ dense")).toEqual(condition);
    expect(readCondition(writeCondition(condition))).toEqual(condition);
    expect(readCondition("chunk.size; = 3;")).toEqual({});
    expect(tidy({ ...emptyDefinition(), except: [{}, condition] }).except).toEqual([condition]);
    expect(tidy({ ...emptyDefinition(), except: [{}] }).except).toBeUndefined();
  });

  it("counts configurations", () => {
    expect(
      combinationCount([
        { name: "a", values: [1, 2, 3] },
        { name: "b", values: [1, 2] },
      ]),
    ).toBe(6);
    expect(combinationCount([])).toBe(1);
  });
});

describe("the form", () => {
  it("sets a field without touching the rest", () => {
    const before = emptyDefinition();
    const after = withField(before, "base.chunk.size", 400);
    expect(after.base.chunk).toEqual({ ...before.base.chunk, size: 400 });
    expect(before.base.chunk.size).toBe(1000);
    expect(after.base.retrieve).toBe(before.base.retrieve);
  });

  it("sends no half-typed words", () => {
    const sent = tidy({ ...emptyDefinition(), suite: ["standard", ""], tags: [" faq ", " "] });
    expect([sent.suite, sent.tags, sent.base.post_process]).toEqual([["standard"], ["faq"], []]);
  });

  it("names copies as nobody else", () => {
    expect(copyName("faq", new Set(["faq"]))).toBe("faq-copy");
    expect(copyName("faq-copy", new Set(["faq", "faq-copy", "faq-copy-2"]))).toBe("faq-copy-3");
  });

  it("finds the field that a problem names", () => {
    expect(fieldOf("base.retrieve.k")).toBe("base.retrieve.k");
    expect(fieldOf("retrieve.k")).toBe("base.retrieve.k");
    expect(fieldOf("definition.name")).toBe("name");
    expect(fieldOf("sweep.chunk.size")).toBe("sweep.chunk.size");
  });

  it("has another key for every piece of work", () => {
    expect(workKey()).toMatch(/^[0-9a-f]{32}$/);
    expect(workKey()).not.toBe(workKey());
  });
});

describe("revisions", () => {
  it("differ by field, and by axis", () => {
    const before = {
      ...emptyDefinition(),
      sweep: [
        { name: "retrieve.k", values: [3, 4] },
        { name: "chunk.size", values: [400] },
      ],
    };
    const after = { ...withField(before, "base.retrieve.k", 5), tags: ["new"], sweep: [{ name: "retrieve.k", values: [3, 4, 5] }] };
    expect(differences(before, after)).toEqual([
      { field: "base.retrieve.k", before: "3", after: "5" },
      { field: "sweep.chunk.size", before: "400", after: undefined },
      { field: "sweep.retrieve.k", before: "3, 4", after: "3, 4, 5" },
      { field: "tags", before: undefined, after: "new" },
    ]);
  });

  it("are told apart by what a sweep varied, not by the configuration that happened to run last", () => {
    const ran = (size: number, k: number): RunDetail => {
      const setup = {
        config: withField(withField(emptyDefinition(), "base.chunk.size", size), "base.retrieve.k", k).base,
        corpus: { name: "c", version: 1 },
        dataset: { name: "d", version: 1 },
        judge: {},
        low_score: 2,
        suite: [{ id: "trust" }],
      };
      return { run: { run_id: "r", setup } } as unknown as RunDetail;
    };
    const sizes = (...value: number[]) => [{ name: "chunk.size", value }];
    expect(differences(frozenBy(ran(400, 3), sizes(400, 800)), frozenBy(ran(800, 3), sizes(400, 800)))).toEqual([]);
    expect(differences(frozenBy(ran(400, 3), sizes(400, 800)), frozenBy(ran(800, 5), sizes(800)))).toEqual([
      { field: "base.retrieve.k", before: "3", after: "5" },
      { field: "sweep.chunk.size", before: "400, 800", after: "800" },
    ]);
  });

  it("do not differ where one says nothing and the other an empty list", () => {
    expect(differences({ tags: [], notes: "" }, { tags: null })).toEqual([]);
  });
});

it("says low scores of answers that have a score which can be low, and none of others", () => {
  const totals = (scores: object) => ({ scores, low_score_count: 0, questions: 30 }) as unknown as NonNullable<RunRow["totals"]>;
  expect(lowOf(totals({ "ragas.faithfulness": { mean: 0.1, n: 30 } }))).toBeUndefined();
  expect(lowOf(totals({ correctness: { mean: 5, n: 29 } }))).toEqual({ low: 0, of: 29 });
  expect(lowOf(totals({ trust: { mean: 5, n: 30 } }))).toEqual({ low: 0, of: 30 });
});

it("shows a sweep once, with its best configuration", () => {
  const run = (run_id: string, more: object) => ({ run_id, kind: "evaluate", ...more }) as unknown as RunRow;
  const low = (low_score_count: number) => ({ totals: { low_score_count } });
  const runs = [
    run("a", { sweep_id: "s", ...low(9) }),
    run("b", { sweep_id: "s", ...low(3) }),
    run("c", { sweep_id: "s" }),
    run("s", { kind: "sweep" }),
    run("d", { sweep_id: "elsewhere", ...low(1) }),
    run("e", low(5)),
  ];
  expect(topRuns(runs).map((r) => [r.run.run_id, r.best?.run_id])).toEqual([
    ["s", "b"],
    ["d", undefined],
    ["e", undefined],
  ]);
});

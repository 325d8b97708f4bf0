import { expect, it } from "vitest";
import type { CellDetail } from "../../api/types_notebook";
import { chartGuess, columnsOf, scoresOf, withGuess } from "./charting";
import type { Known } from "./completion";
import { statements } from "./statement";

const cell = (name: string, type: string, rest: object = {}) => ({ name, type, runs: [], paths: [], ...rest }) as unknown as CellDetail;
const typed = (...columns: string[]) => columns.map((c) => ({ name: c.split(":")[0] ?? "", type: c.split(":")[1] ?? "TEXT" }));

const known = {
  cells: [
    cell("grid", "sweep", { columns: typed("config:INTEGER", "retrieve.k:ANY", "chunk.parent.size:ANY") }),
    cell("r", "run", { columns: typed("run", "k:INTEGER"), value: { runs: [{ scores: { correctness: 3, trust: 4, "own.metric": 1 } }] } }),
    cell("by_theme", "query", {
      columns: typed("theme:ANY", "k:ANY"),
      value: { columns: typed("theme:text", "k:integer", "correctness:number", "n:integer") },
    }),
    cell("one", "query", { value: { columns: typed("theme:text", "n:integer") } }),
    cell("two", "query", { value: { columns: typed("x:number", "y:number") } }),
    cell("new", "query", { columns: typed("a:ANY", "b:ANY") }),
    cell("c1", "compare", { columns: typed("question", "verdict") }),
  ],
} as unknown as Known;

it("knows the columns of a table, of a query by what came of it", () => {
  expect(columnsOf(known, "by_theme").map((c) => c.kind)).toEqual(["text", "integer", "number", "integer"]);
  expect(columnsOf(known, "new").map((c) => c.name)).toEqual(["a", "b"]);
  expect(columnsOf(known, "nothing")).toEqual([]);
});

it("begins a chart with a mark and columns that fit the table", () => {
  expect(chartGuess(known, "by_theme")).toEqual({ mark: "heat", x: "k", y: "theme", colour: "correctness" });
  expect(chartGuess(known, "one")).toEqual({ mark: "bar", x: "theme", y: "n" });
  expect(chartGuess(known, "two")).toEqual({ mark: "hist", x: "x" });
  expect(chartGuess(known, "c1")).toEqual({ mark: "bar", x: "verdict" });
  expect(chartGuess(known, "nothing")).toEqual({});
  expect(withGuess("of: one\n", chartGuess(known, "one"))).toBe("of: one\nmark: bar\nx: theme\ny: n\n");
});

it("draws the scores of a run cell question by question, by the settings that are varied", () => {
  const { query, chart } = scoresOf(known, "r");
  expect(query).toContain("of: r\n");
  expect(query).toContain("SELECT q.theme, q.type, s.question, r.config, r.k, s.low, s.correctness, s.trust\n");
  expect(query).not.toContain("own.metric");
  expect(chart).toEqual({ mark: "heat", x: "k", y: "theme", colour: "correctness" });
});

it("has examples of statements over the settings that are varied", () => {
  expect(statements(known).heat).toMatch(/^SELECT q\.theme, r\.k, avg\(s\.value\) AS correctness/);
});

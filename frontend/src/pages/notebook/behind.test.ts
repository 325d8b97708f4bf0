import { expect, it } from "vitest";
import type { Values } from "../../api/types_notebook";
import { behind, withQuery } from "./behind";
import { blocksOf } from "./text";

const table: Values["table"] = {
  count: 2,
  total: 2,
  columns: [],
  rows: [],
  sort: [],
  pivot: true,
  filter: "verdict = 'worse'",
  across: { of: "c1", rows: ["theme", "lang of it"], column: "k", tops: [3, "four"] },
};

it("names the rows behind a value by what stands at its left and above", () => {
  const row = ["traveller's", null, 4, 2, 6];
  expect(behind(table, row, 0)).toBeNull();
  expect(behind(table, row, 2)).toBe(
    `SELECT * FROM c1 WHERE theme = 'traveller''s' AND "lang of it" IS NULL AND k = 3 AND (verdict = 'worse')`,
  );
  expect(behind(table, row, 3)).toContain("AND k = 'four' AND");
  expect(behind({ ...table, filter: "" }, row, 4)).toBe(`SELECT * FROM c1 WHERE theme = 'traveller''s' AND "lang of it" IS NULL`);
  expect(behind(table, ["a", "b", null, 2], 2)).toBeNull();
  expect(behind({ ...table, across: undefined as never }, row, 2)).toBeNull();
});

it("writes them as a query below the table, under a free name", () => {
  const source = "```rag table t\nof: c1\n```\n\nProse.\n";
  const once = withQuery(source, 0, "SELECT 1");
  const twice = withQuery(once.source, 0, "SELECT 2");
  expect(blocksOf(once.source)[once.at]?.cell).toMatchObject({ type: "query", name: "rows_of_t", body: "sql: |\n  SELECT 1\n" });
  expect(blocksOf(twice.source).flatMap((b) => b.cell?.name ?? [])).toEqual(["t", "rows_of_t2", "rows_of_t"]);
  expect(twice.source.endsWith("Prose.\n")).toBe(true);
});

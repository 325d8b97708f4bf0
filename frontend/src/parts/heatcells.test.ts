import { expect, it } from "vitest";
import { heatCells, heatOf, lowShare } from "./heatcells";
import { freeName } from "./sendtonotebook";

it("reads the mean of a score by theme and a setting of runs that are stored", () => {
  const title = { en: 'Mean "Correctness" by theme' };
  const chart = heatCells({ metric: "correctness", rows: "theme", setting: "retrieve.k" }, "run:abc", [], title);
  const query = chart.first?.[0];
  expect([query?.type, query?.name, chart.type, chart.name]).toEqual(["query", "theme_by_k", "chart", "theme_by_k_map"]);
  expect(typeof query?.body === "function" && query.body({})).toBe(
    "of: run:abc\nsql: |\n  SELECT q.theme, r.k, avg(s.value) AS correctness, count(s.value) AS n\n" +
      "  FROM scores s JOIN runs r USING (run) JOIN questions q USING (dataset, question)\n" +
      "  WHERE s.metric = 'correctness'\n  GROUP BY 1, 2 ORDER BY 1, 2\n",
  );
  expect(typeof chart.body === "function" && chart.body({ query: "theme_by_k" })).toBe(
    "of: theme_by_k\nmark: heat\nx: k\ny: theme\ncolour: correctness\n" + 'title: {en: "Mean \\"Correctness\\" by theme"}\n',
  );
});

it("looks a setting up by its name where the table of runs has no column for it, and counts low scores by the results", () => {
  const other = heatOf({ metric: "trust", rows: "type", setting: "chunk.parent.size" });
  expect(other.x).toBe("chunk_parent_size");
  expect(other.sql).toContain("coalesce(a.text, a.number) AS chunk_parent_size");
  expect(other.sql).toContain("JOIN settings a ON a.run = r.run AND a.name = 'chunk.parent.size'");
  const low = heatOf({ metric: lowShare, rows: "theme", setting: "chunk.size" });
  expect(low.value).toBe(lowShare);
  expect(low.sql).toContain("avg(s.low) AS low_score_share");
  expect(low.sql).toContain("FROM results s");
  expect(low.sql).not.toContain("WHERE");
});

it("calls a new notebook as it was wished where that is free", () => {
  expect(freeName("study", [])).toBe("study");
  expect(freeName("study", [{ name: "study" }, { name: "study-2" }])).toBe("study-3");
});

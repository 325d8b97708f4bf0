import { expect, it } from "vitest";
import type { Definition } from "../api/types_experiments";
import { comparisonCells, experimentCells, type SentCell, trendCells } from "./sentcells";

/** What a notebook would get, each cell named after its type. */
function sent(cell: SentCell, names: Record<string, string> = {}): [string, string][] {
  const before = (cell.first ?? []).flatMap((c) => sent(c, names));
  names[cell.type] = `${cell.type}9`;
  return [...before, [cell.type, typeof cell.body === "string" ? cell.body : cell.body(names)]];
}

it("writes a trend as a query over the newest runs and the line chart of it", () => {
  const [chart] = trendCells(
    Array.from({ length: 30 }, (_, i) => `r${i}`),
    ["correctness", "trust"],
  );
  const cells = sent(chart as SentCell);
  expect(cells.map(([type]) => type)).toEqual(["query", "chart"]);
  expect(cells[0]?.[1]).toContain("of: [run:r6, ");
  expect(cells[0]?.[1]).toContain("run:r29]");
  expect(cells[0]?.[1]).toContain("IN ('correctness', 'trust')");
  expect(cells[1]?.[1]).toContain("of: query9\n");
});

it("sends a comparison with every limit of its page, or by the usual ones", () => {
  const cells = (min: string, margin: string, allowance: string) =>
    comparisonCells("a", "b", { min, margin, allowance }).map((cell) => sent(cell));
  expect(cells("", "auto", "")).toEqual([
    [["compare", "baseline: run:a\ncandidate: run:b\n"]],
    [["report", "of: run:b\nbaseline: run:a\n"]],
  ]);
  for (const min of ["", "correctness >= 4, trust >= 4.5"])
    for (const margin of ["", "auto", "0.1"])
      for (const allowance of ["", "0.05"]) {
        const own = [min ? "min: [" : "", margin === "0.1" ? "margin: 0.1\n" : "", allowance ? "allowance: 0.05\n" : ""].filter(Boolean);
        for (const all of cells(min, margin, allowance)) {
          const [type, body] = all[all.length - 1] ?? ["", ""];
          if (own.length > 0) expect(["gate", "report"]).toContain(type);
          for (const line of own) expect(body).toContain(line);
          if (min) expect(body).toMatch(/correctness >= 4[^.][\s\S]*trust >= 4\.5/);
        }
      }
});

it("writes an experiment as its corpus, dataset, configuration, sweep and run, without what says nothing", () => {
  const d = {
    name: "faq",
    corpus: "manual",
    dataset: "faq@2",
    suite: ["standard"],
    low_score: 2,
    judge: { provider: "offline", model: "lexical", explain_lang: "" },
    base: { chunk: { by: "chars", size: 800 }, post_process: null, generate: { prompt: "yes\nno", model: "" }, rewrite: { mode: "none" } },
    sweep: [
      { name: "retrieve.k", values: [3, 4] },
      { name: "chunk.size", values: [400, 800] },
      { name: "chunk.overlap", values: [40, "12%"], with: "chunk.size" },
    ],
  } as unknown as Definition;
  expect(sent(experimentCells(d)[0] as SentCell)).toEqual([
    ["corpus", "source: manual\n"],
    ["dataset", "source: faq@2\n"],
    [
      "config",
      'corpus: corpus9\nchunk: {by: chars, size: 800}\ngenerate: {prompt: "yes\\nno"}\nrewrite: {mode: "none"}\n'.replace('"none"', "none"),
    ],
    ["sweep", 'base: config9\naxes: {retrieve.k: [3, 4]}\npairs: [{chunk.size: [400, 800], chunk.overlap: [40, "12%"]}]\n'],
    ["run", "configs: [sweep9]\ndataset: dataset9\nmetrics: [standard]\njudge: {provider: offline, model: lexical}\nlow_score: 2\n"],
  ]);
});

it("writes an experiment of an endpoint without a configuration of its own", () => {
  const d = { corpus: "", dataset: "faq", endpoint: "prod", judge: { provider: "offline" }, base: { chunk: { size: 1 } }, suite: null };
  const cells = sent(experimentCells(d as unknown as Definition)[0] as SentCell);
  expect(cells.find(([type]) => type === "config")?.[1]).toBe("endpoint: prod\n");
});

import type { RunRow } from "../api/types";
import { expect, it } from "vitest";
import { corpusText, looksInto, paramsText, runTitle } from "./runwords";
import { wordsOf } from "./words";

it("names every corpus of a sweep over corpora", () => {
  const corpus = { name: "airline", version: 1, digest: "" };
  expect(corpusText({ kind: "evaluate", corpus, params: [{ name: "corpus", value: "small" }] })).toBe("airline@1");
  expect(corpusText({ kind: "sweep", corpus, params: [{ name: "retrieve.k", value: [3, 4] }] })).toBe("airline@1");
  const all = corpusText({ kind: "sweep", corpus, params: [{ name: "corpus", value: ["airline", "small", "stale"] }] });
  expect(["airline", "small", "stale"].every((name) => all.includes(name))).toBe(true);
});

it("tells analyses of runs from runs", () => {
  expect(["evaluate", "sweep", "diagnose", "questions", "validate"].filter((kind) => looksInto({ kind }))).toEqual([
    "diagnose",
    "questions",
  ]);
});

it("says what a sweep set in words, and by ids where there is no room", () => {
  const names = {
    param: [
      { code: "chunk.size", en: "chunk size", ja: "チャンクサイズ" },
      { code: "rerank", en: "reranking", ja: "リランク" },
    ],
    rerank: [{ code: "none", en: "none", ja: "なし" }],
  };
  const catalogue = { metrics: [], suites: [], chunk_units: [], names } as unknown as Parameters<typeof wordsOf>[0];
  const params = [
    { name: "chunk.size", value: [400, 800] },
    { name: "rerank", value: { mode: "none", provider: "" } },
    { name: "embedding", value: { provider: "p", model: "m" } },
  ];
  expect(paramsText(params, wordsOf(catalogue, false))).toBe("chunk size: 400, 800, reranking: none, embedding: p/m");
  expect(paramsText(params, wordsOf(catalogue, true))).toBe("チャンクサイズ：400、800、リランク：なし、embedding：p/m");
  expect(paramsText(params)).toBe("chunk.size=400, 800 rerank=none embedding=p/m");
  expect(runTitle({ experiment: "faq", params: [] } as unknown as RunRow, wordsOf(catalogue, true))).toBe("faq");
});

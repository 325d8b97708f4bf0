import { expect, it } from "vitest";
import { corpusText, looksInto } from "./runwords";

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

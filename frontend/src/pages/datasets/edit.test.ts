import { expect, it } from "vitest";
import type { DatasetQuestion } from "../../api/types_library";
import { changesOf, corpusFor, editOf } from "./edit";

const q: DatasetQuestion = { question_id: "1", question: "いつ？", lang: "ja", answerable: true, row: 1, tags: ["draft", "theme:baggage"] };

it("sends only what was changed", () => {
  expect(changesOf(q, editOf(q))).toEqual({});
  expect(changesOf(q, { ...editOf(q), reference: "明日" })).toEqual({ reference: "明日" });
  expect(changesOf(q, { ...editOf(q), tags: "theme:baggage、hard", critical: true })).toEqual({
    tags: ["theme:baggage", "hard"],
    critical: true,
  });
});

it("can take everything away", () => {
  const full: DatasetQuestion = { ...q, reference: "明日", critical: true };
  expect(changesOf(full, { ...editOf(full), reference: "", tags: "", critical: false, answerable: false })).toEqual({
    reference: "",
    tags: [],
    critical: false,
    answerable: false,
  });
});

it("links evidence only where the corpus is plain", () => {
  expect(corpusFor("faq", ["manual", "faq"])).toBe("faq");
  expect(corpusFor("faq", ["manual"])).toBe("manual");
  expect(corpusFor("faq", ["manual", "other"])).toBe("");
});

import { expect, it } from "vitest";
import { corpusOf } from "./slots";

it("offers the corpus that belongs to a dataset before the newest, which may be in another language", () => {
  const corpora = ["airline-ja-stale", "airline-ja", "airline-en"];
  const asked = [
    { dataset: "airline-ja-40", corpus: "airline-ja" },
    { dataset: "airline-en-40@1", corpus: "airline-en@1" },
    { dataset: "lost", corpus: "gone" },
  ];
  expect(corpusOf("airline-en", corpora, [])).toBe("airline-en");
  expect(corpusOf("airline-en-40", corpora, asked)).toBe("airline-en");
  expect(corpusOf("airline-ja-40", corpora, asked)).toBe("airline-ja");
  expect(corpusOf("lost", corpora, asked)).toBe("airline-ja-stale");
  expect(corpusOf("new", [], asked)).toBeUndefined();
});

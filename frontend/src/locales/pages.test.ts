import { expect, test } from "vitest";
import en from "./en.json";
import ja from "./ja.json";

test("what to do about scores and sign-in is done on a page, and named as the page names it", () => {
  for (const words of [en, ja]) {
    const hint = words.problem.results_long_form.hint;
    expect(hint).toContain(words.scores.open);
    for (const said of [hint, words.scores.more_other, words.people.localMeaning]) expect(said).not.toMatch(/workbench [a-z]|--[a-z]/);
  }
});

test("a file whose encoding nobody knows leads to the field where it is chosen", () => {
  expect(en.problem.text_encoding_unknown.hint.toLowerCase()).toContain(en.results.encoding.toLowerCase());
  expect(ja.problem.text_encoding_unknown.hint).toContain(ja.results.encoding);
});

import { expect, it } from "vitest";
import { warningsBeside } from "./warnings";

const warning = (code: string, params = {}) => ({ code, params, message: code, message_ja: code });

it("tells once how many questions were counted by a grade alone", () => {
  const other = warning("warn.judge_language");
  const shown = (n: number, votes: number) =>
    warningsBeside({ warnings: [other, warning("warn.by_grade_alone", { n, votes })] }).map((w) => w.code);
  expect(shown(15, 2)).toEqual([other.code]);
  expect(shown(15, 0)).toEqual([other.code]);
  expect(shown(15, 15)).toEqual([other.code, "warn.by_grade_alone"]); // no sentence tells where votes decide all
});

import { expect, it } from "vitest";
import type { ChangeRow } from "../../api/types";
import { remarkOf } from "./changes";

it("says the votes in a row of the list, where its badges would cut them, and not twice in the panel", () => {
  const row = {
    verdict: { transition: true, kinds: ["right", "wrong"] },
    votes: { en: "means of 3 and 3 votes", ja: "" },
  } as unknown as ChangeRow;
  const word = (kind: string) => kind;
  expect(remarkOf(row, "en", word, true)).toBe("right → wrong · means of 3 and 3 votes");
  expect(remarkOf(row, "en", word, false)).toBe("right → wrong");
});

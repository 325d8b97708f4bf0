import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { ChangeRow } from "../../api/types";
import { Remark } from "./changes";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "en" } }) }));
vi.mock("../../parts/words", () => ({ useWords: () => ({ word: (_: string, kind: string) => kind }) }));

it("says the votes in a row of the list, where its badges would cut them, and not twice in the panel", () => {
  const row = {
    verdict: { transition: true, kinds: ["right", "wrong"] },
    votes: { en: "means of 3 and 3 votes", ja: "" },
  } as unknown as ChangeRow;
  expect(renderToStaticMarkup(<Remark row={row} votes />)).toContain(">right → wrong · means of 3 and 3 votes<");
  expect(renderToStaticMarkup(<Remark row={row} />)).not.toContain("votes");
});

import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { Problems } from "./preview";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "ja" } }) }));

describe("what is said of a file that can be stored", () => {
  it("is that nothing is wrong only where nothing was noted", () => {
    expect(renderToStaticMarkup(<Problems problems={[]} notes={[]} hint="" />)).toContain("datasets.noProblems");
  });
  it("is what was noted where something was", () => {
    const notes = [{ en: "no right answer for 1 of 1 question", ja: "1件に正解がない" }];
    const page = renderToStaticMarkup(<Problems problems={[]} notes={notes} hint="" />);
    expect(page).toContain("1件に正解がない");
    expect(page).not.toContain("datasets.noProblems");
  });
});

import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, describe, expect, it, vi } from "vitest";

// Test files share modules, and another one may have loaded these with languages of its own: they are loaded anew.
let language = "en";
vi.resetModules();
vi.doMock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language } }) }));
const { GateCaution } = await import("./badges");
afterAll(() => {
  vi.doUnmock("react-i18next");
  vi.resetModules();
});

describe("what the decisions of a gate are worth", () => {
  it("is said in the server's words, in the language of the page", () => {
    const caution = { code: "gate.offline", en: "It is no answer.", ja: "答えではありません。" };
    for (const [lang, words] of [
      ["en", caution.en],
      ["ja", caution.ja],
    ] as const) {
      language = lang;
      expect(renderToStaticMarkup(<GateCaution caution={caution} />)).toContain(words);
    }
  });
  it("is not said where no built-in checker scored", () => {
    expect(renderToStaticMarkup(<GateCaution />)).toBe("");
  });
});

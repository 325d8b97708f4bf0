import i18next from "i18next";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { initReactI18next } from "react-i18next";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunDetail } from "../../api/types";
import en from "../../locales/en.json";
import ja from "../../locales/ja.json";
import { Troubles } from "./troubles";

const words = "Invalid model name <b>passed</b> in";
const detail = {
  troubles: [{ call_id: "c1", text: { code: "", en: `The server says: “${words}”`, ja: `サーバーの返答：「${words}」` } }],
} as RunDetail;

describe("what went wrong with the calls of a run", () => {
  beforeAll(async () => {
    await i18next.use(initReactI18next).init({ resources: { en: { translation: en }, ja: { translation: ja } } });
  });
  it("is painted in the words of the server, in both languages, as text", async () => {
    for (const [language, title, said] of [
      ["en", en.run.troubles, "The server says: “Invalid model name &lt;b&gt;passed&lt;/b&gt; in”"],
      ["ja", ja.run.troubles, "サーバーの返答：「Invalid model name &lt;b&gt;passed&lt;/b&gt; in」"],
    ] as const) {
      await i18next.changeLanguage(language);
      const painted = renderToStaticMarkup(createElement(Troubles, { detail }));
      expect(painted).toContain(title);
      expect(painted).toContain(said);
    }
  });
  it("takes no room where nothing did", () => {
    expect(renderToStaticMarkup(createElement(Troubles, { detail: { ...detail, troubles: [] } }))).toBe("");
  });
});

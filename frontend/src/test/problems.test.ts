import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import { ApiProblem } from "../api/problem";
import en from "../locales/en.json";
import ja from "../locales/ja.json";
import { problemWords } from "../parts/problemwords";

const i18n = i18next.createInstance();

beforeAll(async () => {
  await i18n.init({
    resources: { en: { translation: en }, ja: { translation: ja } },
    lng: "ja",
    fallbackLng: "en",
    interpolation: { escapeValue: false },
  });
});

const told = (code: string, params: Record<string, unknown> = {}, detail = "run x is odd") =>
  problemWords(new ApiProblem({ code, detail, hint: "do something", params, status: 409 }, 409), i18n);

describe("the words of a problem", () => {
  it("are those of the page's language", async () => {
    await i18n.changeLanguage("ja");
    expect(told("permission").title).toBe("この操作の権限がありません。");
    expect(told("dataset_unknown").hint).toContain("（Run x is odd）");
    await i18n.changeLanguage("en");
    expect(told("permission").title).toBe("Your role may not do this.");
  });

  it("are the server's where the code is not known, or a value is missing", async () => {
    await i18n.changeLanguage("ja");
    expect(told("never_heard_of")).toEqual({ title: "run x is odd", hint: "do something" });
    expect(told("agreement_newer")).toEqual({ title: "run x is odd", hint: "do something" });
    expect(told("agreement_newer", { version: 3 }).title).toContain("3");
  });

  it("are never empty, and never show a placeholder", async () => {
    for (const language of ["en", "ja"]) {
      await i18n.changeLanguage(language);
      for (const code of Object.keys(en.problem)) {
        const words = told(code);
        expect(words.title, code).not.toBe("");
        expect(words.title + words.hint, code).not.toContain("{{");
      }
      expect(problemWords(new ApiProblem({ status: 500 }, 500), i18n).title).not.toBe("");
      expect(problemWords(new TypeError("x"), i18n).title).not.toBe("x");
    }
  });

  it("say something in Japanese in every Japanese wording", () => {
    for (const [code, words] of Object.entries(ja.problem)) expect(words.title, code).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  });
});

import i18n from "i18next";
import { describe, expect, it } from "vitest";
import en from "../../locales/en.json";
import ja from "../../locales/ja.json";
import { worded } from "./worded";

const at = async (lng: string) => {
  const one = i18n.createInstance();
  await one.init({ lng, resources: { en: { translation: en }, ja: { translation: ja } }, interpolation: { escapeValue: false } });
  return one;
};
const wrong = (code: string, params: Record<string, unknown>) => ({ code, detail: "x:3: cell q: no", hint: "do", line: 3, params });

describe("a mistake in a query", () => {
  it("is said in the language of the page, with the engine's words quoted", async () => {
    const p = wrong("sql_syntax", { said: 'near "FORM": syntax error', tables: "scores, runs" });
    expect(worded(p, await at("ja")).detail).toBe('SQL文を読み取れません：「near "FORM": syntax error」');
    expect(worded(p, await at("en"))).toMatchObject({
      detail: 'The statement cannot be read: “near "FORM": syntax error”',
      hint: "A query is one SELECT over scores, runs and the cells that are tables.",
      line: 3,
    });
  });
  it("names what could be meant", async () => {
    const p = wrong("sql_table", { said: "there is no table score", name: "score", among: "runs, scores", near: "scores" });
    expect(worded(p, await at("ja"))).toMatchObject({
      detail: "表 score はありません。",
      hint: "scores のことですか？ 使える表：runs, scores",
    });
  });
  it("of another kind keeps the server's words", async () => {
    const p = wrong("cell_key", {});
    expect(worded(p, await at("ja"))).toBe(p);
  });
});

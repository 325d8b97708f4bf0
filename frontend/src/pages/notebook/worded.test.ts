import i18n from "i18next";
import { describe, expect, it } from "vitest";
import en from "../../locales/en.json";
import ja from "../../locales/ja.json";
import { marksOf } from "./code/marks";
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
});

describe("a mistake in a cell", () => {
  const missing = { mistake: "missing", field: "source", doc: { en: "source: a folder or a name", ja: "source：フォルダーか登録名" } };

  it("is said in the language of the page, with what to write", async () => {
    const p = { ...wrong("cell_field", missing), detail: "x:3: cell c: source is missing" };
    expect(worded(p, await at("ja"))).toMatchObject({ detail: "source がありません。", hint: "source：フォルダーか登録名", line: 3 });
    expect(worded(p, await at("en"))).toMatchObject({ detail: "source is missing.", hint: "source: a folder or a name" });
  });
  it("names what could be meant, in a form and in the editor's marks too", async () => {
    const p = wrong("cell_field", { mistake: "unknown", field: "sorce", among: "source, title", near: "source" });
    const said = worded(p, await at("ja"));
    expect(said).toMatchObject({ detail: "「sorce」という項目はありません。", hint: "source のことですか？ 使える項目：source, title" });
    expect(marksOf([said], 1)).toEqual([
      {
        line: 3,
        column: undefined,
        field: "sorce",
        text: "「sorce」という項目はありません。 · source のことですか？ 使える項目：source, title",
      },
    ]);
  });
  it("without words, or without a value that they need, keeps the server's", async () => {
    const p = wrong("cell_key", {});
    expect(worded(p, await at("ja"))).toBe(p);
    const bare = wrong("cell_field", { mistake: "unknown", field: "sorce" });
    expect(worded(bare, await at("ja"))).toBe(bare);
  });
});

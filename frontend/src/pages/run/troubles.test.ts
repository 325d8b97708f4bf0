import { createElement } from "react";
import { describe, expect, it } from "vitest";
import type { RunDetail } from "../../api/types";
import en from "../../locales/en.json";
import ja from "../../locales/ja.json";
import { painted } from "../../test/painted";
import { Troubles } from "./troubles";

const words = "Invalid model name <b>passed</b> in";
const detail = {
  troubles: [{ call_id: "c1", text: { code: "", en: `The server says: “${words}”`, ja: `サーバーの返答：「${words}」` } }],
} as RunDetail;

describe("what went wrong with the calls of a run", () => {
  it("is painted in the words of the server, in both languages, as text", async () => {
    for (const [language, title, said] of [
      ["en", en.run.troubles, "The server says: “Invalid model name &lt;b&gt;passed&lt;/b&gt; in”"],
      ["ja", ja.run.troubles, "サーバーの返答：「Invalid model name &lt;b&gt;passed&lt;/b&gt; in」"],
    ] as const) {
      const shown = await painted(createElement(Troubles, { detail }), language);
      expect(shown).toContain(title);
      expect(shown).toContain(said);
    }
  });
  it("takes no room where nothing did", async () => {
    expect(await painted(createElement(Troubles, { detail: { ...detail, troubles: [] } }), "en")).toBe("");
  });
});

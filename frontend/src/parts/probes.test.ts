import { createElement } from "react";
import { describe, expect, it } from "vitest";
import type { ProviderSetting } from "../api/types_settings";
import { painted } from "../test/painted";
import { Probes } from "./probes";

const probes = [
  { model: "m", purpose: "generate", ok: true, latency_ms: 11 },
  { model: "m", purpose: "judge", ok: true, latency_ms: 12, form: "object", limits: { context_tokens: 32768, tokens_per_minute: 9000 } },
  { model: "e", purpose: "embed", ok: true, latency_ms: 13, dimensions: 48 },
  { model: "r", purpose: "rerank", ok: false, latency_ms: 0, message: "no such model" },
] as NonNullable<ProviderSetting["probes"]>;

describe("what is known of models", () => {
  it("says what each was tried for and how long its reply took, in both languages", async () => {
    const shown = {
      en: await painted(createElement(Probes, { probes }), "en"),
      ja: await painted(createElement(Probes, { probes }), "ja"),
    };
    for (const line of [
      "m · answers: ✓ works, 11 ms",
      "m · judgements in JSON: ✓ works, 12 ms · replies held to JSON",
      "context 32768 tokens · 9000 tokens a minute",
    ])
      expect(shown.en).toContain(line);
    expect(shown.en).toContain("e · embeddings: ✓ works, 13 ms · 48 dimensions");
    expect(shown.en).toMatch(/r · reranking: .*no such model/);
    for (const line of [
      "m · 回答の生成",
      "m · 評価（JSON）",
      "e · 埋め込み: ✓ 接続できました（13ミリ秒） · 48次元",
      "r · リランク",
      "コンテキスト長32768トークン",
    ])
      expect(shown.ja).toContain(line);
  });
});

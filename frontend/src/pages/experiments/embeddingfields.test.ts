import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { painted } from "../../test/painted";
import { EmbeddingFields } from "./embeddingfields";
import type { Group } from "./fields";
import { emptyDefinition, knownEmbedder, withField } from "./form";

const known = [
  { model: "^(multilingual-)?e5-", query_prefix: "query: ", passage_prefix: "passage: " },
  { model: "^bge-(small|base|large)-en", query_prefix: "Represent: ", dimensions: 768 },
];

/** The fields of an embedding, as a form shows them. */
function shown(embedding: object, language: "en" | "ja"): Promise<string> {
  const definition = withField(emptyDefinition(), "base.embedding", { provider: "openai", ...embedding });
  const group = { definition, names: { known }, set: () => {}, error: () => undefined } as unknown as Group;
  const fields = createElement(MantineProvider, null, createElement(EmbeddingFields, { group }));
  return painted(createElement(QueryClientProvider, { client: new QueryClient() }, fields), language);
}

describe("an embedding in the form", () => {
  it("knows a model by its name without owner, size of letters and variant", () => {
    expect(knownEmbedder(known, "intfloat/Multilingual-E5-large:latest")?.query_prefix).toBe("query: ");
    expect(knownEmbedder(known, "my-e5-large")).toBeUndefined();
  });

  it("warns of prefixes that are left out, in both languages, until something is said of each", async () => {
    const model = "intfloat/e5-base";
    const warning = { en: "This model finds less without its prefixes", ja: "このモデルは接頭辞を付けないと" };
    for (const language of ["en", "ja"] as const) {
      expect(await shown({ model }, language)).toContain(warning[language]);
      expect(await shown({ model, query_prefix: "auto" }, language)).toContain(warning[language]);
      expect(await shown({ model, query_prefix: "auto", passage_prefix: "none" }, language)).not.toContain(warning[language]);
      expect(await shown({ model: "bge-small-en", query_prefix: "auto" }, language)).not.toContain(warning[language]);
    }
  });

  it("says one sentence of each field, and nothing for models that need none of it", async () => {
    const en = await shown({ model: "m" }, "en");
    for (const sentence of ["How long vectors are", "The service is not told", "before each question", "before each passage", "length 1"])
      expect(en).toContain(sentence);
    const ja = await shown({ model: "m" }, "ja");
    for (const sentence of ["ベクトルの長さです", "サービスに伝えません", "各質問の前", "各文書の前", "長さを1に"])
      expect(ja).toContain(sentence);
    expect(await shown({ provider: "offline", model: "ngram" }, "en")).not.toContain("Dimensions");
  });
});

import { Checkbox, NumberInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWords } from "../../parts/words";
import { Amount, Choice, PartAmount, Tick } from "./choice";
import { EmbeddingFields } from "./embeddingfields";
import type { Group } from "./fields";
import { ModelFields } from "./modelfields";

const usual = { k1: 1.2, b: 0.75, analyzer: "auto" };
const usualMMR = { lambda: 0.5, fetch_k: 20 };
const several = ["multi_query", "hyde", "decompose", "step_back"];

/** What is searched for and how: the question or what is made of it, the index, and what is taken of the hits. */
export function SearchFields({ group }: { group: Group }) {
  const words = useWords();
  const { rewrite, retrieve, embedding } = group.definition.base;
  const asks = rewrite.mode === "llm" || several.includes(rewrite.mode);
  return (
    <>
      <div className="fields">
        <Choice
          group={group}
          path="rewrite.mode"
          name="rewrites"
          value={rewrite.mode}
          values={["none", "expand", "damage", "llm", ...several]}
        />
        <Choice group={group} path="retrieve.mode" name="retrieves" value={retrieve.mode} values={["dense", "bm25", "hybrid"]} />
        <NumberInput
          label={words.param("retrieve.k")}
          min={1}
          max={100}
          value={retrieve.k}
          error={group.error("base.retrieve.k")}
          onChange={(v) => group.set("base.retrieve.k", v === "" ? undefined : v)}
        />
        {retrieve.mode !== "bm25" && <ModelFields group={group} path="base.embedding" value={embedding} models={group.names.embedders} />}
        {asks && <ModelFields group={group} path="base.rewrite" value={rewrite} models={[]} />}
        {several.includes(rewrite.mode) && (
          <Amount group={group} path="rewrite.n" name="rewriteN" value={rewrite.n} min={1} max={10} usual={usualTexts(rewrite.mode)} />
        )}
      </div>
      {several.includes(rewrite.mode) && (
        <Tick group={group} path="rewrite.include_original" name="original" checked={rewrite.include_original ?? true} usual={true} />
      )}
      {retrieve.mode !== "bm25" && <EmbeddingFields group={group} />}
      <Engine group={group} />
      <Indexes group={group} />
      <Taken group={group} />
    </>
  );
}

/** How many texts a model writes where nothing is said. */
function usualTexts(mode: string): string {
  return { multi_query: "3", decompose: "4" }[mode] ?? "1";
}

/** Where vectors are kept and compared. */
function Engine({ group }: { group: Group }) {
  const r = group.definition.base.retrieve;
  if (r.mode === "bm25") return null;
  const engine = r.engine || "memory";
  return (
    <div className="fields">
      <Choice group={group} path="retrieve.engine" name="engines" value={engine} values={["memory", "pgvector"]} />
      {engine === "pgvector" && (
        <Choice group={group} path="retrieve.pgvector.index" name="graphs" value={r.pgvector?.index || "none"} values={["none", "hnsw"]} />
      )}
    </div>
  );
}

/** How words are weighed, and how two rankings become one. */
function Indexes({ group }: { group: Group }) {
  const r = group.definition.base.retrieve;
  if (r.mode === "dense") return null;
  const words = { ...usual, ...r.bm25 };
  const fusion = r.fusion || "rrf";
  return (
    <div className="fields">
      <PartAmount group={group} path="retrieve.bm25" part="k1" name="k1" whole={words} usual={usual} min={0} max={10} step={0.1} />
      <PartAmount group={group} path="retrieve.bm25" part="b" name="b" whole={words} usual={usual} min={0} max={1} step={0.05} />
      <Choice
        group={group}
        path="retrieve.bm25.analyzer"
        name="analyzers"
        value={words.analyzer || "auto"}
        values={["auto", "whitespace", "standard", "english"]}
        onChange={(analyzer) => group.set("base.retrieve.bm25", { ...words, analyzer })}
      />
      {r.mode === "hybrid" && <Choice group={group} path="retrieve.fusion" name="fusions" value={fusion} values={["rrf", "convex"]} />}
      {r.mode === "hybrid" && fusion === "rrf" && (
        <Amount group={group} path="retrieve.rrf_k" name="rrfK" value={r.rrf_k} min={1} max={10000} usual="60" />
      )}
      {r.mode === "hybrid" && fusion === "convex" && (
        <>
          <Amount group={group} path="retrieve.alpha" name="alpha" value={r.alpha} min={0} max={1} step={0.1} usual="0.5" />
          <Choice group={group} path="retrieve.norm" name="norms" value={r.norm || "min-max"} values={["min-max", "z", "theoretical"]} />
        </>
      )}
    </div>
  );
}

/** What is taken of a ranking. */
function Taken({ group }: { group: Group }) {
  const { t } = useTranslation();
  const r = group.definition.base.retrieve;
  const mmr = r.mmr && { ...usualMMR, ...r.mmr };
  return (
    <>
      <div className="fields">
        <Amount group={group} path="retrieve.neighbours" name="neighbours" value={r.neighbours} min={0} max={20} usual="0" />
        <Amount group={group} path="retrieve.per_document" name="per_document" value={r.per_document} min={0} usual="0" />
        {(r.mode !== "hybrid" || r.fusion === "convex") && (
          <Amount group={group} path="retrieve.min_score" name="minScore" value={r.min_score} step={0.05} />
        )}
      </div>
      {r.mode !== "bm25" && (
        <>
          <Checkbox
            size="xs"
            label={t("experiments.mmr.label")}
            description={t("experiments.mmr.says")}
            checked={mmr !== undefined}
            onChange={(e) => group.set("base.retrieve.mmr", e.currentTarget.checked ? usualMMR : undefined)}
          />
          {mmr && (
            <div className="fields">
              <PartAmount
                group={group}
                path="retrieve.mmr"
                part="lambda"
                name="lambda"
                whole={mmr}
                usual={usualMMR}
                min={0}
                max={1}
                step={0.1}
              />
              <PartAmount group={group} path="retrieve.mmr" part="fetch_k" name="fetchK" whole={mmr} usual={usualMMR} min={1} max={1000} />
            </div>
          )}
        </>
      )}
    </>
  );
}

/** In which order hits are handed on. */
export function RerankFields({ group }: { group: Group }) {
  const { rerank } = group.definition.base;
  const dialect = rerank.dialect || "cohere";
  return (
    <>
      <div className="fields">
        <Choice group={group} path="rerank.mode" name="reranks" value={rerank.mode} values={["none", "lexical", "llm", "api"]} />
        {rerank.mode !== "none" && <Amount group={group} path="rerank.depth" name="depth" value={rerank.depth} min={1} max={1000} />}
        {(rerank.mode === "llm" || rerank.mode === "api") && <ModelFields group={group} path="base.rerank" value={rerank} models={[]} />}
        {rerank.mode === "api" && (
          <>
            <Choice group={group} path="rerank.dialect" name="dialects" value={dialect} values={["cohere", "voyage", "tei"]} />
            <Amount
              group={group}
              path="rerank.batch"
              name="batch"
              value={rerank.batch}
              min={1}
              max={1000}
              usual={dialect === "tei" ? "32" : "100"}
            />
            <Amount group={group} path="rerank.min_score" name="rerankMinScore" value={rerank.min_score} step={0.05} />
          </>
        )}
      </div>
      {rerank.mode === "api" && (
        <Tick group={group} path="rerank.listwise" name="listwise" checked={rerank.listwise ?? false} usual={false} />
      )}
    </>
  );
}

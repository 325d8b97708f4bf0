import { useTranslation } from "react-i18next";
import { Amount, Choice, Tick, Words } from "./choice";
import type { Group } from "./fields";
import { knownEmbedder } from "./form";

/** Which vectors texts get. Models of the offline provider need none of it. */
export function EmbeddingFields({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { embedding } = group.definition.base;
  if (embedding.provider === "offline") return null;
  const known = knownEmbedder(group.names.known, embedding.model);
  const missing = (known?.query_prefix && !embedding.query_prefix) || (known?.passage_prefix && !embedding.passage_prefix);
  const scaled = embedding.normalize ?? true;
  const scale = (to: boolean) =>
    group.set("base.embedding", { ...embedding, normalize: to ? undefined : false, similarity: to ? undefined : "dot" });
  return (
    <>
      <div className="fields">
        <Amount
          group={group}
          path="embedding.dimensions"
          name="dimensions"
          value={embedding.dimensions}
          min={1}
          max={known?.dimensions ?? 65536}
          usual={known?.dimensions ? String(known.dimensions) : ""}
        />
        <Choice
          group={group}
          path="embedding.input_type"
          name="inputTypes"
          value={embedding.input_type || "none"}
          values={["none", "auto"]}
        />
        <Words group={group} path="embedding.query_prefix" name="queryPrefix" value={embedding.query_prefix} usual="none" />
        <Words group={group} path="embedding.passage_prefix" name="passagePrefix" value={embedding.passage_prefix} usual="none" />
      </div>
      {missing && (
        <p role="status" className="small">
          ⚠ {t("experiments.prefixesMissing", { query: known?.query_prefix ?? "", passage: known?.passage_prefix ?? "" })}
        </p>
      )}
      <Tick group={group} path="embedding.normalize" name="normalize" checked={scaled} usual={true} onChange={scale} />
    </>
  );
}

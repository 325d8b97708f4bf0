import { NativeSelect, NumberInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { ChunkPreview } from "../../api/types_library";
import { Await } from "../../parts/faces";
import css from "./experiments.module.css";
import type { Group } from "./fields";

const usual = { k1: 1.2, b: 0.75, analyzer: "auto" };

interface ChoiceProps {
  group: Group;
  path: string;
  label: string;
  value: string;
  values: string[];
  named: (value: string) => string;
  says: (value: string) => string;
}

/** A choice with a sentence about the value that is chosen. */
function Choice({ group, path, label, value, values, named, says }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      description={says(value)}
      data={values.map((v) => ({ value: v, label: named(v) }))}
      value={value}
      error={group.error(`base.${path}`)}
      onChange={(e) => group.set(`base.${path}`, e.currentTarget.value)}
    />
  );
}

/** How documents are cut, beyond unit, size and overlap. */
export function ChunkMore({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { chunk } = group.definition.base;
  return (
    <>
      <div className="fields">
        <Choice
          group={group}
          path="chunk.heading"
          label={t("experiments.headings.label")}
          named={(v) => t(`experiments.headings.${v}`)}
          says={(v) => t(`experiments.headings.says.${v}`)}
          value={chunk.heading || "none"}
          values={["none", "path"]}
        />
        <Choice
          group={group}
          path="chunk.header"
          label={t("experiments.headers.label")}
          named={(v) => t(`experiments.headers.${v}`)}
          says={(v) => t(`experiments.headers.says.${v}`)}
          value={chunk.header || "none"}
          values={["none", "title", "path"]}
        />
        <Choice
          group={group}
          path="chunk.parent.mode"
          label={t("experiments.parents.label")}
          named={(v) => t(`experiments.parents.${v}`)}
          says={(v) => t(`experiments.parents.says.${v}`)}
          value={chunk.parent?.mode || "none"}
          values={["none", "window", "section", "size", "merge"]}
        />
      </div>
      <Preview group={group} />
    </>
  );
}

/** The first chunks of the corpus' first document, as it would be cut now. */
function Preview({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { corpus, base } = group.definition;
  const path = `/corpora/${encodeURIComponent(corpus)}`;
  const documents = useGet<{ items: { doc_id: string }[] }>(corpus === "" ? null : `${path}/documents`, { limit: 1 });
  const doc = documents.data?.items[0]?.doc_id ?? "";
  const { by, size, overlap } = base.chunk;
  const query = useGet<ChunkPreview>(doc === "" ? null : `${path}/chunks`, {
    doc,
    by,
    size,
    overlap,
    chunk: JSON.stringify(base.chunk),
  });
  if (doc === "") return null;
  return (
    <details>
      <summary className="small">{t("experiments.preview", { doc })}</summary>
      <Await query={query}>
        {(preview) => (
          <ol className={css.preview ?? ""}>
            {preview.chunks.slice(0, 6).map((c) => (
              <li key={`${c.start} ${c.end}`} className="small">
                <span className="mono soft">
                  [{c.start}:{c.end}]
                </span>{" "}
                {c.header && <span className="soft">{c.header}</span>}
                {c.text}
              </li>
            ))}
          </ol>
        )}
      </Await>
    </details>
  );
}

/** How words are weighed, and how two rankings become one. */
export function RetrieveMore({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { set, error } = group;
  const r = group.definition.base.retrieve;
  const number = (v: number | string) => (v === "" ? undefined : v);
  const words = { ...usual, ...r.bm25 };
  return (
    <div className="fields">
      {r.mode !== "dense" && (
        <>
          <NumberInput
            label="k1"
            description={t("experiments.k1Rule")}
            min={0}
            max={10}
            step={0.1}
            value={words.k1}
            error={error("base.retrieve.bm25.k1")}
            onChange={(v) => set("base.retrieve.bm25", { ...words, k1: number(v) ?? usual.k1 })}
          />
          <NumberInput
            label="b"
            description={t("experiments.bRule")}
            min={0}
            max={1}
            step={0.05}
            value={words.b}
            error={error("base.retrieve.bm25.b")}
            onChange={(v) => set("base.retrieve.bm25", { ...words, b: number(v) ?? usual.b })}
          />
        </>
      )}
      {r.mode === "hybrid" && (
        <Choice
          group={group}
          path="retrieve.fusion"
          label={t("experiments.fusions.label")}
          named={(v) => t(`experiments.fusions.${v}`)}
          says={(v) => t(`experiments.fusions.says.${v}`)}
          value={r.fusion || "rrf"}
          values={["rrf", "convex"]}
        />
      )}
      <NumberInput
        label={t("experiments.neighbours.label")}
        description={t("experiments.neighbours.says")}
        min={0}
        max={20}
        value={r.neighbours ?? 0}
        error={error("base.retrieve.neighbours")}
        onChange={(v) => set("base.retrieve.neighbours", number(v))}
      />
      <NumberInput
        label={t("experiments.per_document.label")}
        description={t("experiments.per_document.says")}
        min={0}
        value={r.per_document ?? 0}
        error={error("base.retrieve.per_document")}
        onChange={(v) => set("base.retrieve.per_document", number(v))}
      />
    </div>
  );
}

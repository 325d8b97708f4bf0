import { NativeSelect, NumberInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { ChunkPreview, DocumentView } from "../../api/types_library";
import { useUrlState } from "../../app/url";
import { Badge } from "../../parts/badges";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { cut } from "../../parts/markedtext";
import { useWords } from "../../parts/words";
import css from "./corpora.module.css";
import { type ShownChunk, shownChunks } from "./spans";

/** How a chunker would cut the document, for any setting: nothing is stored and nothing is bought. */
export function Chunks({ reference, document, dataset }: { reference: string; document: DocumentView; dataset: string }) {
  const words = useWords();
  const [url, setUrl] = useUrlState(["by", "size", "overlap"]);
  const by = url.by || "chars";
  const size = Number(url.size) || words.usualSize(by);
  const overlap = Number(url.overlap) || 0;
  const query = useGet<ChunkPreview>(`/corpora/${encodeURIComponent(reference)}/chunks`, {
    doc: document.doc_id,
    by,
    size,
    overlap,
    dataset,
  });
  return (
    <div className="stack">
      <div className="row no-print" style={{ alignItems: "flex-end" }}>
        <NativeSelect
          size="xs"
          label={words.param("chunk.by")}
          value={by}
          data={words.chunkUnits.map((value) => ({ value, label: words.chunkUnit(value) }))}
          onChange={(e) => setUrl({ by: e.currentTarget.value, size: "", overlap: "" })}
        />
        <Amount key={`size ${by}`} label={words.param("chunk.size")} value={size} min={1} onChange={(v) => setUrl({ size: String(v) })} />
        <Amount
          key={`overlap ${by}`}
          label={words.param("chunk.overlap")}
          value={overlap}
          min={0}
          onChange={(v) => setUrl({ overlap: v === 0 ? "" : String(v) })}
        />
      </div>
      <Await query={query}>{(preview) => <Cut preview={preview} document={document} />}</Await>
    </div>
  );
}

/** A number that is used a moment after it was typed. */
function Amount({ label, value, min, onChange }: { label: string; value: number; min: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<number | string>(value);
  const later = useDebouncedCallback(onChange, 400);
  useEffect(() => setTyped(value), [value]);
  return (
    <NumberInput
      size="xs"
      w={110}
      label={label}
      min={min}
      value={typed}
      onChange={(v) => {
        setTyped(v);
        if (typeof v === "number" && v >= min) later(v);
      }}
    />
  );
}

/** A document in chunks: their borders, what they share, what stands before them, and what is handed on in their place. */
export function Cut({ preview, document }: { preview: ChunkPreview; document: DocumentView }) {
  const { t } = useTranslation();
  const chunks = shownChunks(preview, document.evidence);
  const places = preview.evidence_cut + preview.evidence_whole;
  return (
    <>
      <p>
        {t("corpora.cutInto", { count: preview.total })}{" "}
        {places > 0 &&
          (preview.evidence_cut > 0 ? (
            <Badge tone="worse">{t("corpora.evidenceCut", { cut: preview.evidence_cut, of: places })}</Badge>
          ) : (
            <Badge tone="better">{t("corpora.evidenceWhole", { n: places })}</Badge>
          ))}
        {preview.chunks.length < preview.total && (
          <span className="soft small"> {t("corpora.firstChunks", { n: preview.chunks.length })}</span>
        )}
      </p>
      <ol className={css.chunks}>
        {chunks.map((chunk) => (
          <Chunk key={chunk.number} chunk={chunk} lang={document.lang} />
        ))}
      </ol>
      <p className="soft small">{t("corpora.chunkLegend")}</p>
    </>
  );
}

function Chunk({ chunk, lang }: { chunk: ShownChunk; lang: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pieces = cut(chunk.text, [...chunk.ranges, { start: 0, end: chunk.shared, kind: "search" }]);
  return (
    <li>
      <div className="row small soft">
        <strong>{chunk.number}</strong>
        <span className="figures">{t("corpora.chars", { n: format.count(chunk.length) })}</span>
        <span className="mono">
          [{chunk.start}:{chunk.end}]
        </span>
        {chunk.shared > 0 && <span>{t("corpora.shared", { n: chunk.shared })}</span>}
        {chunk.parent && <span>{t("corpora.handedOn", { start: chunk.parent.start, end: chunk.parent.end })}</span>}
        {chunk.broken > 0 && <Badge tone="worse">{t("corpora.holdsPart", { n: chunk.broken })}</Badge>}
      </div>
      {chunk.path.length > 0 && <div className="small soft">{chunk.path.join(" › ")}</div>}
      {chunk.header !== "" && <div className={`small ${css.header}`}>{chunk.header.trim()}</div>}
      <div className="text" lang={lang}>
        {pieces.map((piece, i) => {
          const shared = piece.kinds.includes("search") ? css.shared : "";
          const torn = piece.kinds.includes("conflict");
          if (!torn && !piece.kinds.includes("evidence"))
            return (
              <span key={i} className={shared}>
                {piece.text}
              </span>
            );
          return (
            <mark key={i} className={`${torn ? css.torn : css.whole} ${shared}`} title={piece.titles.join("\n")}>
              {piece.text}
            </mark>
          );
        })}
      </div>
    </li>
  );
}

import { NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { ChunkPreview, DocumentView } from "../../api/types_library";
import { Await } from "../../parts/faces";
import { Cut } from "../corpora/chunks";
import type { Group } from "./fields";

/** Documents that can be chosen from. */
const offered = 200;
/** How long the form must rest before a document is cut again, in milliseconds. */
const pause = 350;

/** A document of the corpus, cut as the form says now: nothing is stored and nothing is bought. */
export function ChunkPreviewer({ group }: { group: Group }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { corpus, dataset } = group.definition;
  if (corpus === "") return null;
  return (
    <details onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="small">{t("experiments.preview")}</summary>
      {open && <Chosen key={corpus} group={group} path={`/corpora/${encodeURIComponent(corpus)}`} dataset={dataset} />}
    </details>
  );
}

function Chosen({ group, path, dataset }: { group: Group; path: string; dataset: string }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState("");
  const documents = useGet<{ items: { doc_id: string }[] }>(`${path}/documents`, { limit: offered });
  return (
    <Await query={documents}>
      {({ items }) => {
        const doc = chosen || (items[0]?.doc_id ?? "");
        if (doc === "") return null;
        return (
          <div className="stack">
            <NativeSelect
              size="xs"
              maw={420}
              label={t("experiments.previewOf")}
              data={items.map((d) => d.doc_id)}
              value={doc}
              onChange={(e) => setChosen(e.currentTarget.value)}
            />
            <OfDocument group={group} path={path} doc={doc} dataset={dataset} />
          </div>
        );
      }}
    </Await>
  );
}

function OfDocument({ group, path, doc, dataset }: { group: Group; path: string; doc: string; dataset: string }) {
  const [chunk] = useDebouncedValue(JSON.stringify(group.definition.base.chunk), pause);
  const { by, size, overlap } = JSON.parse(chunk) as { by: string; size?: number; overlap?: number };
  const document = useGet<DocumentView>(`${path}/documents/${encodeURIComponent(doc)}`, { dataset });
  const preview = useGet<ChunkPreview>(`${path}/chunks`, { doc, by, size, overlap, chunk, dataset });
  return <Await query={document}>{(found) => <Await query={preview}>{(cut) => <Cut preview={cut} document={found} />}</Await>}</Await>;
}

import { NativeSelect, SegmentedControl } from "@mantine/core";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { DocumentView } from "../../api/types_library";
import { useUrlState } from "../../app/url";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { MarkedText } from "../../parts/markedtext";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { Chunks } from "./chunks";
import css from "./corpora.module.css";
import { evidenceRanges, markAt } from "./spans";

interface DocumentPanelProps {
  reference: string;
  doc: string;
  dataset: string;
  datasets: string[];
  /** The place in the text to show first. */
  at: number | undefined;
  onDataset: (dataset: string) => void;
}

/** A document: its text with the evidence of a dataset marked, or how a chunker would cut it. */
export function DocumentPanel({ reference, doc, dataset, datasets, at, onDataset }: DocumentPanelProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [url, setUrl] = useUrlState(["view"]);
  const query = useGet<DocumentView>(`/corpora/${encodeURIComponent(reference)}/documents/${encodeURIComponent(doc)}`, { dataset });
  return (
    <Card className={css.document ?? ""}>
      <Await query={query} rows={14}>
        {(d) => (
          <div className="stack">
            <header className="row apart">
              <div>
                <h2>{d.title || d.doc_id}</h2>
                <p className="soft small">
                  <span className="mono">{d.doc_id}</span> · {t("corpora.chars", { n: format.count(d.chars) })}
                  {d.source && d.source !== d.doc_id && ` · ${d.source}`}
                </p>
              </div>
              <div className="row no-print">
                <SegmentedControl
                  size="xs"
                  aria-label={t("corpora.view")}
                  value={url.view === "chunks" ? "chunks" : "text"}
                  onChange={(v) => setUrl({ view: v === "text" ? "" : v })}
                  data={[
                    { value: "text", label: t("corpora.text") },
                    { value: "chunks", label: t("corpora.chunks") },
                  ]}
                />
                <NativeSelect
                  size="xs"
                  w={190}
                  aria-label={t("corpora.evidenceOf")}
                  value={dataset}
                  data={[
                    { value: "", label: t("corpora.noEvidence") },
                    ...datasets.map((name) => ({ value: name, label: t("corpora.evidenceFrom", { name }) })),
                  ]}
                  onChange={(e) => onDataset(e.currentTarget.value)}
                />
              </div>
            </header>
            {url.view === "chunks" ? (
              <Chunks reference={reference} document={d} dataset={dataset} />
            ) : (
              <Text document={d} dataset={dataset} at={at} />
            )}
          </div>
        )}
      </Await>
    </Card>
  );
}

function Text({ document: d, dataset, at }: { document: DocumentView; dataset: string; at: number | undefined }) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const ranges = useMemo(() => evidenceRanges(d.evidence), [d]);
  const show = (start: number) => {
    const mark = place.current?.querySelectorAll("mark")[markAt(d.text, ranges, start)];
    mark?.scrollIntoView({ block: "center" });
    mark?.classList.add(css.here ?? "");
    setTimeout(() => mark?.classList.remove(css.here ?? ""), 2500);
  };
  const first = useRef(show);
  first.current = show;
  useEffect(() => {
    if (at !== undefined) first.current(at);
  }, [at]);
  return (
    <div className={d.evidence.length > 0 ? css.textAndList : ""}>
      <div ref={place} className={css.reading} lang={d.lang}>
        <MarkedText text={d.text} ranges={ranges} />
      </div>
      {d.evidence.length > 0 && (
        <aside aria-label={t("corpora.questionsHere", { count: new Set(d.evidence.map((e) => e.question_id)).size })}>
          <h3>{t("corpora.questionsHere", { count: new Set(d.evidence.map((e) => e.question_id)).size })}</h3>
          <ul className={css.evidence}>
            {d.evidence.map((e) => (
              <li key={`${e.question_id} ${e.start}`}>
                <button type="button" onClick={() => show(e.start)}>
                  {e.question}
                </button>
                <PageLink
                  className="small mono"
                  to={`/datasets/${encodeURIComponent(dataset)}`}
                  search={{ open: e.question_id, q: e.question_id }}
                >
                  {e.question_id}
                </PageLink>
              </li>
            ))}
          </ul>
        </aside>
      )}
    </div>
  );
}

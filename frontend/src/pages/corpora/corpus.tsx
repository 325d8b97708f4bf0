import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useGet, useList } from "../../api/queries";
import type { CorpusIndex, CorpusVersions, DocumentRow, LibraryRow, Listing } from "../../api/types_library";
import { usePathPart, useUrlState } from "../../app/url";
import { type Column, DataTable } from "../../parts/datatable";
import { Await, Empty, Failed, Loading } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { CopyLink, SearchBox } from "../../parts/tools";
import { Digest, VersionChoice } from "../../parts/version";
import css from "./corpora.module.css";
import { DocumentPanel } from "./document";
import { useDraft } from "./draft";
import { Mapped } from "./mapped";

/** One version of a corpus: its documents, and the one that is open beside them. */
export default function CorpusPage() {
  const ref = usePathPart("corpus");
  const name = ref.split("@")[0] ?? ref;
  const query = useGet<CorpusVersions>(`/corpora/${encodeURIComponent(name)}`);
  return (
    <Await page query={query}>
      {({ items, index }) => {
        const wanted = Number(ref.split("@")[1]);
        const listing = items.find((l) => l.version === wanted) ?? items[0];
        return listing ? <Version key={listing.version} listing={listing} all={items} index={index} /> : null;
      }}
    </Await>
  );
}

function Version({ listing, all, index }: { listing: Listing; all: Listing[]; index: CorpusIndex | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const draft = useDraft(`${listing.name}@${listing.version}`);
  return (
    <>
      <PageHead
        title={listing.name}
        name={`${listing.name}@${listing.version}`}
        above={<PageLink to="/corpora">{t("nav.corpora")}</PageLink>}
        below={
          <>
            <VersionChoice kind="corpora" listing={listing} all={all} />
            <span className="soft">{t("corpora.count", { count: listing.items })}</span>
            <span className="soft">{t("corpora.chars", { n: format.count(listing.chars) })}</span>
            <Digest of={listing.digest} />
          </>
        }
        actions={
          <>
            {draft.button}
            <CopyLink />
          </>
        }
      />
      {draft.progress}
      {index && (
        <div style={{ marginBottom: 16 }}>
          <Mapped corpus={listing.name} index={index} />
        </div>
      )}
      <Documents corpus={listing.name} reference={`${listing.name}@${listing.version}`} />
    </>
  );
}

/** The dataset whose evidence is marked unless people choose another: the one that shares the corpus's name, as far as it goes. */
export function nearest(corpus: string, datasets: string[]): string {
  return datasets.filter((d) => corpus === d || corpus.startsWith(`${d}-`)).sort((a, b) => b.length - a.length)[0] ?? "";
}

function Documents({ corpus, reference }: { corpus: string; reference: string }) {
  const { t } = useTranslation();
  const [url, setUrl] = useUrlState(["q", "sort", "doc", "dataset", "at"]);
  const list = useList<DocumentRow>(`/corpora/${encodeURIComponent(reference)}/documents`, { q: url.q, sort: url.sort });
  const datasets = useList<LibraryRow>("/datasets", {}, 500);
  const names = datasets.rows.map((d) => d.name);
  const dataset = url.dataset === "none" ? "" : url.dataset || nearest(corpus, names);
  const columns = useColumns();
  const at = list.rows.findIndex((d) => d.doc_id === url.doc);
  const open = url.doc || list.rows[0]?.doc_id;
  if (list.error) return <Failed error={list.error} retry={() => void list.refetch()} />;
  return (
    <div className={css.split}>
      <div className="stack">
        <SearchBox value={url.q} onChange={(q) => setUrl({ q })} label={t("corpora.searchDocuments")} />
        {list.isPending ? (
          <Loading />
        ) : (
          <DataTable
            label={t("corpora.documents")}
            columns={columns}
            rows={list.rows}
            rowKey={(d) => d.doc_id}
            total={list.total}
            more={() => void list.fetchNextPage()}
            sort={url.sort}
            onSort={(sort) => setUrl({ sort })}
            onOpen={(d) => setUrl({ doc: d.doc_id, at: "" })}
            open={at >= 0 ? url.doc : ""}
            rowHeight={46}
            height="calc(100vh - 210px)"
            empty={<Empty title={t("corpora.noDocument")} />}
          />
        )}
      </div>
      {open && !datasets.isPending && (
        <DocumentPanel
          key={`${open} ${dataset}`}
          reference={reference}
          doc={open}
          dataset={dataset}
          datasets={names}
          at={url.at === "" ? undefined : Number(url.at)}
          onDataset={(d) => setUrl({ dataset: d || "none", at: "" })}
        />
      )}
    </div>
  );
}

function useColumns(): Column<DocumentRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: "title",
        header: t("corpora.document"),
        sort: "title",
        width: "minmax(150px, 1fr)",
        cell: (d) => (
          <div>
            <div className="clip">{d.title || d.doc_id}</div>
            {d.title && <div className="soft small clip mono">{d.doc_id}</div>}
          </div>
        ),
      },
      { id: "chars", header: t("corpora.characters"), sort: "chars", right: true, width: "100px", cell: (d) => format.count(d.chars) },
    ],
    [t, format],
  );
}

import { SegmentedControl } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useGet, useList } from "../../api/queries";
import type { DatasetQuestion, Listing } from "../../api/types_library";
import { usePathPart, useUrlState } from "../../app/url";
import { Badge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { Await, Empty, Failed, Loading } from "../../parts/faces";
import { absent } from "../../parts/format";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { CopyLink, ExportMenu, FilterChips, SearchBox } from "../../parts/tools";
import { Digest, VersionChoice } from "../../parts/version";
import { useEvidence } from "./evidence";
import { QuestionPanel } from "./question";

const names = ["q", "sort", "tag", "show", "open"] as const;

/** One version of a dataset: its questions, and the one that is open beside them. */
export default function DatasetPage() {
  const ref = usePathPart("dataset");
  const name = ref.split("@")[0] ?? ref;
  const query = useGet<{ items: Listing[] }>(`/datasets/${encodeURIComponent(name)}`);
  return (
    <Await page query={query}>
      {({ items }) => {
        const wanted = Number(ref.split("@")[1]);
        const listing = items.find((l) => l.version === wanted) ?? items[0];
        return listing ? <Version key={listing.version} listing={listing} all={items} /> : null;
      }}
    </Await>
  );
}

/** The filters that the kind of question makes. */
const shows: Record<string, Record<string, string>> = {
  all: {},
  draft: { draft: "true" },
  without: { has_reference: "false" },
};

function Version({ listing, all }: { listing: Listing; all: Listing[] }) {
  const { t } = useTranslation();
  const ref = `${listing.name}@${listing.version}`;
  const newest = listing.version === all[0]?.version;
  const evidence = useEvidence(ref);
  return (
    <>
      <PageHead
        title={listing.name}
        name={ref}
        above={<PageLink to="/datasets">{t("nav.datasets")}</PageLink>}
        below={
          <>
            <VersionChoice kind="datasets" listing={listing} all={all} />
            <span className="soft">{t("datasets.count", { count: listing.items })}</span>
            <Digest of={listing.digest} />
            {!newest && <Badge tone="needs_check">{t("datasets.old")}</Badge>}
          </>
        }
        actions={
          <>
            {evidence.button}
            <ExportMenu path={`/datasets/${encodeURIComponent(ref)}/questions`} />
            <CopyLink />
          </>
        }
      />
      {evidence.progress}
      <Questions reference={ref} newest={newest} />
    </>
  );
}

function Questions({ reference, newest }: { reference: string; newest: boolean }) {
  const { t } = useTranslation();
  const [url, setUrl] = useUrlState(names);
  const show = shows[url.show] ? url.show : "all";
  const path = `/datasets/${encodeURIComponent(reference)}/questions`;
  const list = useList<DatasetQuestion>(path, { q: url.q, sort: url.sort, tag: url.tag, ...shows[show] });
  const columns = useColumns((tag) => setUrl({ tag }));
  const at = list.rows.findIndex((r) => r.question_id === url.open);
  const open = list.rows[at];
  const go = (to: number) => {
    const row = list.rows[to];
    return row && (() => setUrl({ open: row.question_id }));
  };
  if (list.error) return <Failed error={list.error} retry={() => void list.refetch()} />;
  return (
    <div className="stack">
      <div className="row apart no-print">
        <SegmentedControl
          size="xs"
          aria-label={t("datasets.show")}
          value={show}
          onChange={(v) => setUrl({ show: v === "all" ? "" : v, open: "" })}
          data={Object.keys(shows).map((value) => ({ value, label: t(`datasets.shows.${value}`) }))}
        />
        <SearchBox value={url.q} onChange={(q) => setUrl({ q })} label={t("datasets.searchQuestions")} />
      </div>
      <FilterChips
        filters={url.tag ? [{ name: "tag", text: url.tag, clear: () => setUrl({ tag: "" }) }] : []}
        onClear={() => setUrl({ tag: "" })}
      />
      {list.isPending ? (
        <Loading />
      ) : (
        <DataTable
          label={t("datasets.questions")}
          columns={columns}
          rows={list.rows}
          rowKey={(r) => r.question_id}
          total={list.total}
          more={() => void list.fetchNextPage()}
          sort={url.sort}
          onSort={(sort) => setUrl({ sort })}
          onOpen={(r) => setUrl({ open: r.question_id }, { push: true })}
          open={url.open}
          rowHeight={58}
          height="calc(100vh - 230px)"
          empty={<Empty title={t(`datasets.noneOf.${show}`)} />}
        />
      )}
      {open && (
        <QuestionPanel
          key={open.question_id}
          question={open}
          reference={reference}
          newest={newest}
          place={`${at + 1} / ${list.total}`}
          onPrevious={go(at - 1)}
          onNext={go(at + 1)}
          onClose={() => setUrl({ open: "" })}
        />
      )}
    </div>
  );
}

function useColumns(onTag: (tag: string) => void): Column<DatasetQuestion>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { id: "id", header: "ID", sort: "id", width: "110px", cell: (r) => <span className="mono">{r.question_id}</span> },
      {
        id: "question",
        header: t("datasets.question"),
        width: "minmax(260px, 2.6fr)",
        cell: (r) => (
          <Lines text={r.question}>
            {r.critical && <Badge tone="worse">{t("datasets.critical")}</Badge>}{" "}
            {!r.answerable && <Badge>{t("datasets.unanswerable")}</Badge>}
          </Lines>
        ),
      },
      {
        id: "reference",
        header: t("datasets.reference"),
        width: "minmax(260px, 2.6fr)",
        cell: (r) => (r.reference ? <Lines text={r.reference} /> : <span className="soft">{absent}</span>),
      },
      { id: "evidence", header: t("datasets.evidence"), right: true, width: "80px", cell: (r) => r.evidence?.length || absent },
      {
        id: "tags",
        header: t("datasets.tags"),
        width: "minmax(140px, 1.4fr)",
        cell: (r) => (
          <div className="clip">
            {(r.tags ?? []).map((tag) => (
              <button
                key={tag}
                type="button"
                className="small soft"
                style={{ border: 0, background: "none", padding: "0 4px", cursor: "pointer", font: "inherit" }}
                onClick={() => onTag(tag)}
              >
                {tag}
              </button>
            ))}
          </div>
        ),
      },
    ],
    [t, onTag],
  );
}

function Lines({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div style={{ display: "-webkit-box", WebkitLineClamp: 2, WebkitBoxOrient: "vertical", overflow: "hidden" }} title={text}>
      {children} {text}
    </div>
  );
}

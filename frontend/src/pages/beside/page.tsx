import { Checkbox } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useGet, useList } from "../../api/queries";
import type { BesideRow, BesideView } from "../../api/types";
import { formatSearch, useUrlState } from "../../app/url";
import { OfflineBadge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { Await, Empty, Failed } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { LabelBadge } from "../../parts/labelbadge";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { ShareButton } from "../../parts/sharebutton";
import { CopyLink, SearchBox } from "../../parts/tools";
import { Figures } from "./figures";

/** Up to six runs side by side: each is compared with the first, and questions on which they disagree come first. */
export default function BesidePage() {
  const { t } = useTranslation();
  const [url, setUrl] = useUrlState(["baseline", "run", "sort", "q", "differ"]);
  const which = { baseline: url.baseline, run: url.run };
  const view = useGet<BesideView>(url.run ? "/beside" : null, which);
  const head = (
    <PageHead
      title={t("beside.title")}
      name={t("beside.title")}
      below={view.data?.baseline.offline && <OfflineBadge whole />}
      actions={
        <>
          {view.data && (
            <ShareButton page={{ kind: "beside", baseline: view.data.baseline.run_id, beside: view.data.runs.map((r) => r.run.run_id) }} />
          )}
          <CopyLink />
        </>
      }
    />
  );
  if (!url.run) {
    return (
      <>
        {head}
        <Empty title={t("beside.none")} next={t("beside.noneNext")} action={<PageLink to="/runs">{t("nav.runs")}</PageLink>} />
      </>
    );
  }
  return (
    <>
      {head}
      <Await query={view} rows={12}>
        {(v) => (
          <div className="stack">
            <Figures view={v} />
            <Card title={t("beside.questions")}>
              <div className="stack">
                <div className="row no-print">
                  <SearchBox label={t("beside.search")} value={url.q} onChange={(q) => setUrl({ q })} />
                  <Checkbox
                    size="xs"
                    label={t("beside.differ")}
                    checked={url.differ === "true"}
                    onChange={(e) => setUrl({ differ: e.currentTarget.checked ? "true" : "" })}
                  />
                  <span className="soft small">{t("beside.disagreed", { n: v.disagreed, of: v.questions })}</span>
                </div>
                <Questions
                  view={v}
                  params={{ ...which, sort: url.sort, q: url.q, differ: url.differ }}
                  onSort={(sort) => setUrl({ sort })}
                />
              </div>
            </Card>
          </div>
        )}
      </Await>
    </>
  );
}

interface QuestionsProps {
  view: BesideView;
  params: Record<string, string>;
  onSort: (sort: string) => void;
}

/** The questions with a column for each run; a verdict leads to the comparison that it comes from. */
function Questions({ view, params, onSort }: QuestionsProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const format = useFormat();
  const list = useList<BesideRow>("/beside/questions", params);
  const columns = useMemo<Column<BesideRow>[]>(
    () => [
      {
        id: "question",
        header: t("beside.question"),
        width: "minmax(220px, 3fr)",
        sort: "id",
        cell: (r) => (
          <span className="clip" title={r.question}>
            <span className="mono small">{r.question_id}</span> {r.question}
          </span>
        ),
      },
      {
        id: "disagreement",
        header: t("beside.disagreement"),
        width: "118px",
        right: true,
        sort: "disagreement",
        cell: (r) => format.count(r.disagreement),
      },
      { id: "baseline", header: t("runs.baseline"), width: "110px", right: true, cell: (r) => format.mean(r.score) },
      ...view.runs.map(
        ({ run }, place): Column<BesideRow> => ({
          id: run.run_id,
          header: <span className="mono">{run.run_id.slice(0, 8)}</span>,
          name: run.run_id,
          width: "minmax(150px, 1fr)",
          sort: `run${place + 1}`,
          cell: (r) => {
            const cell = r.cells[place];
            if (!cell?.label) return absent;
            return (
              <PageLink
                to="/compare"
                search={{ baseline: view.baseline.run_id, candidate: run.run_id, label: "all", question: cell.question_id }}
              >
                <LabelBadge label={cell.label} /> <span className="small figures">{format.mean(cell.score)}</span>
              </PageLink>
            );
          },
        }),
      ),
    ],
    [t, format, view],
  );
  if (list.error) return <Failed error={list.error} retry={() => void list.refetch()} />;
  return (
    <DataTable
      label={t("beside.questions")}
      columns={columns}
      rows={list.rows}
      rowKey={(r) => r.question_id}
      total={list.total}
      more={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
      sort={params.sort || "-disagreement"}
      onSort={onSort}
      onOpen={(r) => {
        const place = r.cells.findIndex((c) => c.question_id);
        const run = view.runs[Math.max(0, place)]?.run.run_id;
        const question = r.cells[place]?.question_id;
        router.history.push(`/compare${formatSearch({ baseline: view.baseline.run_id, candidate: run, label: "all", question })}`);
      }}
      rowHeight={44}
      height="560px"
      empty={<Empty title={t("beside.noQuestion")} next={t("runs.noneFoundNext")} />}
    />
  );
}

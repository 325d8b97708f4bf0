import { Button, Checkbox } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { useList } from "../../api/queries";
import type { ExperimentRow } from "../../api/types_experiments";
import { useUrlState } from "../../app/url";
import { Badge, OfflineBadge, StateBadge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { Empty, Failed, Loading } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { toolsText } from "../../parts/runwords";
import { useWords } from "../../parts/words";
import { PageLink } from "../../parts/pagelink";
import { SearchBox } from "../../parts/tools";
import { NewExperiment } from "./new";
import css from "./experiments.module.css";

/** Registered experiments, and a place to register another one. */
export default function ExperimentsPage() {
  const { t } = useTranslation();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["q", "sort", "archived", "new", "from"]);
  if (url.new && may) return <NewExperiment from={url.from} onClose={() => setUrl({ new: "", from: "" })} />;
  return (
    <>
      <PageHead
        title={t("nav.experiments")}
        name={t("nav.experiments")}
        below={<span className="soft">{t("experiments.about")}</span>}
        actions={
          <>
            <Checkbox
              size="xs"
              label={t("experiments.showArchived")}
              checked={url.archived !== ""}
              onChange={(e) => setUrl({ archived: e.currentTarget.checked ? "1" : "" })}
            />
            <SearchBox value={url.q} onChange={(q) => setUrl({ q })} label={t("experiments.search")} />
            {may && (
              <Button leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ new: "1" }, { push: true })}>
                {t("experiments.new")}
              </Button>
            )}
          </>
        }
      />
      <List q={url.q} sort={url.sort} archived={url.archived !== ""} onSort={(sort) => setUrl({ sort })} />
    </>
  );
}

function List({ q, sort, archived, onSort }: { q: string; sort: string; archived: boolean; onSort: (sort: string) => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const columns = useColumns();
  const list = useList<ExperimentRow>("/experiments", { q, sort, archived });
  if (list.error) return <Failed error={list.error} retry={() => void list.refetch()} />;
  if (list.isPending) return <Loading />;
  if (list.total === 0 && !q)
    return <Empty title={t("experiments.none")} next={t("experiments.noneNext")} command="workbench init DOCS QUESTIONS" />;
  return (
    <DataTable
      label={t("nav.experiments")}
      columns={columns}
      rows={list.rows}
      rowKey={(r) => r.name}
      total={list.total}
      more={() => void list.fetchNextPage()}
      sort={sort}
      onSort={onSort}
      onOpen={(r) => router.history.push(`/experiments/${encodeURIComponent(r.name)}`)}
      rowHeight={52}
      height={list.total > 14 ? "calc(100vh - 170px)" : "auto"}
      empty={<Empty title={t("experiments.notFound")} />}
    />
  );
}

function useColumns(): Column<ExperimentRow>[] {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: "name",
        header: t("experiments.name"),
        sort: "name",
        width: "minmax(284px, 1.9fr)",
        cell: (r) => (
          <div>
            <div className="row" style={{ gap: 7, flexWrap: "nowrap" }}>
              <PageLink className="clip" title={r.name} to={`/experiments/${encodeURIComponent(r.name)}`}>
                {r.name}
              </PageLink>
              <span className="soft small" style={{ flex: "none" }}>
                {t("experiments.revisionShort", { n: r.revision })}
              </span>
              {r.archived && <Badge>{t("experiments.archived")}</Badge>}
            </div>
            {(r.tags.length > 0 || r.notes) && (
              <div className="soft small clip">{[...r.tags.map((tag) => `#${tag}`), r.notes].filter(Boolean).join(" ")}</div>
            )}
          </div>
        ),
      },
      {
        id: "dataset",
        header: t("experiments.dataset"),
        sort: "dataset",
        width: "minmax(120px, 1.2fr)",
        cell: (r) => <PageLink to={`/datasets/${encodeURIComponent(r.dataset)}`}>{r.dataset}</PageLink>,
      },
      { id: "system", header: t("experiments.system"), width: "minmax(120px, 1.2fr)", cell: (r) => <System row={r} /> },
      {
        id: "axes",
        header: t("experiments.axes"),
        width: "minmax(150px, 1.5fr)",
        cell: (r) => (
          <div className={`small soft ${css.swept}`} title={r.axes.join(", ")}>
            {r.axes.length > 0 ? r.axes.map(words.param).join(", ") : absent}
          </div>
        ),
      },
      {
        id: "judge",
        header: t("experiments.judge"),
        width: "158px",
        cell: (r) => <ScoredBy row={r} />,
      },
      {
        id: "last",
        header: t("experiments.lastRun"),
        width: "210px",
        cell: (r) =>
          r.last_run ? (
            <span className="row small" style={{ gap: "2px 7px", whiteSpace: "nowrap" }}>
              <PageLink to={r.last_run.kind === "sweep" ? `/sweeps/${r.last_run.run_id}` : `/runs/${r.last_run.run_id}`}>
                {r.last_run.kind === "sweep" && `${t("kind.sweep")} · `}
                {format.brief(r.last_run.created_at)}
              </PageLink>
              <StateBadge state={r.last_run.state} />
            </span>
          ) : (
            <span className="soft small">{t("experiments.neverRun")}</span>
          ),
      },
      {
        id: "created",
        header: t("experiments.changed"),
        sort: "created_at",
        width: "136px",
        cell: (r) => (
          <span className="small soft" style={{ whiteSpace: "nowrap" }}>
            {format.brief(r.created_at)}
          </span>
        ),
      },
    ],
    [t, format, words],
  );
}

/** What answers the questions: our pipeline over a corpus, an endpoint, or answers that were logged. */
/** Who scores: a model, the built-in checker, or other tools whose scores were imported. */
function ScoredBy({ row }: { row: ExperimentRow }) {
  const { t } = useTranslation();
  if (row.tools?.length) return <span className="small">{t("run.scoresOf", { tools: toolsText(t, row.tools) })}</span>;
  return row.judge?.startsWith("offline/") ? <OfflineBadge /> : row.judge;
}

function System({ row }: { row: ExperimentRow }) {
  const { t } = useTranslation();
  const [kind = "", ...name] = row.system.split(" ");
  if (kind === "pipeline") return <PageLink to={`/corpora/${encodeURIComponent(row.corpus ?? "")}`}>{row.corpus}</PageLink>;
  return (
    <span>
      <span className="soft small">{t(`experiments.systems.${kind}`, { defaultValue: kind })}</span> {name.join(" ")}
    </span>
  );
}

import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePathPart, useUrlState } from "../../app/url";
import { useGet, useList } from "../../api/queries";
import type { Points, QuestionRow, RunDetail } from "../../api/types";
import { BuyDialog } from "../../parts/buydialog";
import { DataTable } from "../../parts/datatable";
import { Await, Empty } from "../../parts/faces";
import { JobProgress } from "../../parts/jobprogress";
import { Card } from "../../parts/page";
import { useNeighbours } from "../../parts/neighbours";
import { ColumnChooser, ExportMenu, FilterChips, SearchBox, shownColumns } from "../../parts/tools";
import { useMay } from "../../api/me";
import { looksInto } from "../../parts/runwords";
import { useWords } from "../../parts/words";
import { Charts } from "./charts";
import { CauseDetail } from "./examples";
import { type FilterName, filterNames, type Filters, serverFilters } from "./filters";
import { Means } from "./means";
import { Recommendations } from "./recommendations";
import { RunProgress } from "./progress";
import { QuestionPanel } from "./question";
import { useQuestionColumns } from "./table";
import { Analysis } from "./analysis";
import { RunTop } from "./top";
import { Search, Troubles } from "./troubles";
import css from "./run.module.css";

/** One run: the bubble chart first; what is chosen there narrows causes, categories, themes and the questions below. */
export default function RunPage() {
  const run = encodeURIComponent(usePathPart("run"));
  const detail = useGet<RunDetail>(`/runs/${run}`);
  return (
    <Await page query={detail}>
      {(d) => (looksInto(d.row) ? <Analysis detail={d} /> : <Run detail={d} />)}
    </Await>
  );
}

function Run({ detail }: { detail: RunDetail }) {
  const run = detail.row.run_id;
  const baselines = useGet<{ items: { dataset: string; run_id: string }[] }>("/baselines");
  const pinned = baselines.data?.items.find((b) => b.dataset === detail.row.dataset.name)?.run_id ?? "";
  const baseline = pinned === run ? "" : pinned;
  const points = useGet<Points>(`/runs/${run}/points`);
  const [url, setUrl] = useUrlState([...filterNames, "sort", "cols", "question"]);
  const filters = Object.fromEntries(filterNames.map((n) => [n, url[n]])) as Filters;
  const [buying, setBuying] = useState<"diagnose" | "analyse" | null>(null);
  const [job, setJob] = useState("");
  const mayRun = useMay("run");

  return (
    <>
      <RunTop detail={detail} baseline={baseline} />
      <RunProgress detail={detail} />
      <Search detail={detail} />
      <Troubles detail={detail} />
      <JobProgress id={job} />
      <Await query={points} rows={12}>
        {(p) => (
          <Charts
            detail={detail}
            points={p}
            filters={filters}
            onFilter={(change) => setUrl({ ...change, question: "" })}
            onDiagnose={mayRun ? () => setBuying("diagnose") : undefined}
            below={
              <>
                <Recommendations run={run} points={p} onCause={(cause) => setUrl({ cause, question: "" })} onStarted={setJob} />
                <CauseDetail
                  run={run}
                  points={p}
                  filters={filters}
                  onFilter={(change) => setUrl({ ...change, question: "" })}
                  onOpen={(question) => setUrl({ question }, { push: true })}
                />
              </>
            }
            onAnalyse={mayRun ? () => setBuying("analyse") : undefined}
          />
        )}
      </Await>
      <Questions detail={detail} filters={filters} baseline={baseline} url={url} setUrl={setUrl} />
      <Means detail={detail} />
      <Buying run={run} what={buying} onStarted={setJob} onClose={() => setBuying(null)} />
    </>
  );
}

type Url = Record<FilterName | "sort" | "cols" | "question", string>;

interface QuestionsProps {
  detail: RunDetail;
  filters: Filters;
  baseline: string;
  url: Url;
  setUrl: (change: Partial<Url>, how?: { push?: boolean }) => void;
}

function Questions({ detail, filters, baseline, url, setUrl }: QuestionsProps) {
  const { t } = useTranslation();
  const run = detail.row.run_id;
  const params = { ...serverFilters(filters), sort: url.sort };
  const list = useList<QuestionRow>(`/runs/${run}/questions`, params);
  const columns = useQuestionColumns(detail.run.setup.suite, detail.row.low_score, detail.run.setup.low);
  const shown = useMemo(() => shownColumns(columns, url.cols), [columns, url.cols]);
  const themes = useGet<Points>(`/runs/${run}/points`).data?.theme_names; // kept already: the charts ask for it
  const chips = useFilterChips(filters, themes, (change) => setUrl(change));
  const { more, place, previous, next } = useNeighbours(
    list,
    url.question,
    (r) => r.question_id,
    (question) => setUrl({ question }),
  );

  return (
    <Card
      title={t("run.questions")}
      aside={
        <div className="row no-print">
          <SearchBox label={t("run.search")} value={filters.q} onChange={(q) => setUrl({ q })} />
          <ColumnChooser columns={columns} chosen={url.cols} onChoose={(cols) => setUrl({ cols })} />
          <ExportMenu path={`/runs/${run}/questions`} params={params} />
        </div>
      }
    >
      <div className={`row ${css.filters}`}>
        <span className="soft small figures" aria-live="polite">
          {list.isSuccess &&
            t("run.count", { n: list.total, of: detail.row.totals?.questions ?? detail.row.progress?.total ?? list.total })}
        </span>
        <FilterChips filters={chips} onClear={() => setUrl(Object.fromEntries(filterNames.map((n) => [n, ""])))} />
      </div>
      <Await query={list}>
        {() => (
          <DataTable
            label={t("run.questions")}
            columns={shown}
            rows={list.rows}
            rowKey={(r) => r.question_id}
            total={list.total}
            more={more}
            sort={url.sort}
            onSort={(sort) => setUrl({ sort })}
            onOpen={(r) => setUrl({ question: r.question_id }, { push: !url.question })}
            open={url.question}
            rowHeight={38}
            height="min(62vh, 640px)"
            empty={<Empty title={t("run.noneFound")} next={t("run.noneFoundNext")} />}
          />
        )}
      </Await>
      {url.question && (
        <QuestionPanel
          run={run}
          question={url.question}
          baseline={baseline}
          place={place}
          onClose={() => setUrl({ question: "" })}
          onPrevious={previous}
          onNext={next}
        />
      )}
    </Card>
  );
}

/** The filters that are set, in words. */
function useFilterChips(filters: Filters, themes: Points["theme_names"] | undefined, setUrl: (change: Partial<Filters>) => void) {
  const { t } = useTranslation();
  const words = useWords();
  return useMemo(() => {
    const say: Record<FilterName, (value: string) => string> = {
      c: (v) => `${words.metric("correctness")} ${v}`,
      t: (v) => `${words.metric("trust")} ${v}`,
      cause: words.cause,
      category: words.category,
      theme: (v) => words.theme(v, themes?.[v]),
      tag: (v) => v,
      low: (v) => (v === "true" ? t("words.low_score") : t("run.notLow")),
      state: (v) => t(`cell.${v}`),
      q: (v) => `“${v}”`,
    };
    return filterNames
      .filter((n) => filters[n])
      .map((name) => ({ name, text: say[name](filters[name]), clear: () => setUrl({ [name]: "" }) }));
  }, [filters, themes, setUrl, t, words]);
}

function Buying({
  run,
  what,
  onStarted,
  onClose,
}: {
  run: string;
  what: "diagnose" | "analyse" | null;
  onStarted: (job: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const analyse = what === "analyse";
  return (
    <BuyDialog
      opened={what !== null}
      title={analyse ? t("run.analyse") : t("run.diagnose")}
      text={analyse ? t("run.analyseText") : t("run.diagnoseText")}
      action={t("run.start")}
      path={`/runs/${run}/${analyse ? "analyse-questions" : "diagnose"}`}
      body={noBody}
      onClose={onClose}
      onStarted={onStarted}
    />
  );
}

const noBody = {};

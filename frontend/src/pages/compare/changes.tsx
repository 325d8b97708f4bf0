import { Select } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ChangeUrl } from "../../app/url";
import { useList } from "../../api/queries";
import type { ChangeRow, ComparisonView, Label } from "../../api/types";
import { Badge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { Await, Empty } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { LabelBadge } from "../../parts/labelbadge";
import { Card } from "../../parts/page";
import { useNeighbours } from "../../parts/neighbours";
import { ExportMenu, FilterChips, SearchBox } from "../../parts/tools";
import { useWords } from "../../parts/words";
import { ChangePanel } from "./change";
import css from "./compare.module.css";

/** What narrows the questions of a comparison, as it stands in the address and as the server names it. */
export const changeFilters = ["label", "class", "match", "metric", "q"] as const;

type Url = Record<"baseline" | "candidate" | "sort" | "question" | (typeof changeFilters)[number], string>;

/** The questions of a comparison, worst first, and the one that is open beside them. */
export function Changes({
  comparison: c,
  label,
  url,
  setUrl,
}: {
  comparison: ComparisonView;
  label: string;
  url: Url;
  setUrl: ChangeUrl<keyof Url>;
}) {
  const { t } = useTranslation();
  const params = {
    baseline: c.baseline.run_id,
    candidate: c.candidate.run_id,
    label,
    class: url.class,
    match: url.match,
    metric: url.metric,
    q: url.q,
    sort: url.sort,
  };
  const list = useList<ChangeRow>("/comparisons/questions", params);
  const columns = useColumns(c, url.metric);
  const chips = useChips({ ...url, label }, setUrl);
  const { more, place, previous, next } = useNeighbours(
    list,
    url.question,
    (r) => r.question_id,
    (question) => setUrl({ question }),
  );
  return (
    <Card
      className={css.changes}
      title={label ? t(`compare.title_${label as Label}`) : t("compare.questions")}
      aside={
        <div className="row no-print">
          <span className="soft small figures" aria-live="polite">
            {list.isSuccess && t("compare.count", { count: list.total })}
          </span>
          <FilterChips filters={chips} onClear={() => setUrl({ ...Object.fromEntries(changeFilters.map((n) => [n, ""])), label: "all" })} />
          <ClassChoice comparison={c} value={url.class} onChange={(v) => setUrl({ class: v })} />
          <SearchBox label={t("run.search")} value={url.q} onChange={(q) => setUrl({ q })} />
          <ExportMenu path="/comparisons/questions" params={params} />
        </div>
      }
    >
      <Await query={list}>
        {() => (
          <>
            <ThemesBy rows={list.rows} />
            <DataTable
              label={t("compare.questions")}
              columns={columns}
              rows={list.rows}
              rowKey={(r) => r.question_id}
              total={list.total}
              more={more}
              sort={url.sort}
              onSort={(sort) => setUrl({ sort })}
              onOpen={(r) => setUrl({ question: r.question_id }, { push: !url.question })}
              open={url.question}
              rowHeight={106}
              height="max(300px, 64vh)"
              empty={<Empty title={label === "worse" ? t("compare.noWorse") : t("run.noneFound")} next={t("run.noneFoundNext")} />}
            />
          </>
        )}
      </Await>
      {url.question && (
        <ChangePanel
          comparison={c}
          question={url.question}
          place={place}
          onClose={() => setUrl({ question: "" })}
          onPrevious={previous}
          onNext={next}
        />
      )}
    </Card>
  );
}

function ClassChoice({ comparison: c, value, onChange }: { comparison: ComparisonView; value: string; onChange: (v: string) => void }) {
  const { t, i18n } = useTranslation();
  const ja = i18n.language === "ja";
  return (
    <Select
      size="xs"
      w={230}
      clearable
      aria-label={t("compare.why")}
      placeholder={t("compare.why")}
      value={value || null}
      onChange={(v) => onChange(v ?? "")}
      data={c.classes.map((k) => ({ value: k.class, label: `${ja ? k.ja : k.en} (${k.count})` }))}
    />
  );
}

/** The metrics whose scores stand beside each question: correctness and trust where both runs have them, what decides, and the chosen one. */
export function scoresShown(c: Pick<ComparisonView, "metrics" | "decide_by">, chosen: string): string[] {
  const usual = ["correctness", "trust"].filter((id) => id in c.metrics);
  return [...new Set([...usual, ...(c.decide_by ?? []), ...(chosen ? [chosen] : [])])];
}

function useColumns(c: ComparisonView, metric: string): Column<ChangeRow>[] {
  const { t } = useTranslation();
  const words = useWords();
  return useMemo(() => {
    return [
      { id: "label", header: t("compare.change"), width: "148px", sort: "label", cell: (r) => <LabelOf row={r} metric={metric} /> },
      { id: "question", header: t("run.question"), width: "minmax(240px, 3fr)", sort: "id", cell: (r) => <QuestionCell row={r} /> },
      ...scoresShown(c, metric).map((id) => ({
        id,
        header: words.metric(id),
        width: "118px",
        sort: id,
        cell: (r: ChangeRow) => <Move was={r.before[id]} is={r.after[id]} lowerIsBetter={c.metrics[id]?.lower_is_better} />,
      })),
      {
        id: "class",
        header: t("compare.why"),
        width: "minmax(170px, 1.3fr)",
        sort: "class",
        cell: (r) =>
          r.class ? (
            <span className={css.told} title={words.class(r.class)}>
              {words.class(r.class)}
            </span>
          ) : (
            <span className="soft">{absent}</span>
          ),
      },
      { id: "cause", header: t("compare.cause"), width: "minmax(130px, 1fr)", cell: (r) => <CauseMove row={r} say={words.cause} /> },
    ];
  }, [t, words, metric, c]);
}

function LabelOf({ row, metric }: { row: ChangeRow; metric: string }) {
  const { t } = useTranslation();
  const label = metric ? row.changes[metric]?.label : row.label;
  return label ? <LabelBadge label={label} /> : <Badge>{t(`match.${row.match}`)}</Badge>;
}

/** Of how many votes the scores of a question are means; nothing where each run has one. */
export function VotesOf({ row }: { row: ChangeRow }) {
  const { i18n } = useTranslation();
  return row.votes ? <span className="soft small">{i18n.language === "ja" ? row.votes.ja : row.votes.en}</span> : null;
}

/** Of which classification the themes under the questions are, once for all rows; a list may have them of both. */
function ThemesBy({ rows }: { rows: ChangeRow[] }) {
  const { t, i18n } = useTranslation();
  const by = new Set(rows.flatMap((r) => (r.theme_by ? [i18n.language === "ja" ? r.theme_by.ja : r.theme_by.en] : [])));
  return by.size > 0 ? (
    <p className="soft small" data-said="theme_by">
      {t("compare.themeBy", { by: [...by].join(" / ") })}
    </p>
  ) : null;
}

function QuestionCell({ row }: { row: ChangeRow }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <div className={css.question}>
      <div className={css.asked} title={row.question}>
        {row.question}
      </div>
      <div className="soft small clip">
        <span className="mono">{row.question_id}</span> {words.theme(row.theme ?? "", row.theme_name)}{" "}
        {row.critical && <Badge tone="worse">{t("question.critical")}</Badge>}{" "}
        {row.became_low && <Badge tone="worse">{t("compare.becameLow")}</Badge>}{" "}
        {row.flaky && <Badge tone="needs_check">{t("compare.flaky")}</Badge>}
      </div>
      <Remark row={row} votes />
    </div>
  );
}

/** The parts of a remark in a language, in one line. */
export function remarkOf(row: ChangeRow, language: string, word: (kind: string) => string, votes: boolean): string {
  const kinds = row.verdict?.transition ? row.verdict.kinds.map(word).join(" → ") : "";
  const [remark, means] = language === "ja" ? [row.remark_ja, row.votes?.ja] : [row.remark_en, row.votes?.en];
  return [kinds, remark, votes && means].filter(Boolean).join(" · ");
}

/**
 * What the word alone does not say: how the kind of answer changed, the remark of the verdict, and in a list of how many votes its scores
 * are means, which badges leave no room for.
 */
export function Remark({ row, votes = false }: { row: ChangeRow; votes?: boolean }) {
  const { i18n } = useTranslation();
  const words = useWords();
  const said = remarkOf(row, i18n.language, (kind) => words.word("answer_kind", kind), votes);
  return said ? (
    <div className="soft small clip" title={said}>
      {said}
    </div>
  ) : null;
}

/** A score before and after, with an arrow that says which way is good. */
function Move({
  was,
  is,
  lowerIsBetter = false,
}: {
  was: number | undefined;
  is: number | undefined;
  lowerIsBetter?: boolean | undefined;
}) {
  const format = useFormat();
  const differs = was !== undefined && is !== undefined && was !== is;
  const good = differs && is > was !== lowerIsBetter;
  return (
    <span className={`figures ${differs ? (good ? css.good : css.bad) : "soft"}`}>
      {format.score(was)} → {format.score(is)} {differs && <Icon name={good ? "better" : "worse"} size={9} />}
    </span>
  );
}

function CauseMove({ row, say }: { row: ChangeRow; say: (code: string) => string }) {
  const { cause_before: was, cause_after: is } = row;
  if (!was && !is) return <span className="soft">{absent}</span>;
  const text = was === is && is ? say(is) : `${was ? say(was) : absent} → ${is ? say(is) : absent}`;
  return (
    <span className={css.told} title={text}>
      {text}
    </span>
  );
}

function useChips(url: Url, setUrl: ChangeUrl<keyof Url>) {
  const { t } = useTranslation();
  const words = useWords();
  return useMemo(() => {
    const say = {
      label: (v: string) => words.label(v),
      class: words.class,
      match: (v: string) => t(`match.${v}`),
      metric: words.metric,
      q: (v: string) => `“${v}”`,
    };
    return changeFilters
      .filter((n) => url[n])
      .map((name) => ({ name, text: say[name](url[name]), clear: () => setUrl({ [name]: name === "label" ? "all" : "" }) }));
  }, [url, setUrl, t, words]);
}

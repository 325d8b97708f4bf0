import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Metric, QuestionRow } from "../../api/types";
import { Badge, ScoreBadge } from "../../parts/badges";
import type { Column } from "../../parts/datatable";
import { absent } from "../../parts/format";
import { isLowBy } from "../../parts/lowlines";
import { useWords } from "../../parts/words";
import css from "./run.module.css";

/** The columns of the questions of a run: the two scores of the chart, and every other metric for those who ask. */
export function useQuestionColumns(suite: Metric[], threshold: number, own?: string[] | null): Column<QuestionRow>[] {
  const { t, i18n } = useTranslation();
  const words = useWords();
  return useMemo(() => {
    const ja = i18n.language === "ja";
    const score = (m: Metric): Column<QuestionRow> => {
      const rubric = own?.length ? isLowBy(own, m.id) : m.id === "correctness" || m.id === "trust";
      return {
        id: m.id,
        header: ja ? m.title_ja : m.title_en,
        width: rubric ? "100px" : "132px",
        right: true,
        sort: m.id,
        optional: !rubric,
        cell: (r) => (
          <ScoreBadge
            value={r.scores[m.id]}
            unscored={r.failure ? "error" : r.unscored?.[m.id]}
            low={own?.length ? isLowBy(own, m.id, r.scores[m.id]) : rubric && (r.scores[m.id] ?? Infinity) <= threshold}
          />
        ),
      };
    };
    const rubrics = suite.filter((m) => (own?.length ? isLowBy(own, m.id) : m.id === "correctness" || m.id === "trust"));
    return [
      { id: "id", header: "ID", width: "minmax(76px, 110px)", sort: "id", cell: (r) => <span className="mono clip">{r.question_id}</span> },
      { id: "question", header: t("run.question"), width: "minmax(240px, 3fr)", cell: (r) => <QuestionCell row={r} /> },
      {
        id: "answer",
        header: t("run.answer"),
        width: "minmax(240px, 3fr)",
        optional: true,
        cell: (r) => (
          <div className="clip" lang={r.lang}>
            {r.answer || absent}
          </div>
        ),
      },
      ...rubrics.map(score),
      {
        id: "cause",
        header: t("run.cause"),
        width: "140px",
        sort: "cause",
        cell: (r) =>
          r.cause ? (
            <div className="clip" title={words.cause(r.cause)}>
              {words.cause(r.cause)}
            </div>
          ) : (
            <span className="soft">{absent}</span>
          ),
      },
      {
        id: "category",
        header: t("run.category"),
        width: "150px",
        sort: "category",
        optional: true,
        cell: (r) => (r.category ? words.category(r.category) : absent),
      },
      {
        id: "theme",
        header: t("run.theme"),
        width: "minmax(100px, 1fr)",
        sort: "theme",
        cell: (r) => <span className="clip">{words.theme(r.theme ?? "", r.theme_name) || absent}</span>,
      },
      { id: "state", header: t("run.state"), width: "100px", sort: "state", optional: true, cell: (r) => t(`cell.${r.state}`) },
      { id: "contexts", header: t("run.contextCount"), width: "110px", right: true, optional: true, cell: (r) => r.contexts },
      ...suite.filter((m) => !rubrics.includes(m)).map(score),
    ];
  }, [suite, threshold, own, t, i18n.language, words]);
}

function QuestionCell({ row }: { row: QuestionRow }) {
  const { t } = useTranslation();
  return (
    <div className={css.questionCell} lang={row.lang}>
      <span className="clip" title={row.question}>
        {row.critical && <Badge tone="worse">{t("question.critical")}</Badge>} {row.question}
      </span>
    </div>
  );
}

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { Points, RunCharts, RunDetail } from "../../api/types";
import { readSteps, writeSteps } from "../../parts/bubblegrid";
import { Bubbles } from "../../parts/bubbles";
import { PlanChart } from "../../parts/chart/chart";
import { Await } from "../../parts/faces";
import { Icon } from "../../parts/icon";
import { Card } from "../../parts/page";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { useWords } from "../../parts/words";
import { type Filters, serverFilters } from "./filters";
import css from "./run.module.css";

interface ChartsProps {
  detail: RunDetail;
  points: Points;
  filters: Filters;
  onFilter: (change: Partial<Filters>) => void;
  onDiagnose?: (() => void) | undefined;
  onAnalyse?: (() => void) | undefined;
  /** What stands below the bubbles. */
  below?: ReactNode;
}

/** The bubble chart and the bars beside it. What is chosen in one narrows all others. */
export function Charts({ detail, points, filters, onFilter, onDiagnose, onAnalyse, below }: ChartsProps) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const { q: _, ...narrowing } = serverFilters(filters);
  const drawn = useGet<RunCharts>(`/runs/${encodeURIComponent(detail.row.run_id)}/charts`, narrowing, { keep: true });
  const rated = points.ids.filter((_, i) => points.correctness[i] !== null && points.trust[i] !== null).length;
  const low = points.low.filter(Boolean).length;
  const finished = detail.row.state === "finished";
  const untold = finished && points.ids.length > 0 && points.rated === 0;
  const own = Boolean(points.own_low?.length);
  const line = i18n.language === "ja" ? points.line.ja : points.line.en;
  const invitation = (filter: string) => {
    if (filter === "cause" && own && low > 0) return <p key={filter}>{t("run.ownCauses")}</p>;
    if (filter === "cause" && low > 0 && finished)
      return <Invitation key={filter} title={t("run.causes")} text={t("run.noCauses")} action={t("run.diagnose")} onAction={onDiagnose} />;
    if (filter === "category" && finished)
      return (
        <Invitation key={filter} title={t("run.categories")} text={t("run.noCategories")} action={t("run.analyse")} onAction={onAnalyse} />
      );
    return null;
  };

  return (
    <div className={css.charts}>
      <div className={css.leftColumn}>
        <Card
          title={t("run.answers")}
          className={css.bubbles}
          aside={
            detail.row.state === "finished" && (
              <SendToNotebook brief cells={[{ type: "failures", body: `of: run:${detail.row.run_id}\n` }]} />
            )
          }
        >
          <p>
            {untold
              ? t(points.low_unsaid ? "run.lowUnsaid" : own ? "run.lowUnrated" : "run.lowUntold")
              : t("run.lowOf", { low, rated: own ? points.rated : rated })}{" "}
            {!points.low_unsaid && <span className="soft">{t("run.threshold", { line })}</span>}
          </p>
          {own || points.low_unsaid ? (
            <p className="soft">{t("run.squaresLack")}</p>
          ) : (
            <>
              <Await query={drawn} rows={8}>
                {({ bubbles }) => (
                  <Bubbles
                    plan={bubbles}
                    chosen={{ correctness: readSteps(filters.c), trust: readSteps(filters.t) }}
                    onChoose={(c) => onFilter({ c: writeSteps(c.correctness), t: writeSteps(c.trust) })}
                  />
                )}
              </Await>
              <p className="soft small">
                {t("run.legend")} {points.ids.length > rated && t("run.unscored", { n: points.ids.length - rated })}
              </p>
            </>
          )}
        </Card>
        {below}
      </div>
      <Card className={css.sidebars}>
        <Await query={drawn} rows={12}>
          {({ bars }) => (
            <>
              {(["cause", "category", "theme", "tag"] as const).map((filter) => {
                const own = bars.filter((b) => b.filter === filter);
                if (own.length === 0) return invitation(filter);
                return own.map(({ plan }) => (
                  <PlanChart
                    key={plan.title?.en}
                    plan={plan}
                    brief
                    first={{ cause: 8, category: 8, theme: 7, tag: 4 }[filter]}
                    note={
                      filter === "cause" && <p className="soft small">{words.word("cause_method", points.cause_method || "observed")}</p>
                    }
                    choose={{
                      chosen: filters[filter] ? (m) => m.key === filters[filter] : undefined,
                      pick: ({ key = "" }) => onFilter({ [filter]: filters[filter] === key ? "" : key }),
                    }}
                  />
                ));
              })}
            </>
          )}
        </Await>
        <p className="soft small">{t("run.barsLegend")}</p>
      </Card>
    </div>
  );
}

function Invitation({
  title,
  text,
  action,
  onAction,
}: {
  title: string;
  text: string;
  action: string;
  onAction?: (() => void) | undefined;
}) {
  return (
    <section className={css.invitation}>
      <h3>{title}</h3>
      <p className="soft small">{text}</p>
      {onAction && (
        <Button variant="light" size="compact-sm" className="no-print" leftSection={<Icon name="search" size={13} />} onClick={onAction}>
          {action}
        </Button>
      )}
    </section>
  );
}

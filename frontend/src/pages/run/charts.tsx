import { Button } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Points, RunDetail } from "../../api/types";
import { BubbleChart } from "../../parts/bubblechart";
import { countPoints, readSteps, writeSteps } from "../../parts/bubblegrid";
import { Icon } from "../../parts/icon";
import { Card } from "../../parts/page";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { SortedBars } from "../../parts/sortedbars";
import { useWords } from "../../parts/words";
import { type FilterName, type Filters, groups, passes, tagGroups } from "./filters";
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
  const { t } = useTranslation();
  const words = useWords();
  const counts = useMemo(() => countPoints(points.correctness, points.trust, passes(points, filters, "bubbles")), [points, filters]);
  const full = useMemo(() => countPoints(points.correctness, points.trust), [points]);
  const bars = useMemo(() => {
    const by = (name: FilterName, column: string[]) => groups(points, column, passes(points, filters, name));
    return {
      cause: by("cause", points.cause),
      category: by("category", points.category),
      theme: by("theme", points.theme),
      tags: tagGroups(points, passes(points, filters, "tag")),
    };
  }, [points, filters]);
  const choose = (name: FilterName) => (key: string) => onFilter({ [name]: key });
  const rated = full.flat().reduce((a, b) => a + b, 0);
  const low = points.low.filter(Boolean).length;

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
            {t("run.lowOf", { low, rated })} <span className="soft">{t("run.threshold", { threshold: points.threshold })}</span>
          </p>
          <BubbleChart
            title={t("run.bubbleTitle", { low, rated, threshold: points.threshold })}
            counts={counts}
            threshold={points.threshold}
            scale={Math.max(1, ...full.flat())}
            chosen={{ correctness: readSteps(filters.c), trust: readSteps(filters.t) }}
            onChoose={(c) => onFilter({ c: writeSteps(c.correctness), t: writeSteps(c.trust) })}
          />
          <p className="soft small">
            {t("run.legend")} {points.ids.length > rated && t("run.unscored", { n: points.ids.length - rated })}
          </p>
        </Card>
        {below}
      </div>
      <Card className={css.sidebars}>
        {bars.cause.length > 0 ? (
          <SortedBars
            title={t("run.causes")}
            note={words.word("cause_method", points.cause_method || "observed")}
            bars={bars.cause.map((b) => ({ key: b.key, name: words.cause(b.key), count: b.count }))}
            chosen={filters.cause}
            onChoose={choose("cause")}
          />
        ) : (
          low > 0 &&
          detail.row.state === "finished" && (
            <Invitation title={t("run.causes")} text={t("run.noCauses")} action={t("run.diagnose")} onAction={onDiagnose} />
          )
        )}
        {bars.category.length > 0 ? (
          <SortedBars
            title={t("run.categories")}
            bars={bars.category.map((b) => ({ ...b, name: words.category(b.key) }))}
            chosen={filters.category}
            onChoose={choose("category")}
          />
        ) : (
          detail.row.state === "finished" && (
            <Invitation title={t("run.categories")} text={t("run.noCategories")} action={t("run.analyse")} onAction={onAnalyse} />
          )
        )}
        {bars.theme.length > 0 && (
          <SortedBars
            title={t("run.themes")}
            bars={bars.theme.map((b) => ({ ...b, name: words.theme(b.key, points.theme_names[b.key]) }))}
            chosen={filters.theme}
            onChoose={choose("theme")}
            shown={7}
          />
        )}
        {[...bars.tags].map(([name, list]) => (
          <SortedBars
            key={name}
            title={t("run.tagGroup", { name })}
            bars={list.map((b) => ({ ...b, name: b.key.slice(name.length + 1) }))}
            chosen={filters.tag}
            onChoose={choose("tag")}
            shown={4}
          />
        ))}
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

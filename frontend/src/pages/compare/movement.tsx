import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { ComparisonView, Movements, Bubbles as Numbers, RunRow } from "../../api/types";
import { type Chosen, writeSteps } from "../../parts/bubblegrid";
import { Bubbles } from "../../parts/bubbles";
import type { Plan } from "../../parts/chart/plan";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import css from "./compare.module.css";

const nothing: Chosen = { correctness: [], trust: [] };

/** How many answers have both scores. */
export const rated = (bubbles: Numbers) => (bubbles.counts ?? []).flat().reduce((a, b) => a + b, 0);

/** Both runs as bubbles on one scale. Choosing bubbles in one shows in the other where those answers went, or came from. */
export function Movement({ comparison: c }: { comparison: ComparisonView }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<{ side: 0 | 1; cells: Chosen }>({ side: 0, cells: nothing });
  const { correctness, trust } = chosen.cells;
  const some = correctness.length + trust.length > 0;
  const followed = useGet<Movements>(
    some ? "/comparisons/movement" : null,
    {
      baseline: c.baseline.run_id,
      candidate: c.candidate.run_id,
      side: chosen.side === 0 ? "before" : "after",
      correctness: correctness.join(","),
      trust: trust.join(","),
    },
    { keep: true },
  ).data;
  const plans = (some && followed) || c.charts;
  const [before, after] = c.bubbles;
  if (!before || !after || rated(before) + rated(after) === 0) return null; // neither run has both scores: there is nothing to draw
  const chart = (side: 0 | 1, own: Numbers, run: RunRow) => (
    <Side
      key={side}
      title={side === 0 ? t("words.before") : t("words.after")}
      run={run}
      bubbles={own}
      plan={side === 0 ? plans.before : plans.after}
      chosen={some && chosen.side === side ? chosen.cells : nothing}
      onChoose={(cells) => setChosen({ side, cells })}
    />
  );
  return (
    <Card
      className={css.movement}
      title={t("compare.movement")}
      aside={
        <span className="soft small" aria-live="polite">
          {some
            ? chosen.side === 0
              ? t("compare.whereTo")
              : t("compare.whereFrom")
            : t("compare.movementHint", { threshold: after.low_score })}{" "}
          {some && (
            <Button size="compact-xs" variant="light" onClick={() => setChosen({ side: 0, cells: nothing })}>
              {t("filter.clear")}
            </Button>
          )}
        </span>
      }
    >
      <div className={css.pair}>
        {chart(0, before, c.baseline)}
        {chart(1, after, c.candidate)}
      </div>
    </Card>
  );
}

interface SideProps {
  title: string;
  run: RunRow;
  bubbles: Numbers;
  plan: Plan;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}

function Side({ title, run, bubbles, plan, chosen, onChoose }: SideProps) {
  const { t } = useTranslation();
  const some = chosen.correctness.length + chosen.trust.length > 0;
  return (
    <div>
      <div className="row apart">
        <h3>{title}</h3>
        <span className="figures">
          <strong>{t("compare.lowShort", { low: bubbles.low })}</strong>{" "}
          <span className="soft small">{t("compare.of", { rated: rated(bubbles) })}</span>
        </span>
      </div>
      <Bubbles plan={plan} chosen={chosen} onChoose={onChoose} />
      {some && (
        <PageLink to={`/runs/${run.run_id}`} search={{ c: writeSteps(chosen.correctness), t: writeSteps(chosen.trust) }} className="small">
          {t("compare.showInRun")}
        </PageLink>
      )}
    </div>
  );
}

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ParetoPoint, SweepView } from "../../api/types_sweep";
import { PlanChart } from "../../parts/chart/chart";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { type Axis, costOf, nameOf } from "./grid";
import css from "./pareto.module.css";

/** Quality against cost or latency. Those that no other beats are numbered and joined. */
export function Pareto({ view, axes }: { view: SweepView; axes: Axis[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const [by, setBy] = useState("cost");
  const timed = view.pareto.some((p) => p.latency_ms > 0);
  const { money, cost } = costOf(view.pareto);
  const against = (p: ParetoPoint) => (by === "latency" && timed ? p.latency_ms : cost(p));
  const plan = by === "latency" && timed ? view.charts.latency : view.charts.cost;
  const name = (id: string) => {
    const point = view.runs.find((p) => p.run.run_id === id);
    return point ? nameOf(point, axes, words) : id;
  };
  const front = view.pareto.filter((p) => p.standing === "front").sort((a, b) => against(a) - against(b));
  return (
    <Card
      title={t("sweep.pareto")}
      aside={
        timed && (
          <SegmentedControl
            className="no-print"
            size="xs"
            aria-label={t("sweep.against")}
            value={by}
            onChange={setBy}
            data={[
              { value: "cost", label: t("sweep.cost") },
              { value: "latency", label: t("sweep.latency") },
            ]}
          />
        )
      }
    >
      {view.pareto.length === 0 ? (
        <p className="soft">{t("sweep.noPareto")}</p>
      ) : (
        <>
          {plan && <PlanChart plan={plan} leads={(run) => ({ to: `/runs/${run}` })} />}
          <ol className={css.front}>
            {front.map((p) => (
              <li key={p.run_id}>
                <PageLink to={`/runs/${p.run_id}`}>{name(p.run_id)}</PageLink>{" "}
                <span className="soft figures">
                  {format.share(p.quality)} ·{" "}
                  {money ? format.money(cost(p), "") : t("sweep.tokensOf", { n: format.count(p.context_tokens) })}
                </span>
              </li>
            ))}
          </ol>
          <p className="soft small">{t("sweep.paretoLegend")}</p>
        </>
      )}
    </Card>
  );
}

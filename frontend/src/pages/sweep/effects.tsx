import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SweepView } from "../../api/types_sweep";
import { PlanChart } from "../../parts/chart/chart";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import { metricName } from "./names";

/** What each value of each parameter does to a metric when all others count alike, with 95% intervals, on one scale. */
export function Effects({ view, metric, onMetric }: { view: SweepView; metric: string; onMetric: (metric: string) => void }) {
  const { t } = useTranslation();
  const words = useWords();
  const chosen = view.effects.find((e) => e.metric === metric) ?? view.effects[0];
  const plan = view.charts.effects.find((e) => e.metric === chosen?.metric)?.plan;
  return (
    <Card
      title={t("sweep.effects")}
      aside={
        view.effects.length > 1 && (
          <SegmentedControl
            className="no-print"
            size="xs"
            aria-label={t("sweep.measure")}
            value={chosen?.metric ?? ""}
            onChange={onMetric}
            data={view.effects.map((e) => ({ value: e.metric, label: metricName(words, t, e.metric) }))}
          />
        )
      }
    >
      {!chosen || !plan ? (
        <p className="soft">{t("sweep.noEffects")}</p>
      ) : (
        <>
          <PlanChart plan={plan} />
          <p className="soft small">{t("sweep.effectsLegend", { n: chosen.n })}</p>
        </>
      )}
    </Card>
  );
}

import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { LevelEffect, SweepView } from "../../api/types_sweep";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import { metricName, tidy } from "./names";
import css from "./effects.module.css";

/** What each value of each parameter does to a metric when all others count alike, with 95 % intervals, on one scale. */
export function Effects({ view, metric, onMetric }: { view: SweepView; metric: string; onMetric: (metric: string) => void }) {
  const { t } = useTranslation();
  const words = useWords();
  const chosen = view.effects.find((e) => e.metric === metric) ?? view.effects[0];
  const params = [...new Set(chosen?.levels.map((l) => l.param))];
  const reach = Math.max(1e-9, ...(chosen?.levels ?? []).flatMap((l) => [l.effect, ...(l.ci95 ?? [])]).map(Math.abs));
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
      {!chosen || chosen.levels.length === 0 ? (
        <p className="soft">{t("sweep.noEffects")}</p>
      ) : (
        <>
          <table className={css.effects} aria-label={t("sweep.effects")}>
            <thead>
              <tr>
                <th scope="col">{t("sweep.value")}</th>
                <th scope="col" className={css.track}>
                  <span className={css.scaleEnds}>
                    <span>{t("sweep.lower")}</span>
                    <span>{t("sweep.higher")}</span>
                  </span>
                </th>
                <th scope="col" className={css.right}>
                  {t("sweep.mean")}
                </th>
                <th scope="col" className={css.right}>
                  {t("sweep.effect")}
                </th>
              </tr>
            </thead>
            {params.map((param) => (
              <tbody key={param}>
                <tr>
                  <th colSpan={4} scope="rowgroup" className={css.param}>
                    {param}
                  </th>
                </tr>
                {chosen.levels
                  .filter((l) => l.param === param)
                  .map((level) => (
                    <Level key={level.value} level={level} reach={reach} />
                  ))}
              </tbody>
            ))}
          </table>
          <p className="soft small">{t("sweep.effectsLegend", { n: chosen.n })}</p>
        </>
      )}
    </Card>
  );
}

function Level({ level, reach }: { level: LevelEffect; reach: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const x = (v: number) => 100 + (v / reach) * 92;
  const [low, high] = level.ci95 ?? [undefined, undefined];
  const clear = low !== undefined && high !== undefined && (low > 0 || high < 0);
  const words = low === undefined || high === undefined ? "" : t("sweep.interval", { low: format.signed(low), high: format.signed(high) });
  return (
    <tr>
      <td className="figures">{level.value}</td>
      <td className={css.track}>
        <svg viewBox="0 0 200 16" preserveAspectRatio="none" role="img" aria-label={words || t("sweep.noInterval")}>
          <title>{words || t("sweep.noInterval")}</title>
          <line x1={100} x2={100} y1={0} y2={16} className={css.zero} />
          {low !== undefined && high !== undefined && <line x1={x(low)} x2={x(high)} y1={8} y2={8} className={css.whisker} />}
          <rect x={x(level.effect) - 2.2} y={3} width={4.4} height={10} className={clear ? css.dotClear : css.dot} />
        </svg>
      </td>
      <td className={`${css.right} figures`}>{format.mean(tidy(level.mean))}</td>
      <td className={`${css.right} figures`}>
        {clear ? (
          <strong>{format.signed(tidy(level.effect))}</strong>
        ) : (
          <span className="soft">{level.ci95 ? format.signed(tidy(level.effect)) : absent}</span>
        )}
      </td>
    </tr>
  );
}

import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { Ref } from "../../api/types";
import type { ExperimentDetail } from "../../api/types_experiments";
import type { SweepView } from "../../api/types_sweep";
import { type HeatAsked, heatCells, lowShare } from "../../parts/heatcells";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { experimentCells, type SentCell } from "../../parts/sentcells";
import { useWords } from "../../parts/words";
import { lowScores, valuesOf } from "./grid";
import css from "./sweep.module.css";

/**
 * Sends a sweep to a notebook: as a heat map of a score by theme and a setting, with or without the cells that say what was run. All of it
 * reads the runs that are stored.
 */
export function SendSweep({ view, metric: shown }: { view: SweepView; metric: string }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const metrics = [...new Set(view.runs.flatMap((p) => Object.keys(p.run.totals?.scores ?? {})))];
  const settings = view.axes.filter((a) => a.values.length > 1).map((a) => a.name);
  const usual = metrics.includes("correctness") ? "correctness" : (metrics[0] ?? lowShare);
  const [metric, setMetric] = useState(metrics.includes(shown) ? shown : shown === lowScores ? lowShare : usual);
  const [rows, setRows] = useState<HeatAsked["rows"]>("theme");
  const [setting, setSetting] = useState(settings.find((s) => s === "retrieve.k") ?? settings[0] ?? view.axes[0]?.name ?? "retrieve.k");
  const asked = { metric, rows, setting };
  const experiment = useGet<ExperimentDetail>(`/experiments/${encodeURIComponent(view.sweep.experiment)}`).data;
  const title = {
    metric: metric === lowShare ? t("heat.lowShare") : words.metric(metric),
    rows: t(`heat.${rows}`),
    setting: words.param(setting),
  };
  const each = configurationsOf(view, setting);
  const spec = words.metrics.find((m) => m.id === metric);
  const scale = spec ? t(spec.lower_is_better ? "heat.lower" : "heat.higher", { min: spec.min, max: spec.max }) : "";
  const over = { [i18n.language]: t(each ? "heat.title" : "heat.titleAll", { ...title, count: each }) + scale };
  const named = (cell: SentCell, label: string): SentCell => ({ ...cell, label });
  const cells = [named(heatCells(asked, `run:${view.sweep.run_id}`, [], over), t("heat.of", title))];
  // What the experiment says by now is what was run only where nobody has edited it since.
  if (experiment && experiment.revision === view.sweep.revision) {
    const frozen = { ...experiment.definition, corpus: refOf(view.sweep.corpus), dataset: refOf(view.sweep.dataset) };
    const [run] = experimentCells(frozen);
    if (run)
      cells.push(
        named(
          heatCells(asked, (n) => n.run ?? "", [run], over),
          t("heat.withRun", title),
        ),
        named(run, t("heat.runAlone")),
      );
  }
  return (
    <SendToNotebook
      name={nameOf(view.sweep.experiment, rows, setting)}
      cells={cells}
      options={
        <div className={css.asked}>
          <NativeSelect
            label={t("heat.score")}
            value={metric}
            onChange={(e) => setMetric(e.currentTarget.value)}
            data={[...metrics.map((id) => ({ value: id, label: words.metric(id) })), { value: lowShare, label: t("heat.lowShare") }]}
          />
          <NativeSelect
            label={t("heat.down")}
            value={rows}
            onChange={(e) => setRows(e.currentTarget.value as HeatAsked["rows"])}
            data={(["theme", "type"] as const).map((value) => ({ value, label: t(`heat.${value}`) }))}
          />
          <NativeSelect
            label={t("heat.across")}
            value={setting}
            onChange={(e) => setSetting(e.currentTarget.value)}
            data={(settings.length ? settings : [setting]).map((value) => ({ value, label: words.param(value) }))}
          />
        </div>
      }
    />
  );
}

/** How many finished configurations each value of a setting has; 0 where they are not equally many. */
function configurationsOf(view: SweepView, setting: string): number {
  const counts = new Map<string, number>();
  for (const p of view.runs.filter((r) => r.run.totals)) {
    const value = valuesOf(p).get(setting) ?? "";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [first = 0, ...rest] = counts.values();
  return rest.every((n) => n === first) ? first : 0;
}

/** A version of a corpus or dataset as a cell names it; "" where there is none. */
const refOf = (r: Ref) => (r.name ? `${r.name}@${r.version}` : "");

/** The name of a new notebook: what of which experiment it shows. */
const nameOf = (experiment: string, rows: string, setting: string) =>
  `${experiment}-${rows}-${setting.slice(setting.lastIndexOf(".") + 1)}`.replace(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60);

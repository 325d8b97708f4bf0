import { Button, Checkbox } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TrendPoint } from "../../../api/types_trend";
import { comparePath, mostBeside } from "../../../parts/runwords";

/** The runs that are chosen to stand side by side. */
export interface Picked {
  runs: ReadonlySet<string>;
  toggle: (run: string) => void;
  clear: () => void;
}

/** Nothing is chosen at first. */
export function usePicked(): Picked {
  const [runs, setRuns] = useState<ReadonlySet<string>>(new Set());
  const toggle = (run: string) => {
    const next = new Set(runs);
    if (!next.delete(run)) next.add(run);
    setRuns(next);
  };
  return { runs, toggle, clear: () => setRuns(new Set()) };
}

/** Chooses a point of the trend, or lets go of it. */
export function Pick({ run, name, picked, brief = false }: { run: string; name: string; picked: Picked; brief?: boolean }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="xs"
      my={brief ? 0 : 6} // with it, what stands below is not hit by mistake: WCAG 2.5.8
      className="no-print"
      {...(brief ? { "aria-label": t("table.choose", { name }) } : { label: t("trend.pick") })}
      checked={picked.runs.has(run)}
      onChange={() => picked.toggle(run)}
    />
  );
}

/** Opens the chosen points side by side: with the baseline where it is one of them, else with the oldest. */
export function ComparePicked({ points, picked }: { points: TrendPoint[]; picked: Picked }) {
  const { t } = useTranslation();
  const router = useRouter();
  const [first, ...others] = points
    .filter((p) => p.run && picked.runs.has(p.run.run_id))
    .sort((a, b) => Number(b.is_baseline) - Number(a.is_baseline))
    .map((p) => p.run?.run_id ?? "");
  const ready = first && others.length > 0 && others.length <= mostBeside;
  return (
    <div className="row no-print">
      <Button variant="default" disabled={!ready} onClick={() => ready && router.history.push(comparePath(first, ...others))}>
        {t("trend.compareChosen")}
      </Button>
      <span className="soft small" role="status">
        {picked.runs.size > 0 ? t("trend.picked", { count: picked.runs.size }) : t("trend.chooseSome")}
      </span>
      {picked.runs.size > 0 && (
        <Button size="compact-xs" variant="subtle" onClick={picked.clear}>
          {t("filter.clear")}
        </Button>
      )}
    </div>
  );
}

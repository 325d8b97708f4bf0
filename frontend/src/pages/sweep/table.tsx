import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ParetoPoint, SweepPoint, SweepView } from "../../api/types_sweep";
import { Badge, Mean, StateBadge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { absent, useFormat } from "../../parts/format";
import { PageLink } from "../../parts/pagelink";
import { comparePath, mostBeside } from "../../parts/runwords";
import { useWords } from "../../parts/words";
import { type Axis, valuesOf } from "./grid";

interface Row extends SweepPoint {
  pareto: ParetoPoint | undefined;
}

const keys: Record<string, (row: Row) => number | undefined> = {
  low: (r) => r.run.totals?.low_score_count,
  correctness: (r) => r.run.totals?.scores.correctness?.mean,
  trust: (r) => r.run.totals?.scores.trust?.mean,
  coverage: (r) => r.run.totals?.scores.span_coverage?.mean,
  tokens: (r) => r.pareto?.context_tokens,
  latency: (r) => r.pareto?.latency_ms,
  repaired: (r) => r.repaired.length,
  broken: (r) => r.broken.length,
};

/** Sorts rows; what has no value comes last in either direction. */
export function sortRows<T>(rows: T[], sort: string, keyOf: Record<string, (row: T) => number | undefined>): T[] {
  const down = sort.startsWith("-");
  const key = keyOf[down ? sort.slice(1) : sort];
  if (!key) return rows;
  return [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    return down ? y - x : x - y;
  });
}

/** All configurations with their figures. Two to six of them can be compared. */
export function Configurations({ view, axes }: { view: SweepView; axes: Axis[] }) {
  const { t } = useTranslation();
  const router = useRouter();
  const columns = useColumns(view, axes);
  const [sort, setSort] = useState("low");
  const [chosen, setChosen] = useState<Set<string>>(new Set());
  const rows = useMemo(
    () =>
      sortRows(
        view.runs.map((p) => ({ ...p, pareto: view.pareto.find((x) => x.run_id === p.run.run_id) })),
        sort,
        keys,
      ),
    [view, sort],
  );
  const [first = ""] = [...chosen];
  const baseline = view.baseline && chosen.has(view.baseline) ? view.baseline : first;
  const others = [...chosen].filter((id) => id !== baseline);
  const compare = () => router.history.push(comparePath(baseline, ...others));
  return (
    <div className="stack">
      <div className="row no-print">
        <Button variant="default" disabled={others.length === 0 || others.length > mostBeside} onClick={compare}>
          {t("sweep.compareTwo")}
        </Button>
        <span className="soft small">{t("sweep.chooseSome")}</span>
      </div>
      <DataTable
        label={t("sweep.configurations")}
        columns={columns}
        rows={rows}
        rowKey={(r) => r.run.run_id}
        total={rows.length}
        sort={sort}
        onSort={setSort}
        chosen={chosen}
        onChoose={setChosen}
        onOpen={(r) => router.history.push(`/runs/${r.run.run_id}`)}
        rowHeight={36}
        height={rows.length > 20 ? "640px" : "auto"}
      />
      <p className="soft small">{t("sweep.standingLegend")}</p>
    </div>
  );
}

function useColumns(view: SweepView, axes: Axis[]): Column<Row>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  return useMemo(() => {
    const mean = (id: string, key: string): Column<Row> => ({
      id: key,
      header: words.metric(id),
      sort: key,
      right: true,
      width: id === "span_coverage" ? "136px" : "118px",
      cell: (r) => <Mean mean={r.run.totals?.scores[id]?.mean} n={r.run.totals?.scores[id]?.n} />,
    });
    const all: Column<Row>[] = [
      {
        id: "run",
        header: t("sweep.run"),
        width: "112px",
        cell: (r) => (
          <PageLink className="mono" to={`/runs/${r.run.run_id}`}>
            {r.run.run_id}
          </PageLink>
        ),
      },
      ...axes.map(
        (a): Column<Row> => ({
          id: a.name,
          header: words.param(a.name),
          width: `minmax(${Math.max(words.param(a.name).length, ...a.values.map((v) => v.length)) * 8 + 32}px, 0.6fr)`,
          cell: (r) => words.value(a.name, valuesOf(r).get(a.name) ?? absent),
        }),
      ),
      {
        id: "role",
        header: <span className="hidden-text">{t("trend.role")}</span>,
        name: t("sweep.isWinner"),
        width: "minmax(90px, 0.6fr)",
        cell: (r) => (
          <span className="row" style={{ gap: 6 }}>
            {r.run.run_id === view.winner && <Badge tone="accent">★ {t("sweep.isWinner")}</Badge>}
            {r.run.run_id === view.baseline && <Badge>{t("sweep.isBaseline")}</Badge>}
            {r.run.state !== "finished" && <StateBadge state={r.run.state} />}
          </span>
        ),
      },
      {
        id: "low",
        header: t("sweep.lowScores"),
        sort: "low",
        right: true,
        width: "110px",
        cell: (r) => (r.run.totals ? format.count(r.run.totals.low_score_count) : absent),
      },
      mean("correctness", "correctness"),
      mean("trust", "trust"),
      {
        id: "repaired",
        header: t("sweep.shown.repaired"),
        sort: "repaired",
        right: true,
        width: "124px",
        cell: (r) => (r.run.run_id === view.baseline ? absent : r.repaired.length),
      },
      {
        id: "broken",
        header: t("sweep.shown.broken"),
        sort: "broken",
        right: true,
        width: "92px",
        cell: (r) => (r.run.run_id === view.baseline ? absent : r.broken.length),
      },
      {
        id: "standing",
        header: t("sweep.standing"),
        width: "104px",
        cell: (r) => (r.pareto ? t(`standing.${r.pareto.standing}`) : absent),
      },
      mean("span_coverage", "coverage"),
      {
        id: "tokens",
        header: t("sweep.contextTokens"),
        sort: "tokens",
        right: true,
        width: "124px",
        cell: (r) => format.count(r.pareto?.context_tokens),
      },
      {
        id: "latency",
        header: t("sweep.latency"),
        sort: "latency",
        right: true,
        width: "112px",
        cell: (r) => (r.pareto?.latency_ms ? format.count(r.pareto.latency_ms) : absent),
      },
    ];
    return all.filter((c) => !(c.id === "latency" && view.pareto.every((p) => !p.latency_ms)));
  }, [view, axes, t, format, words]);
}

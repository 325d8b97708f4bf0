import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ParetoPoint, SweepView } from "../../api/types_sweep";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { type Axis, costOf, nameOf, ticks } from "./grid";
import css from "./pareto.module.css";

const box = { left: 52, top: 14, width: 430, height: 250 };

/** Quality against cost or latency. Those that no other beats are filled and joined; hollow ones are beaten; half ones within noise. */
export function Pareto({ view, axes }: { view: SweepView; axes: Axis[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [by, setBy] = useState("cost");
  const timed = view.pareto.some((p) => p.latency_ms > 0);
  const { money, cost } = costOf(view.pareto);
  const against = (p: ParetoPoint) => (by === "latency" && timed ? p.latency_ms : cost(p));
  const label = by === "latency" && timed ? t("sweep.latency") : money ? t("sweep.price", { currency: "" }).trim() : t("sweep.tokens");
  const name = (id: string) => {
    const point = view.runs.find((p) => p.run.run_id === id);
    return point ? nameOf(point, axes) : id;
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
          <Drawing points={view.pareto} front={front} against={against} label={label} name={name} baseline={view.baseline} />
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

interface DrawingProps {
  points: ParetoPoint[];
  front: ParetoPoint[];
  against: (p: ParetoPoint) => number;
  label: string;
  name: (id: string) => string;
  baseline: string | undefined;
}

function Drawing({ points, front, against, label, name, baseline }: DrawingProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const across = ticks(points.map(against));
  const up = ticks(points.map((p) => p.quality));
  const scale = (marks: number[], length: number) => (v: number) => {
    const low = marks[0] ?? 0;
    const high = marks[marks.length - 1] ?? 1;
    return ((v - low) / (high - low)) * length;
  };
  const toX = scale(across, box.width);
  const toY = scale(up, box.height);
  const x = (p: ParetoPoint) => box.left + toX(against(p));
  const y = (p: ParetoPoint) => box.top + box.height - toY(p.quality);
  return (
    <svg
      className={css.pareto}
      viewBox={`0 0 ${box.left + box.width + 16} ${box.top + box.height + 46}`}
      role="group"
      aria-label={t("sweep.pareto")}
    >
      {across.map((v) => (
        <g key={v}>
          <line x1={box.left + toX(v)} x2={box.left + toX(v)} y1={box.top} y2={box.top + box.height} className={css.gridline} />
          <text x={box.left + toX(v)} y={box.top + box.height + 17} textAnchor="middle">
            {format.score(v)}
          </text>
        </g>
      ))}
      {up.map((v) => (
        <g key={v}>
          <line
            x1={box.left}
            x2={box.left + box.width}
            y1={box.top + box.height - toY(v)}
            y2={box.top + box.height - toY(v)}
            className={css.gridline}
          />
          <text x={box.left - 7} y={box.top + box.height - toY(v) + 4} textAnchor="end">
            {format.share(v)}
          </text>
        </g>
      ))}
      <text x={box.left + box.width / 2} y={box.top + box.height + 38} textAnchor="middle" className={css.axisName}>
        {label}
      </text>
      <text transform={`translate(12 ${box.top + box.height / 2}) rotate(-90)`} textAnchor="middle" className={css.axisName}>
        {t("sweep.quality")}
      </text>
      <polyline points={front.map((p) => `${x(p)},${y(p)}`).join(" ")} className={css.frontLine} />
      {points.map((p) => {
        const words = t("sweep.point", {
          name: name(p.run_id),
          quality: format.share(p.quality),
          cost: format.score(Math.round(against(p) * 100) / 100),
          standing: t(`standing.${p.standing}`),
        });
        const number = front.indexOf(p) + 1;
        return (
          <PageLink key={p.run_id} to={`/runs/${p.run_id}`} className={css.point} aria-label={words}>
            <title>{words}</title>
            {p.run_id === baseline && <rect x={x(p) - 11} y={y(p) - 11} width={22} height={22} className={css.baseMark} />}
            <circle cx={x(p)} cy={y(p)} r={number > 0 ? 8.5 : 6} className={css[p.standing]} />
            {p.standing === "tied" && <path d={`M${x(p)} ${y(p) - 6}a6 6 0 0 1 0 12z`} className={css.half} />}
            {number > 0 && (
              <text x={x(p)} y={y(p) + 4} textAnchor="middle" className={css.number}>
                {number}
              </text>
            )}
          </PageLink>
        );
      })}
    </svg>
  );
}

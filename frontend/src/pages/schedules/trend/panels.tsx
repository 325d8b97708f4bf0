import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { TrendPoint } from "../../../api/types_trend";
import { useFormat } from "../../../parts/format";
import { Hatch } from "../../../parts/hatch";
import { useWords } from "../../../parts/words";
import { paintOf, usePaints } from "./paint";
import { axis, bands, type Columns, pieces, reach, type stacks, upward } from "./series";
import css from "./trend.module.css";

/** A place for one drawing: all of them stand below each other over the same fires. */
export interface Place {
  top: number;
  height: number;
  left: number;
  right: number;
  columns: Columns;
}

/** How much room the title of a drawing takes. */
export const titleHeight = 22;

interface FrameProps {
  place: Place;
  title: string;
  marks: number[];
  say: (mark: number) => string;
}

/** The title of a drawing, and its axis. */
function Frame({ place, title, marks, say }: FrameProps) {
  const bottom = place.top + place.height;
  const y = upward(marks, bottom, place.height - titleHeight);
  return (
    <g>
      <text x={2} y={place.top + 12} className={css.title}>
        {title}
      </text>
      {marks.map((m) => (
        <g key={m}>
          <line x1={place.left} x2={place.right} y1={y(m)} y2={y(m)} className={css.gridline} />
          <text x={place.left - 6} y={y(m) + 4} textAnchor="end">
            {say(m)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** The mean of a metric over the fires, with the band of its interval. */
export function MetricPanel({ points, metric, place }: { points: TrendPoint[]; metric: string; place: Place }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const spec = words.spec(metric);
  const scale = spec && spec.max > spec.min ? { min: spec.min, max: spec.max } : undefined;
  const marks = axis(reach(points, metric), scale);
  const y = upward(marks, place.top + place.height, place.height - titleHeight);
  const x = place.columns.middle;
  const name = words.metric(metric);
  const title = scale ? t("trend.metricOn", { name, min: format.score(scale.min), max: format.score(scale.max) }) : name;
  return (
    <g>
      <Frame
        place={place}
        title={spec?.lower_is_better ? `${title} ↓ ${t("answer.lowerIsBetter")}` : title}
        marks={marks}
        say={marks.every(Number.isInteger) ? format.score : format.mean}
      />
      {marks.length === 0 && (
        <text x={place.left} y={place.top + titleHeight + 14}>
          {t("trend.noValue")}
        </text>
      )}
      {pieces(points, metric).map((piece) => (
        <g key={piece[0]?.at}>
          {bands(piece).map((band) => {
            const first = band[0];
            if (!first) return null;
            const wide = band.length === 1 ? [-4, 4] : [0];
            const upper = band.flatMap((b) => wide.map((d) => `${x(b.at) + d},${y(b.high)}`));
            const lower = band.flatMap((b) => wide.map((d) => `${x(b.at) + d},${y(b.low)}`));
            return <polygon key={first.at} points={[...upper, ...lower.reverse()].join(" ")} className={css.band} />;
          })}
          <polyline points={piece.map((p) => `${x(p.at)},${y(p.value.mean)}`).join(" ")} className={css.line} />
          {piece.map((p) => (
            <g key={p.at}>
              {points[p.at]?.is_baseline && (
                <rect x={x(p.at) - 7} y={y(p.value.mean) - 7} width={14} height={14} className={css.isBaseline} />
              )}
              <circle cx={x(p.at)} cy={y(p.value.mean)} r={Math.min(3.6, place.columns.wide / 2.4)} className={css.dot} />
            </g>
          ))}
        </g>
      ))}
    </g>
  );
}

/** How wide a bar is in its column; where columns are narrow, bars touch, and no edges hide them. */
const barOf = ({ wide }: Columns) => (wide < 4 ? wide : Math.min(30, wide * 0.62));
const edgeOf = ({ wide }: Columns) => (wide < 8 ? 0 : 0.9);

/** Low scores of each fire as a share, with the interval, and n of N written where there is room. */
export function LowPanel({ points, place }: { points: TrendPoint[]; place: Place }) {
  const { t } = useTranslation();
  const format = useFormat();
  const hatch = useId();
  const shares = points.flatMap((p) => (p.run && p.run.scored > 0 ? [p.run.low_share.mean, ...(p.run.low_share.ci95 ?? [])] : []));
  const marks = axis([0, ...shares], { min: 0, max: 1 }, 3);
  const y = upward(marks, place.top + place.height, place.height - titleHeight);
  const wide = barOf(place.columns);
  const cap = Math.min(3, place.columns.wide * 0.35);
  const thresholds = [...new Set(points.flatMap((p) => (p.run ? [p.run.low_score] : [])))];
  const title = thresholds.length === 1 ? t("trend.lowTitle", { threshold: format.score(thresholds[0]) }) : t("trend.lowTitles");
  return (
    <g>
      <Hatch id={hatch} />
      <Frame place={place} title={title} marks={marks} say={format.share} />
      {points.map((p, at) => {
        if (!p.run || p.run.scored === 0) return null;
        const x = place.columns.middle(at);
        const { mean, ci95 } = p.run.low_share;
        const [low, high] = ci95 ?? [];
        const text =
          place.columns.wide >= 52
            ? t("bars.lowOf", { low: p.run.low, count: p.run.scored })
            : place.columns.wide >= 18
              ? format.count(p.run.low)
              : "";
        return (
          <g key={`${p.at} ${at}`}>
            <rect
              x={x - wide / 2}
              y={y(mean)}
              width={wide}
              height={Math.max(1, y(0) - y(mean))}
              fill={`url(#${hatch})`}
              strokeWidth={edgeOf(place.columns)}
              className={css.lowBar}
            />
            {low !== undefined && high !== undefined && (
              <path
                d={`M${x - cap} ${y(high)}h${2 * cap}m${-cap} 0V${y(low)}m${-cap} 0h${2 * cap}`}
                strokeWidth={Math.min(1.2, place.columns.wide / 5)}
                className={css.whisker}
              />
            )}
            {text && (
              <text x={x + 6} y={Math.max(place.top + titleHeight - 2, y(high ?? mean) - 4)} textAnchor="middle" className={css.count}>
                {text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

type Stacked = ReturnType<typeof stacks>[number];

/** The causes of low scores of the fires that were analysed by one method. */
export function CausePanel({ group, place, components }: { group: Stacked; place: Place; components: string[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const paints = usePaints();
  const marks = axis([0, group.most], undefined, 3).filter(Number.isInteger);
  const y = upward(marks, place.top + place.height, place.height - titleHeight);
  const wide = barOf(place.columns);
  return (
    <g>
      {paints.defs}
      <Frame
        place={place}
        title={t("trend.causesBy", { method: words.word("cause_method", group.method) })}
        marks={marks}
        say={format.count}
      />
      {group.stacks.flatMap((s) =>
        s.parts.map((part) => {
          const top = y(part.from + part.n);
          const height = y(part.from) - top;
          return (
            <g key={`${s.at} ${part.component}`}>
              <rect
                x={place.columns.middle(s.at) - wide / 2}
                y={top}
                width={wide}
                height={height}
                fill={paints.fill(paintOf(components, part.component))}
                strokeWidth={edgeOf(place.columns)}
                className={css.part}
              />
              {height >= 15 && wide >= 16 && (
                <text x={place.columns.middle(s.at)} y={top + height / 2 + 4} textAnchor="middle" className={css.inBar}>
                  {part.n}
                </text>
              )}
            </g>
          );
        }),
      )}
    </g>
  );
}

import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, memo, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { TrendPoint } from "../../../api/types_trend";
import { PageLink } from "../../../parts/pagelink";
import type { FireWords } from "./fire";
import { CausePanel, LowPanel, MetricPanel, type Place, titleHeight } from "./panels";
import { type Columns, columnsOf, type Flag, happenings, labelled, lanes, type Placed, stacks } from "./series";
import css from "./trend.module.css";

const left = 46;
const margin = 10;
const laneHeight = 17;
/** More lanes of words than this are not drawn: the list below the chart has them all. */
const mostLanes = 5;
const heights = { metric: 128, low: 112, causes: 118 };
const space = 14;
/** The least width of a fire: the most that the server gives are on one screen. */
const narrowest = 1.3;
/** The room that a date needs. */
const dateRoom = 96;

export interface ChartProps {
  points: TrendPoint[];
  metrics: string[];
  components: string[];
  words: FireWords;
  /** The fire whose values are shown beside the chart. */
  looked: number;
  onLook: (at: number) => void;
  label: string;
}

/** Where everything is, in pixels. */
interface Layout {
  width: number;
  columns: Columns;
  flags: Placed[];
  first: number;
  bottom: number;
  groups: ReturnType<typeof stacks>;
  places: Place[];
}

/** Puts what happened on top, and below it a drawing for each metric, for low scores, and for each method of finding causes. */
function layoutOf(points: TrendPoint[], metrics: string[], flags: Flag[], measured: number): Layout {
  const width = Math.max(measured || 860, left + margin + points.length * narrowest);
  const columns = columnsOf(points.length, left, width - left - margin);
  const placed = lanes(flags, columns.middle, width);
  const groups = stacks(points);
  const first = Math.min(mostLanes, Math.max(0, ...placed.map((f) => f.lane + 1))) * laneHeight + 8;
  let next = first;
  const places = [...metrics.map(() => heights.metric), heights.low, ...groups.map(() => heights.causes)].map((height) => {
    const top = next;
    next += height + space;
    return { top, height, left, right: width - margin, columns };
  });
  return { width, columns, flags: placed, first, bottom: next - space, groups, places };
}

/** Everything over the same fires: what happened, lines of metrics, bars of low scores, causes. Each fire is a column to point at. */
export function TrendChart({ points, metrics, components, words, looked, onLook, label }: ChartProps) {
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const flags = useFlags(points, words);
  const layout = useMemo(() => layoutOf(points, metrics, flags, measured), [points, metrics, flags, measured]);
  const { width, columns, first, bottom } = layout;
  return (
    <div ref={ref} className={css.scroll}>
      <svg viewBox={`0 0 ${width} ${bottom + 24}`} width={width} height={bottom + 24} className={css.chart} role="group" aria-label={label}>
        <Drawings points={points} metrics={metrics} components={components} words={words} layout={layout} />
        <Fires
          points={points}
          metrics={metrics}
          words={words}
          looked={looked}
          onLook={onLook}
          top={first - titleHeight / 4}
          bottom={bottom}
          columns={columns}
        />
      </svg>
    </div>
  );
}

/** What does not change when another fire is pointed at. */
const Drawings = memo(function Drawings({
  points,
  metrics,
  components,
  words,
  layout,
}: Pick<ChartProps, "points" | "metrics" | "components" | "words"> & { layout: Layout }) {
  const { width, columns, flags, first, bottom, groups, places } = layout;
  const [lowPlace, ...causePlaces] = places.slice(metrics.length);
  return (
    <>
      {points.map(
        (p, at) =>
          !p.run && (
            <rect
              key={`${p.at} ${at}`}
              x={columns.left(at)}
              y={first}
              width={columns.wide}
              height={bottom - first}
              className={css.nothing}
            />
          ),
      )}
      {flags.map((f) => (
        <line
          key={f.at}
          x1={columns.middle(f.at)}
          x2={columns.middle(f.at)}
          y1={Math.min(f.lane, mostLanes) * laneHeight + 4}
          y2={bottom}
          className={css.flagLine}
        />
      ))}
      {places.slice(0, metrics.length).map((place, i) => (
        <MetricPanel key={metrics[i]} points={points} metric={metrics[i] ?? ""} place={place} />
      ))}
      {lowPlace && <LowPanel points={points} place={lowPlace} />}
      {causePlaces.map((place, i) => {
        const group = groups[i];
        return group && <CausePanel key={group.method} group={group} components={components} place={place} />;
      })}
      {flags
        .filter((f) => f.lane < mostLanes)
        .map((f) => (
          <text
            key={f.at}
            x={columns.middle(f.at) + (f.end ? -5 : 5)}
            y={f.lane * laneHeight + 13}
            textAnchor={f.end ? "end" : "start"}
            className={css.flag}
          >
            {f.text}
          </text>
        ))}
      {labelled(points.length, columns.wide, dateRoom, margin).map((at) => {
        const p = points[at];
        const anchor = columns.middle(at) + dateRoom / 2 > width ? "end" : "middle";
        return (
          <text key={at} x={anchor === "end" ? width - 2 : columns.middle(at)} y={bottom + 18} textAnchor={anchor}>
            {p && words.brief(p)}
          </text>
        );
      })}
    </>
  );
});

/** The words of what happened at each fire, and of slots without figures where they begin. */
function useFlags(points: TrendPoint[], words: FireWords): Flag[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const out: Flag[] = [];
    let before = "";
    points.forEach((p, at) => {
      const happened = happenings(p);
      const state = p.run ? "" : p.state === "ran" ? "none" : p.state;
      if (happened.length > 2) out.push({ at, text: t("trend.changes", { count: happened.length }) });
      else if (happened.length > 0) out.push({ at, text: happened.map(words.happening).join(" · ") });
      else if (state && state !== before) {
        const until = points.findIndex((q, i) => i > at && (q.run || q.state !== p.state));
        const n = (until < 0 ? points.length : until) - at;
        out.push({ at, text: n > 1 ? t("trend.several", { what: words.state(state), n }) : words.state(state) });
      }
      before = state;
    });
    return out;
  }, [points, words, t]);
}

interface FiresProps {
  points: TrendPoint[];
  metrics: string[];
  words: FireWords;
  looked: number;
  onLook: (at: number) => void;
  top: number;
  bottom: number;
  columns: Columns;
}

/** The fires as columns: pointing at one or reaching it by the arrow keys shows its values, choosing it opens its run. */
function Fires({ points, metrics, words, looked, onLook, top, bottom, columns }: FiresProps) {
  const nodes = useRef<(Element | null)[]>([]);
  const spoken = useMemo(() => points.map((p) => words.spoken(p, metrics)), [points, metrics, words]);
  const go = (to: number) => {
    const node = nodes.current[to];
    if (!(node instanceof SVGElement)) return;
    onLook(to);
    node.focus();
  };
  const onKeyDown = (at: number) => (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(Math.min(points.length - 1, Math.max(0, to)));
  };
  return points.map((p, at) => {
    const column = <rect x={columns.left(at)} y={top} width={columns.wide} height={bottom - top + 24} rx={3} />;
    const common = {
      className: `${css.fire} ${at === looked ? css.looked : ""}`,
      tabIndex: at === looked ? 0 : -1,
      "aria-label": spoken[at],
      onMouseEnter: () => onLook(at),
      onFocus: () => onLook(at),
      onKeyDown: onKeyDown(at),
      "data-fire": at,
    };
    const keep = (node: Element | null) => {
      nodes.current[at] = node;
    };
    return p.run ? (
      <PageLink key={`${p.at} ${at}`} {...common} to={`/runs/${p.run.run_id}`} ref={keep}>
        {column}
      </PageLink>
    ) : (
      <g key={`${p.at} ${at}`} {...common} role="img" ref={keep}>
        {column}
      </g>
    );
  });
}

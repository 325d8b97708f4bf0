import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Behind } from "./behind";
import css from "./chart.module.css";
import { firstOf, type Mark, type Plan, said, saidOf, wordsIn } from "./plan";
import { draw, type Scene } from "./scene";
import { placeOf, type Target, Targets, useBrush } from "./targets";

/** Marks nearer than this to the pointer are named, in pixels. */
const reach = 28;

/** What can be chosen in a chart. */
export interface Choice {
  /** Whether a mark is chosen; absent where nothing is. */
  chosen?: ((mark: Mark) => boolean) | undefined;
  pick: (mark: Mark) => void;
  /** Hears of the marks in a box that was drawn over the chart. */
  brush?: (marks: Mark[]) => void;
  /** The categories of the axes, each counted from 0. */
  axes?: {
    name: (axis: "x" | "y", at: number) => string;
    chosen: (axis: "x" | "y", at: number) => boolean;
    pick: (axis: "x" | "y", at: number) => void;
  };
}

interface PlanChartProps {
  plan: Plan;
  /** In the place of the plan's own. */
  title?: string;
  /** In the place of the language of the page. */
  lang?: string;
  choose?: Choice;
  /** Where a mark or a place leads to, by its key. */
  leads?: (key: string) => Target["to"];
  /** Hears of the mark or place that is pointed at or reached; -1 for none. */
  onLook?: (at: number) => void;
  /** The place that is shown beside the chart. */
  looked?: number;
  /** Without the sentence below: for several charts beside each other. */
  brief?: boolean;
  /** How many bars stand there at first. */
  first?: number;
  /** What stands below the title. */
  note?: ReactNode;
}

/**
 * A chart as the server decided it. Its sentence is its name; the arrow keys walk over the marks and say each; the rows behind it
 * are one click away. Marks that can be chosen are buttons, those that lead somewhere are links.
 */
export function PlanChart({ plan: whole, title, lang: read, choose, leads, onLook, looked, brief = false, first, note }: PlanChartProps) {
  const { t, i18n } = useTranslation();
  const lang = read ?? i18n.language;
  const [width, box] = useWidth(whole.mark === "bubble" ? 150 : 280);
  const [at, setAt] = useState(-1);
  const [all, setAll] = useState(false);
  const kept = choose?.chosen;
  const plan = useMemo(() => (first && !all ? firstOf(whole, first, kept) : whole), [whole, first, all, kept]);
  const scene = useMemo(() => draw(plan, lang, width), [plan, lang, width]);
  const brush = useBrush(scene, plan.marks, choose?.brush);
  const look = (to: number) => {
    setAt(to);
    if (to !== at) onLook?.(to);
  };
  const mark = plan.marks[at];
  const spot = scene.spots[at];
  const aims = Boolean(choose ?? leads);
  const point = (event: PointerEvent<SVGSVGElement>) => {
    brush.move?.(event);
    const p = placeOf(event);
    if (p) look(nearest(scene, plan, p.x, p.y));
  };
  const heading = title ?? wordsIn(plan.title, lang);
  const name = wordsIn(plan.summary, lang);
  return (
    <figure className={css.figure} ref={box} aria-label={heading ? undefined : name}>
      {heading && <figcaption>{aims ? <h3>{heading}</h3> : heading}</figcaption>}
      {note}
      <svg
        className={css.chart}
        role={aims ? "group" : "img"}
        aria-label={name}
        viewBox={`0 0 ${scene.width} ${scene.height}`}
        {...(aims ? {} : { tabIndex: 0, onKeyDown: walk(at, plan.marks.length - 1, look), onBlur: () => look(-1) })}
        data-brush={choose?.brush ? "" : undefined}
        {...brush.handlers}
        onPointerMove={point}
        onPointerLeave={() => look(-1)}
      >
        <Shapes scene={scene} faded={kept && ((i) => !kept(plan.marks[i] as Mark))} />
        {aims && <Targets targets={targetsOf(plan, scene, lang, choose, leads)} onReach={look} moved={brush.moved} looked={looked} />}
        {spot && !aims && <circle className="ring" cx={spot[0]} cy={spot[1]} r={9} />}
        {brush.box && <rect {...brush.box} className="brush" />}
      </svg>
      {!brief && (
        <p className={css.said} aria-live={aims ? undefined : "polite"}>
          {mark ? said(plan, mark, lang) : name}
        </p>
      )}
      {plan.notes?.map((n, i) => (
        <p key={i} className="soft small">
          {wordsIn(n, lang)}
        </p>
      ))}
      {first !== undefined && whole.marks.length > first && (
        <button type="button" className={`${css.more} no-print`} onClick={() => setAll(!all)}>
          {all ? t("bars.fewer") : t("bars.all", { n: whole.marks.length })}
        </button>
      )}
      <Behind plan={whole} lang={lang} label={t("chart.table")} rest={(n) => t("chart.rest", { n })} />
    </figure>
  );
}

/** The marks that can be chosen or followed, and behind them the categories of the axes. */
function targetsOf(plan: Plan, scene: Scene, lang: string, choose: Choice | undefined, leads: PlanChartProps["leads"]): Target[] {
  if (plan.places) {
    return plan.places.map(({ key }, i) => {
      const to = key ? leads?.(key) : undefined;
      return { id: String(i), box: scene.areas[i] ?? [0, 0, 0, 0], name: saidOf(plan, i, lang), ...(to && { to }) };
    });
  }
  const chosen = choose?.chosen;
  const out = plan.marks.map((m, i): Target => {
    const to = m.key ? leads?.(m.key) : undefined;
    return {
      id: m.key ?? String(i),
      box: scene.areas[i] ?? [0, 0, 0, 0],
      name: said(plan, m, lang),
      ...(to ? { to } : choose && { pick: () => choose.pick(m), pressed: chosen?.(m) ?? false }),
    };
  });
  const axes = choose?.axes;
  if (!axes) return out;
  const ticks = scene.ticks.map(({ axis, at, box }) => ({
    id: `${axis} ${at}`,
    box,
    name: axes.name(axis, at),
    pressed: axes.chosen(axis, at),
    pick: () => axes.pick(axis, at),
  }));
  return [...out, ...ticks];
}

/** The keys of a chart whose marks are only looked at. */
function walk(at: number, last: number, look: (at: number) => void) {
  return (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last, Escape: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    look(event.key === "Escape" ? -1 : Math.min(last, Math.max(0, to)));
  };
}

/** What is painted; marks that others were chosen before stand back. */
const Shapes = memo(function Shapes({ scene, faded }: { scene: Scene; faded: ((mark: number) => boolean) | undefined }) {
  return scene.shapes.map((x, i) => {
    const name = faded && x.mark !== undefined && faded(x.mark) ? `${x.class} faded` : x.class;
    if (x.text)
      return (
        <text key={i} className={name} x={x.x} y={x.y} textAnchor={x.anchor}>
          {x.text}
        </text>
      );
    return x.d ? <path key={i} className={name} d={x.d} /> : <rect key={i} className={name} x={x.x} y={x.y} width={x.w} height={x.h} />;
  });
});

/** The mark that is pointed at: the nearest, else the one in whose area the pointer is; -1 where none is near. */
function nearest(scene: Scene, plan: Plan, x: number, y: number): number {
  let [best, far] = [-1, reach * reach];
  for (const [i, [a, b]] of plan.places ? [] : scene.spots.entries()) {
    const d = (a - x) ** 2 + (b - y) ** 2;
    if (d < far) [best, far] = [i, d];
  }
  return best >= 0 ? best : scene.areas.findIndex(([left, top, w, h]) => x >= left && x <= left + w && y >= top && y <= top + h);
}

/** The width of an element as it is laid out: at most that of a drawing in a file and a half, at least what a drawing needs. */
function useWidth(least: number): [number, { current: HTMLElement | null }] {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(Math.min(960, Math.max(least, Math.floor(element.clientWidth)))));
    watch.observe(element);
    return () => watch.disconnect();
  }, [least]);
  return [width, box];
}

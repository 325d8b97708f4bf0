import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import css from "./bubblechart.module.css";
import { type Chosen, type Counts, countAt, isChosen, isLow, largest, steps } from "./bubblegrid";
import { Hatch } from "./hatch";
import { useWords } from "./words";

const left = 62;
const top = 12;

/** Where things are, in units of the drawing. */
interface Layout {
  wide: number; // one step of correctness
  high: number; // one step of trust
  width: number;
  height: number;
  largest: number; // radius
  x: (correctness: number) => number;
  y: (trust: number) => number;
}

function layoutOf(wide: number, high: number, largest: number): Layout {
  return {
    wide,
    high,
    largest,
    width: left + wide * 5 + 12,
    height: top + high * 5 + 50,
    x: (correctness) => left + (correctness - 0.5) * wide,
    y: (trust) => top + (5.5 - trust) * high,
  };
}

const layouts = { square: layoutOf(78, 78, 37), low: layoutOf(100, 37, 28) };

interface BubbleChartProps {
  title: string;
  counts: Counts;
  threshold: number;
  /** The count that has the largest bubble. Charts beside each other share it. */
  scale?: number;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  /** A lower drawing, for two charts beside each other with a list below them. */
  low?: boolean;
}

/**
 * Correctness × trust, one bubble for each pair of scores, its area the number of questions. Dragging over bubbles, a bubble,
 * or a number of an axis filters; every one of them can be reached by keyboard. Low scores are hatched, not only red.
 */
export function BubbleChart({ title, counts, threshold, scale, chosen, onChoose, low: lower = false }: BubbleChartProps) {
  const { t } = useTranslation();
  const words = useWords();
  const hatch = useId();
  const svg = useRef<SVGSVGElement>(null);
  const layout = layouts[lower ? "low" : "square"];
  const { x, y, wide, high, width, height } = layout;
  const brush = useBrush(svg, layout, onChoose);
  const most = scale ?? largest(counts);
  const tall = high * 5;
  const side = wide * 5;
  const edge = Math.min(5, Math.max(0, Math.floor(threshold)));
  const some = chosen.correctness.length > 0 || chosen.trust.length > 0;

  const pick = (correctness: number, trust: number) => {
    const only = chosen.correctness.length === 1 && chosen.trust.length === 1 && isChosen(chosen, correctness, trust);
    onChoose(only ? { correctness: [], trust: [] } : { correctness: [correctness], trust: [trust] });
  };
  const toggle = (axis: keyof Chosen, step: number) => {
    const list = chosen[axis];
    onChoose({ ...chosen, [axis]: list.includes(step) ? list.filter((s) => s !== step) : [...list, step].sort() });
  };

  return (
    <figure className={css.chart}>
      <figcaption className="hidden-text">{title}</figcaption>
      <svg ref={svg} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={title} {...brush.handlers}>
        <Hatch id={hatch} />
        <rect x={left} y={top} width={side} height={tall} className={css.plot} />
        {edge > 0 && <rect x={left} y={top} width={edge * wide} height={tall} className={css.zone} />}
        {edge > 0 && edge < 5 && (
          <rect x={left + edge * wide} y={top + (5 - edge) * high} width={(5 - edge) * wide} height={edge * high} className={css.zone} />
        )}
        {steps.slice(1).map((s) => (
          <g key={s} className={css.grid}>
            <line x1={left + (s - 1) * wide} y1={top} x2={left + (s - 1) * wide} y2={top + tall} />
            <line x1={left} y1={top + (s - 1) * high} x2={left + side} y2={top + (s - 1) * high} />
          </g>
        ))}
        {edge > 0 && edge < 5 && (
          <path d={`M${left + edge * wide} ${top}v${(5 - edge) * high}h${(5 - edge) * wide}`} className={css.border} />
        )}
        {steps.flatMap((trust) =>
          steps.map((correctness) => {
            const count = countAt(counts, correctness, trust);
            if (count === 0) return null;
            const low = isLow(correctness, trust, threshold);
            const radius = Math.max(6, Math.sqrt(count / most) * layout.largest);
            const inside = radius >= 12;
            return (
              <g
                key={`${correctness}-${trust}`}
                className={`${css.bubble} ${some && !isChosen(chosen, correctness, trust) ? css.faded : ""}`}
                role="button"
                tabIndex={0}
                aria-pressed={some && isChosen(chosen, correctness, trust)}
                aria-label={t(low ? "bubble.low" : "bubble.one", { correctness, trust, count })}
                onKeyDown={onEnter(() => pick(correctness, trust))}
                onClick={() => !brush.moved() && pick(correctness, trust)}
              >
                <circle
                  cx={x(correctness)}
                  cy={y(trust)}
                  r={radius}
                  fill={low ? `url(#${hatch})` : undefined}
                  className={low ? css.low : css.rest}
                />
                <text x={inside ? x(correctness) : x(correctness) + radius + 4} y={y(trust)} className={inside ? css.number : css.beside}>
                  {count}
                </text>
              </g>
            );
          }),
        )}
        {steps.map((s) => (
          <g key={s}>
            <Tick
              at={[x(s), top + tall + 15]}
              step={s}
              pressed={chosen.correctness.includes(s)}
              label={t("bubble.column", { step: s })}
              onPick={() => toggle("correctness", s)}
            />
            <Tick
              at={[left - 18, y(s)]}
              step={s}
              pressed={chosen.trust.includes(s)}
              label={t("bubble.row", { step: s })}
              onPick={() => toggle("trust", s)}
            />
          </g>
        ))}
        <text x={left + side / 2} y={height - 8} className={css.axis}>
          {words.metric("correctness")}
        </text>
        <text transform={`translate(14 ${top + tall / 2}) rotate(-90)`} className={css.axis}>
          {words.metric("trust")}
        </text>
        {brush.box && <rect {...brush.box} className={css.brush} />}
      </svg>
    </figure>
  );
}

function onEnter(run: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
}

function Tick({
  at,
  step,
  pressed,
  label,
  onPick,
}: {
  at: [number, number];
  step: number;
  pressed: boolean;
  label: string;
  onPick: () => void;
}) {
  return (
    <g
      role="button"
      tabIndex={0}
      aria-pressed={pressed}
      aria-label={label}
      className={css.tick}
      onClick={onPick}
      onKeyDown={onEnter(onPick)}
    >
      <rect x={at[0] - 13} y={at[1] - 12} width={26} height={24} rx={5} />
      <text x={at[0]} y={at[1]}>
        {step}
      </text>
    </g>
  );
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Dragging a box over the plot chooses the cells whose middle is inside. */
function useBrush(svg: { current: SVGSVGElement | null }, { x, y, high }: Layout, onChoose: (chosen: Chosen) => void) {
  const [box, setBox] = useState<Box | null>(null);
  const from = useRef<{ x: number; y: number } | null>(null);
  const dragged = useRef(false);

  // The drawing may be narrower than its element: the browser knows where it put it.
  const place = (event: PointerEvent) => {
    const matrix = svg.current?.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y };
  };
  const onPointerDown = (event: PointerEvent) => {
    const p = place(event);
    dragged.current = false;
    from.current = event.button === 0 && p.x >= left && p.y <= top + high * 5 ? p : null;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!from.current) return;
    const p = place(event);
    if (!dragged.current && Math.hypot(p.x - from.current.x, p.y - from.current.y) < 6) return;
    if (!dragged.current) svg.current?.setPointerCapture(event.pointerId);
    dragged.current = true;
    setBox({
      x: Math.min(p.x, from.current.x),
      y: Math.min(p.y, from.current.y),
      width: Math.abs(p.x - from.current.x),
      height: Math.abs(p.y - from.current.y),
    });
  };
  const onPointerUp = () => {
    from.current = null;
    setBox(null);
    if (!dragged.current || !box) return;
    onChoose({
      correctness: steps.filter((s) => x(s) >= box.x && x(s) <= box.x + box.width),
      trust: steps.filter((s) => y(s) >= box.y && y(s) <= box.y + box.height),
    });
  };
  return { box, moved: () => dragged.current, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp } };
}

import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import css from "./chart.module.css";
import { type Plan, said, shownIn, wordsIn } from "./plan";
import { draw } from "./scene";

/** Most rows of the table behind a chart that the page shows at once. */
const mostRows = 200;

/** Marks nearer than this to the pointer are named, in pixels. */
const reach = 28;

interface PlanChartProps {
  plan: Plan;
  /** In the place of the plan's own. */
  title?: string;
  /** In the place of the language of the page. */
  lang?: string;
  onPick?: (row: number) => void;
}

/**
 * A chart as the server decided it. Its sentence is its name; the arrow keys walk over the marks and say each; the rows behind it
 * are one click away. onPick hears of a mark that is clicked, or entered by keyboard.
 */
export function PlanChart({ plan, title, lang: read, onPick }: PlanChartProps) {
  const { t, i18n } = useTranslation();
  const lang = read ?? i18n.language;
  const [width, box] = useWidth();
  const [at, setAt] = useState(-1);
  const scene = useMemo(() => draw(plan, lang, width), [plan, lang, width]);
  const mark = plan.marks[at];
  const spot = scene.spots[at];
  const walk = (event: KeyboardEvent) => {
    const last = plan.marks.length - 1;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last, Escape: -1 }[event.key];
    if (event.key === "Enter" && mark) onPick?.(mark.row);
    if (to === undefined) return;
    event.preventDefault();
    setAt(event.key === "Escape" ? -1 : Math.min(last, Math.max(0, to)));
  };
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const matrix = event.currentTarget.getScreenCTM();
    if (!matrix) return;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    setAt(nearest(scene.spots, p.x, p.y));
  };
  const heading = title ?? wordsIn(plan.title, lang);
  return (
    <figure className={css.figure} ref={box}>
      {heading && <figcaption>{heading}</figcaption>}
      <svg
        className={`${css.chart} ${onPick ? css.picks : ""}`}
        role="img"
        aria-label={wordsIn(plan.summary, lang)}
        viewBox={`0 0 ${scene.width} ${scene.height}`}
        tabIndex={0}
        onKeyDown={walk}
        onPointerMove={point}
        onPointerLeave={() => setAt(-1)}
        onBlur={() => setAt(-1)}
        onClick={() => mark && onPick?.(mark.row)}
      >
        {scene.shapes.map((x, i) =>
          x.text ? (
            <text key={i} className={x.class} x={x.x} y={x.y} textAnchor={x.anchor}>
              {x.text}
            </text>
          ) : x.d ? (
            <path key={i} className={x.class} d={x.d} />
          ) : (
            <rect key={i} className={x.class} x={x.x} y={x.y} width={x.w} height={x.h} />
          ),
        )}
        {spot && <circle className="ring" cx={spot[0]} cy={spot[1]} r={9} />}
      </svg>
      <p className={css.said} aria-live="polite">
        {mark ? said(plan, mark, lang) : wordsIn(plan.summary, lang)}
      </p>
      {plan.notes?.map((n, i) => (
        <p key={i} className="soft small">
          {wordsIn(n, lang)}
        </p>
      ))}
      <Behind plan={plan} lang={lang} label={t("chart.table")} rest={(n) => t("chart.rest", { n })} />
    </figure>
  );
}

/** The rows behind a chart. */
function Behind({ plan, lang, label, rest }: { plan: Plan; lang: string; label: string; rest: (n: number) => string }) {
  const [open, setOpen] = useState(false);
  const left = plan.rows.length - mostRows;
  return (
    <details className={css.behind} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{label}</summary>
      {open && (
        <div className={css.rows} tabIndex={0} role="group" aria-label={label}>
          <table>
            <thead>
              <tr>
                {plan.head.map((h, i) => (
                  <th key={i} scope="col" className={h.number ? css.number : undefined}>
                    {wordsIn(h.title, lang)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {plan.rows.slice(0, mostRows).map((row, i) => (
                <tr key={i}>
                  {plan.head.map((h, k) => (
                    <td key={k} className={h.number ? css.number : undefined}>
                      {shownIn(plan, h, row[k], lang)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {left > 0 && <p className="soft small">{rest(left)}</p>}
        </div>
      )}
    </details>
  );
}

/** The mark nearest to a place; -1 where none is near. */
function nearest(spots: [number, number][], x: number, y: number): number {
  let [best, far] = [-1, reach * reach];
  for (const [i, [a, b]] of spots.entries()) {
    const d = (a - x) ** 2 + (b - y) ** 2;
    if (d < far) [best, far] = [i, d];
  }
  return best;
}

/** The width of an element as it is laid out: at most that of a drawing in a file and a half, at least what a drawing needs. */
function useWidth(): [number, { current: HTMLElement | null }] {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(Math.min(960, Math.max(280, Math.floor(element.clientWidth)))));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [width, box];
}

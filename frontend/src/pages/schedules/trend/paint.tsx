import { type ReactNode, useId } from "react";
import css from "./trend.module.css";

/** The fills that tell causes apart: colour and pattern, so that neither is the only sign. */
const fills = [css.fillA, css.fillB, css.fillC, css.fillD, css.fillE, css.fillF];
const patterns: ReactNode[] = [
  null,
  <path key="slash" d="M-2 2l4-4M0 8l8-8M6 10l4-4" className={css.stroke} />,
  <circle key="dot" cx="4" cy="4" r="1.6" className={css.spot} />,
];

/** Which of the fills a cause has: by its place in the pipeline among those that the series shows. */
export function paintOf(components: string[], component: string): number {
  return Math.max(0, components.indexOf(component)) % (fills.length * patterns.length);
}

/** The fills for one drawing: defs belong into it, fill(i) names one. */
export function usePaints(): { defs: ReactNode; fill: (i: number) => string } {
  const id = useId();
  return {
    defs: (
      <defs>
        {fills.flatMap((fill, f) =>
          patterns.map((pattern, p) => (
            <pattern key={`${f} ${p}`} id={`${id}-${f + p * fills.length}`} width="8" height="8" patternUnits="userSpaceOnUse">
              <rect width="8" height="8" className={fill} />
              {pattern}
            </pattern>
          )),
        )}
      </defs>
    ),
    fill: (i) => `url(#${id}-${patternAt(i)})`,
  };
}

/** Neighbours differ in colour and in pattern. */
function patternAt(i: number): number {
  const f = i % fills.length;
  const p = (i + Math.floor(i / fills.length)) % patterns.length;
  return f + p * fills.length;
}

/** The causes of a series with their fills. */
export function CauseLegend({ components, name }: { components: string[]; name: (component: string) => string }) {
  const paints = usePaints();
  return (
    <ul className={css.legend}>
      {components.map((c) => (
        <li key={c}>
          <svg width="16" height="12" aria-hidden="true" focusable="false">
            {paints.defs}
            <rect width="16" height="12" fill={paints.fill(paintOf(components, c))} className={css.part} />
          </svg>
          {name(c)}
        </li>
      ))}
    </ul>
  );
}

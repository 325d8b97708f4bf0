import css from "./hatch.module.css";

/** The hatching of low scores, so that red is not their only sign. Shapes use it as fill: `url(#id)`. */
export function Hatch({ id, size = 7 }: { id: string; size?: number }) {
  return (
    <defs>
      <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={size} height={size} className={css.ground} />
        <line x1="0" y1="0" x2="0" y2={size} strokeWidth={size * 0.57} className={css.line} />
      </pattern>
    </defs>
  );
}

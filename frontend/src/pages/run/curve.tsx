import { useTranslation } from "react-i18next";
import type { CauseReport } from "../../api/types";
import { useFormat } from "../../parts/format";
import css from "./run.module.css";

type Point = NonNullable<CauseReport["curve"]>[number];

const [width, height, left, bottom] = [360, 150, 34, 24];

/** What configurations repair against what they cost: the knee of it is recommended. Drawn from two points on. */
export function Curve({ points }: { points: Point[] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const name = (p: Point) => (i18n.language === "ja" ? p.name.ja : p.name.en);
  if (points.length < 2) return null;
  const cost = { least: Math.min(1, ...points.map((p) => p.cost)), most: Math.max(1.1, ...points.map((p) => p.cost)) };
  const most = Math.max(1, ...points.map((p) => p.repaired));
  const x = (p: Point) => left + ((width - left - 10) * (p.cost - cost.least)) / (cost.most - cost.least);
  const y = (p: Point) => height - bottom - ((height - bottom - 12) * Math.max(0, p.repaired)) / most;
  const line = points.filter((p) => !p.harms);
  return (
    <figure className={css.curve}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("run.curve")}>
        <path d={`M${left} 6V${height - bottom}H${width - 6}`} className={css.axis} />
        <text x={left - 4} y={14} textAnchor="end">
          {format.count(Math.round(most))}
        </text>
        <text x={left - 4} y={height - bottom} textAnchor="end">
          0
        </text>
        <text x={left} y={height - 6}>
          {t("run.curveCost")} {cost.least.toFixed(1)}
        </text>
        <text x={width - 6} y={height - 6} textAnchor="end">
          {cost.most.toFixed(1)}
        </text>
        <polyline points={line.map((p) => `${x(p)},${y(p)}`).join(" ")} className={css.curveLine} />
        {points.map((p) => (
          <Mark key={name(p)} point={p} x={x(p)} y={y(p)} />
        ))}
      </svg>
      <figcaption className="soft small">
        {t("run.curve")}. {t("run.curveLegend")}
      </figcaption>
      <ul className={`small ${css.curveList}`}>
        {points.map((p) => (
          <li key={name(p)}>{t("run.curvePoint", { change: name(p), repaired: Math.round(p.repaired), cost: p.cost.toFixed(1) })}</li>
        ))}
      </ul>
    </figure>
  );
}

function Mark({ point, x, y }: { point: Point; x: number; y: number }) {
  if (point.harms) return <path d={`M${x - 4} ${y - 4}l8 8m0-8l-8 8`} className={css.axis} />;
  const kind = point.recommended ? css.curveBest : point.tried ? css.curveTried : css.curveOpen;
  return <circle cx={x} cy={y} r={5} className={kind} />;
}

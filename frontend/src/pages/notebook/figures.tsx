import type { ReactNode } from "react";
import { absent } from "../../parts/format";
import css from "./output.module.css";

/** A small table. Columns of numbers stand to the right. */
export function SmallTable({
  label,
  head,
  rows,
  numbers = [],
}: {
  label: string;
  head: ReactNode[];
  rows: ReactNode[][];
  numbers?: number[];
}) {
  const side = (i: number) => (numbers.includes(i) ? css.right : undefined);
  return (
    <div className={css.wide} tabIndex={0} role="group" aria-label={label}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i} scope="col" className={side(i)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) => (
                <td key={k} className={side(k)}>
                  {cell === "" ? absent : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Numbers that are read first, each with its word. */
export function Figures({ figures }: { figures: { name: string; value: ReactNode }[] }) {
  return (
    <dl className={css.figures}>
      {figures.map((f) => (
        <div key={f.name}>
          <dd>{f.value}</dd>
          <dt>{f.name}</dt>
        </div>
      ))}
    </dl>
  );
}

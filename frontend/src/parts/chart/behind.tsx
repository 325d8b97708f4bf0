import { useState } from "react";
import css from "./behind.module.css";
import { type Plan, shownIn, wordsIn } from "./plan";

/** Most rows of the table behind a chart that the page shows at once. */
const mostRows = 200;

/** The rows behind a chart. */
export function Behind({ plan, lang, label, rest }: { plan: Plan; lang: string; label: string; rest: (n: number) => string }) {
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

import { useTranslation } from "react-i18next";
import type { Points } from "../../api/types";
import { useWords } from "../../parts/words";
import { type Filters, passes } from "./filters";
import css from "./run.module.css";

interface MatrixProps {
  points: Points;
  filters: Filters;
  onFilter: (change: Partial<Filters>) => void;
}

/** Low scores by cause and question category. A bar filters the questions below by both; pressed again it lets go. */
export function CauseMatrix({ points, filters, onFilter }: MatrixProps) {
  const { t } = useTranslation();
  const words = useWords();
  const { causes, categories, count } = crossed(points, { ...filters, cause: "", category: "" });
  if (causes.length === 0 || categories.length === 0) return null;
  const most = Math.max(1, ...causes.flatMap((cause) => categories.map((category) => count(cause, category))));
  const press = (cause: string, category: string) => {
    const chosen = filters.cause === cause && filters.category === category;
    onFilter(chosen ? { cause: "", category: "" } : { cause, category });
  };
  return (
    <table className={css.matrix}>
      <caption>{t("run.matrix")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("run.cause")}</th>
          {categories.map((category) => (
            <th key={category} scope="col">
              {words.category(category)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {causes.map((cause) => (
          <tr key={cause}>
            <th scope="row">{words.cause(cause)}</th>
            {categories.map((category) => {
              const n = count(cause, category);
              return (
                <td key={category}>
                  {n === 0 ? (
                    <span className="soft">0</span>
                  ) : (
                    <button
                      type="button"
                      aria-pressed={filters.cause === cause && filters.category === category}
                      aria-label={t("run.matrixCell", { cause: words.cause(cause), category: words.category(category), n })}
                      onClick={() => press(cause, category)}
                    >
                      <span className={css.matrixTrack} aria-hidden="true">
                        <span style={{ width: `${(n / most) * 100}%` }} />
                      </span>
                      <span className="figures">{n}</span>
                    </button>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The causes and categories of the low scores that pass the filters, most first, and how many low scores have both. */
export function crossed(points: Points, filters: Filters) {
  const keep = passes(points, filters);
  const cells = new Map<string, number>();
  const [byCause, byCategory] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1);
  points.ids.forEach((_, i) => {
    const [cause, category] = [points.cause[i], points.category[i]];
    if (!points.low[i] || !cause || !category || !keep(i)) return;
    add(byCause, cause);
    add(byCategory, category);
    add(cells, `${cause} ${category}`);
  });
  const sorted = (counts: Map<string, number>) => [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([key]) => key);
  return {
    causes: sorted(byCause),
    categories: sorted(byCategory),
    count: (cause: string, category: string) => cells.get(`${cause} ${category}`) ?? 0,
  };
}

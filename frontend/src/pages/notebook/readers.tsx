import { useTranslation } from "react-i18next";
import type { Reader } from "./presence";
import css from "./notebook.module.css";

/** Who else has the notebook open, as initials with the whole name behind them. */
export function Readers({ readers, cell }: { readers: Reader[]; cell?: string }) {
  const { t } = useTranslation();
  const here = cell === undefined ? readers : readers.filter((r) => r.cell === cell);
  return here.map((r) => {
    const label = t(cell === undefined ? "presence.open" : "presence.here", { name: r.by });
    return (
      <span key={r.tab} className={css.reader} role="img" aria-label={label} title={label}>
        {initials(r.by)}
      </span>
    );
  });
}

/** The first letters of a name of two words, else its first two. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? words.slice(0, 2).map((w) => [...w][0]) : [...(words[0] ?? "")].slice(0, 2);
  return letters.join("").toUpperCase();
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "./format";
import css from "./sortedbars.module.css";

/** One bar: how many questions a group has, and how many of them are low scores. */
export interface Bar {
  key: string;
  name: string;
  count: number;
  low?: number;
}

/** Bars sorted by count. Choosing one filters by it; choosing it again lets go. */
export function SortedBars({
  title,
  bars,
  chosen,
  onChoose,
  shown = 8,
  note,
  by = "low",
}: {
  title: string;
  bars: Bar[];
  chosen: string;
  onChoose: (key: string) => void;
  shown?: number;
  note?: string;
  by?: "low" | "count";
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [all, setAll] = useState(false);
  const value = (b: Bar) => (by === "low" && b.low !== undefined ? b.low : b.count);
  const sorted = [...bars].sort((a, b) => value(b) - value(a) || b.count - a.count || a.name.localeCompare(b.name));
  const most = Math.max(1, ...bars.map((b) => b.count));
  const visible = all ? sorted : sorted.filter((b, i) => i < shown || b.key === chosen);
  return (
    <section className={css.bars}>
      <h3>{title}</h3>
      {note && <p className="soft small">{note}</p>}
      <ul>
        {visible.map((bar) => (
          <li key={bar.key}>
            <button type="button" aria-pressed={chosen === bar.key} onClick={() => onChoose(chosen === bar.key ? "" : bar.key)}>
              <span className={`${css.name} clip`} title={bar.name}>
                {bar.name}
              </span>
              <span className={css.track} aria-hidden="true">
                <span className={css.fill} style={{ width: `${(bar.count / most) * 100}%` }}>
                  {bar.low !== undefined && (
                    <span className={css.low} style={{ width: `${bar.count ? (bar.low / bar.count) * 100 : 0}%` }} />
                  )}
                </span>
              </span>
              <span className={`${css.count} figures`}>
                {bar.low === undefined ? format.count(bar.count) : t("bars.lowOf", { low: bar.low, count: bar.count })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > shown && (
        <button type="button" className={`${css.more} no-print`} onClick={() => setAll(!all)}>
          {all ? t("bars.fewer") : t("bars.all", { n: sorted.length })}
        </button>
      )}
    </section>
  );
}

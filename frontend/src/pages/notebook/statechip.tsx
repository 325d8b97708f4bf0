import { useTranslation } from "react-i18next";
import type { CellDetail, CellState, NotebookPrice, NotebookSpend } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Icon, type IconName } from "../../parts/icon";
import { million } from "../../parts/runwords";
import { useWords } from "../../parts/words";
import css from "./notebook.module.css";
import { whyWords } from "./why";

type Tone = "neutral" | "accent" | "worse" | "needs_check" | "better";

const signs: Record<CellState, { icon: IconName; tone: Tone }> = {
  fresh: { icon: "done", tone: "better" },
  stale: { icon: "stale", tone: "needs_check" },
  blocked: { icon: "blocked", tone: "neutral" },
  queued: { icon: "pause", tone: "accent" },
  running: { icon: "play", tone: "accent" },
  partial: { icon: "partial", tone: "needs_check" },
  error: { icon: "warning", tone: "worse" },
  pinned: { icon: "pin", tone: "neutral" },
  unknown: { icon: "same", tone: "neutral" },
};

/** Where a cell stands: a sign and a word, how far it is while it runs, and what it has cost. */
export function StateChip({ state }: { state: CellState }) {
  const { t } = useTranslation();
  const words = useWords();
  const { icon, tone } = signs[state] ?? signs.unknown;
  return (
    <Badge tone={tone}>
      <Icon name={icon} size={11} /> {state === "unknown" ? t("notebook.unread") : words.word("notebook_state", state)}
    </Badge>
  );
}

/** State, progress, price and spend of a cell in one line, and why it is not up to date. */
export function Standing({ cell }: { cell: CellDetail }) {
  const { t } = useTranslation();
  const priced = usePrice();
  const format = useFormat();
  const words = useWords();
  const why = whyWords(t, words, cell);
  return (
    <span className={css.standing}>
      {(cell.paid || cell.state !== "fresh") && <StateChip state={cell.state} />}
      {cell.state === "running" && cell.total > 0 && (
        <>
          <progress value={cell.done} max={cell.total} aria-label={words.word("notebook_state", "running")} />
          <span className="small figures">
            {t("notebook.progress", { done: format.count(cell.done), total: format.count(cell.total) })}
          </span>
        </>
      )}
      {cell.price && (cell.state === "stale" || cell.state === "partial") && <span className={css.price}>{priced.price(cell.price)}</span>}
      {cell.paid && cell.spend.calls > 0 && <span className="soft small">{priced.spent(cell.spend)}</span>}
      {why.length > 0 && cell.state !== "fresh" && <span className="soft small">{why.join(t("notebook.semicolon"))}</span>}
    </span>
  );
}

/** Prices and spending in words. */
export function usePrice() {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (micros: number, currency: string | undefined) => format.money(micros / million, currency || "USD");
  return {
    price: (p: Pick<NotebookPrice, "calls" | "micros" | "price_known" | "currency">) => {
      if (p.calls === 0 && p.micros === 0) return t("notebook.free");
      const calls = format.count(p.calls);
      return p.price_known ? t("notebook.price", { calls, money: money(p.micros, p.currency) }) : t("notebook.unpriced", { calls });
    },
    spent: (s: NotebookSpend) => t("notebook.spent", { calls: format.count(s.calls), money: money(s.micros, s.currency) }),
  };
}

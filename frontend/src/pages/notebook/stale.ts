import { useEffect, useRef, useState } from "react";
import type { CellDetail, CellState, NotebookPrice } from "../../api/types_notebook";

/** The states of a paid cell that is not up to date. */
const open: CellState[] = ["stale", "partial", "blocked", "error"];

/** The paid cells that are not up to date, in the order of the page. */
export function staleOf(cells: Iterable<CellDetail>): CellDetail[] {
  return [...cells].filter((c) => c.paid && open.includes(c.state));
}

/** What cells cost together; later when some have no price before others are run. Nothing without any price. */
export function priceOf(cells: CellDetail[]) {
  const priced = cells.flatMap((c) => c.price ?? []);
  if (priced.length === 0) return null;
  const sum = (of: (p: NotebookPrice) => number) => priced.reduce((total, p) => total + of(p), 0);
  return {
    calls: sum((p) => p.calls),
    micros: sum((p) => p.micros),
    price_known: priced.every((p) => p.price_known),
    currency: priced[0]?.currency ?? "",
    later: priced.length < cells.length,
  };
}

/** True for a moment after a cell became stale. */
export function useTurnedStale(state: CellState | undefined): boolean {
  const before = useRef(state);
  const [turned, setTurned] = useState(false);
  useEffect(() => {
    const was = before.current;
    before.current = state;
    if (state !== "stale" || was !== "fresh") return;
    setTurned(true);
    const timer = setTimeout(() => setTurned(false), 1200);
    return () => clearTimeout(timer);
  }, [state]);
  return turned;
}

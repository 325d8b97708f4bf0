import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { get } from "../../api/client";
import type { Page } from "../../api/queries";
import type { RunRow } from "../../api/types";
import type { Folds } from "./columns";

/** The most runs that are shown below one row; a sweep's own page shows all. */
const mostInside = 500;

/** What the address says of what is unfolded. */
interface Shown {
  open: string;
  sort: string;
  /** "true" where what belongs to a run stands in the list anyway. */
  children: string;
}

/**
 * Rows with what is unfolded behind each: the runs of a sweep where the list is grouped, and what belongs to a run. Which rows are
 * open stands in the address.
 */
export function useFolds(rows: RunRow[], { open, sort, children }: Shown, onOpen: (open: string) => void) {
  const opened = useMemo(() => new Set(open.split(",").filter(Boolean)), [open]);
  const asked = rows.filter((r) => opened.has(r.run_id) && inside(r, children) > 0);
  const members = useQueries({
    queries: asked.map((r) => {
      const params = { ...(r.group ? { sweep: r.run_id, sort } : { parent: r.run_id }), limit: mostInside };
      return { queryKey: ["/runs", params], queryFn: ({ signal }: { signal: AbortSignal }) => get<Page<RunRow>>("/runs", params, signal) };
    }),
    combine: (all) => Object.fromEntries(all.map((q, i) => [asked[i]?.run_id, q.data?.items])) as Record<string, RunRow[] | undefined>,
  });
  const within = Object.values(members)
    .flatMap((list) => list ?? [])
    .map((r) => r.run_id)
    .join(",");
  const folds = useMemo<Folds>(() => {
    const deeper = new Set(within.split(",").filter(Boolean));
    return {
      open: opened,
      inside: deeper,
      holds: (run) => (deeper.has(run.run_id) ? 0 : inside(run, children)),
      toggle: (run) =>
        onOpen(
          [...opened]
            .filter((o) => o !== run)
            .concat(opened.has(run) ? [] : [run])
            .join(","),
        ),
    };
  }, [opened, within, children, onOpen]);
  const all = useMemo(() => rows.flatMap((r) => [r, ...(members[r.run_id] ?? [])]), [rows, members]);
  return { rows: all, folds };
}

/** How many runs stand inside a row. */
function inside(run: RunRow, children: string): number {
  return run.group?.runs ?? (children ? 0 : run.children);
}

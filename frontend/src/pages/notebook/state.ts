import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo } from "react";
import { get, send } from "../../api/client";
import type { CellDetail, NotebookDetail, NotebookJob } from "../../api/types_notebook";
import type { Conflict } from "./saving";
import { useLive } from "./live";

/** How long typing rests before the text is evaluated, in milliseconds. */
const rest = 300;

/** The address of a notebook below the API. */
export const notebookPath = (name: string) => `/notebooks/${encodeURIComponent(name)}`;

/** The parameters as the API takes them: cell.name=value, sorted, so that equal ones are equal. */
export function paramList(params: Record<string, string>): string[] {
  return Object.entries(params)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${value}`)
    .sort();
}

/** Asks once more when work came to its end while the cells were looked at: they may have been seen as they stood before. */
async function settledWork(ask: () => Promise<NotebookDetail>): Promise<NotebookDetail> {
  const began = Date.now();
  const detail = await ask();
  const ended = Date.parse(detail.job?.ended_at ?? "");
  return ended >= began - 1000 ? ask() : detail;
}

/** Reads a notebook, or a sealed snapshot of one. */
export function useDetail(path: string, params: string[]) {
  const query = params.map((p) => `param=${encodeURIComponent(p)}`).join("&");
  return useQuery({
    queryKey: [path, params],
    queryFn: ({ signal }) => settledWork(() => get<NotebookDetail>(query ? `${path}?${query}` : path, {}, signal)),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: "always", // the file may have changed on disk
  });
}

/** What is known of a text: that of the file where they are the same, else what the server makes of the edited one. */
export function useKnown(detail: NotebookDetail, text: string, params: string[], started: NotebookJob | undefined) {
  const [settled] = useDebouncedValue(text, rest);
  const same = settled === detail.text;
  const evaluated = useQuery({
    queryKey: ["/notebooks/evaluate", detail.name, settled, params],
    queryFn: () => settledWork(() => send<NotebookDetail>("POST", "/notebooks/evaluate", { name: detail.name, text: settled, params })),
    enabled: !same && !detail.read_only,
    placeholderData: keepPreviousData,
  });
  const live = useLive(notebookPath(detail.name), newer(detail.job, started));
  const known = same ? detail : (evaluated.data ?? detail);
  const cells = useMemo(() => {
    const running = live.job?.state === "running";
    return new Map(known.cells.map((c) => [c.name, running && live.cells[c.name] ? ({ ...c, ...live.cells[c.name] } as CellDetail) : c]));
  }, [known, live]);
  return { known, cells, job: live.job, pending: settled !== text || evaluated.isFetching, error: evaluated.error };
}

/** The job that was started last: the one that the server told of, or the one that was started here since. */
function newer(told: NotebookJob | undefined, started: NotebookJob | undefined): NotebookJob | undefined {
  return started && (!told || told.started_at < started.started_at) ? started : told;
}

/** Tells where a notebook that is read again comes from, so that changes of others are noticed. */
export function useArrivals(detail: NotebookDetail, updated: number, arrived: (d: NotebookDetail) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was read anew may be newer than what was saved here
  useEffect(() => {
    if (!detail.read_only && updated > 0) arrived(detail);
  }, [updated]);
}

/** What an editor begins with: the file, or what was not saved when the page was left. */
export function beginning(
  detail: NotebookDetail,
  kept: { text: string; digest: string } | null,
): { text: string; conflict: Conflict | null } {
  const text = detail.text ?? detail.blocks.map((b) => b.text).join("");
  if (!kept || detail.read_only || kept.text === text) return { text, conflict: null };
  if (kept.digest === detail.digest) return { text: kept.text, conflict: null };
  return { text: kept.text, conflict: { theirs: { text, digest: detail.digest ?? "", modified: detail.modified ?? "" }, cells: [] } };
}

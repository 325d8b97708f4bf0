import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { base } from "../../api/client";
import type { CellDetail, NotebookJob } from "../../api/types_notebook";

/** What events say of a cell while it is worked on. */
export type LiveCell = Pick<CellDetail, "name" | "state" | "why" | "reasons" | "done" | "total" | "spend" | "error">;

interface NotebookEvent {
  seq: number;
  kind: "job" | "cell";
  job?: NotebookJob;
  cell?: LiveCell;
}

/** What is known of the work on a notebook from its events. */
export interface Live {
  job: NotebookJob | null;
  cells: Record<string, LiveCell>;
}

const nothing: Live = { job: null, cells: {} };

/**
 * Follows a job on a notebook until it is over; the newest event of every cell comes first, so that whoever comes late sees how
 * everything stands. When a cell is done, and at the end, everything about the notebook is read again.
 */
export function useLive(path: string, job: NotebookJob | undefined): Live {
  const client = useQueryClient();
  const [live, setLive] = useState<Live>(nothing);
  const id = job?.state === "running" ? job.id : "";
  useEffect(() => {
    if (!id) return;
    setLive(nothing);
    const source = new EventSource(`${base}${path}/events?lang=${document.documentElement.lang || "en"}`);
    const again = () => void client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith("/notebooks") });
    const take = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as NotebookEvent;
      const { cell } = event;
      if (cell) setLive((before) => ({ ...before, cells: { ...before.cells, [cell.name]: cell } }));
      if (event.job) setLive((before) => ({ ...before, job: event.job ?? null }));
      if (cell && cell.state !== "running" && cell.state !== "queued") again();
    };
    source.addEventListener("job", take);
    source.addEventListener("cell", take);
    source.addEventListener("end", () => {
      source.close();
      again();
    });
    return () => source.close();
  }, [client, path, id]);
  const over = live.job && live.job.id === job?.id && live.job.state !== "running";
  return job?.state === "running" && !over
    ? { job: live.job ?? job, cells: live.cells }
    : { job: over ? live.job : (job ?? null), cells: {} };
}

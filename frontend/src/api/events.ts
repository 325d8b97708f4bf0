import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { base } from "./client";
import type { RunEvent } from "./types";

/** What an event says of the state of its run. */
const states: Record<string, string> = {
  created: "queued",
  started: "running",
  progress: "running",
  waiting: "running",
  paused: "paused",
  taken_over: "running",
  cancelled: "cancelled",
  failed: "failed",
  finished: "finished",
};

/** How long after an event the page is read again, in milliseconds: at once when the state changes, else seldom, because reading
 * a large run that is being worked is work for the server too. */
const soon = 50;
const seldom = 10_000;

/** What is known of a run from its events: its state now, and the latest event of each kind. */
export interface Live {
  state: string;
  latest: Record<string, RunEvent>;
}

/** Follows a run while it is not over. What is shown of it is read again as it goes on. */
export function useRunEvents(run: string, live: boolean): Live {
  const client = useQueryClient();
  const [known, setKnown] = useState<Live>({ state: "", latest: {} });
  useEffect(() => {
    if (!live) return;
    const source = new EventSource(`${base}/runs/${run}/events`);
    const about = (q: Query) => String(q.queryKey[0]).startsWith(`/runs/${run}`) || q.queryKey[0] === "/runs";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      timer = undefined;
      if (client.isFetching({ predicate: about }) > 0) later(seldom);
      else void client.invalidateQueries({ predicate: about });
    };
    const later = (delay: number) => {
      if (timer && delay === seldom) return;
      clearTimeout(timer);
      timer = setTimeout(read, delay);
    };
    const onEvent = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as RunEvent;
      const state = states[event.kind] ?? "";
      setKnown((before) => ({ state, latest: { ...before.latest, [event.kind]: event } }));
      later(state === "running" ? seldom : soon);
    };
    for (const kind of Object.keys(states)) source.addEventListener(kind, onEvent);
    source.addEventListener("end", () => source.close());
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [client, run, live]);
  return known;
}

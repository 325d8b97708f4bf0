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

/** Where events come from: what is used of an EventSource. */
export interface Source {
  addEventListener(kind: string, hear: (message: MessageEvent<string>) => void): void;
  close(): void;
}

/** What following a run does: `told` hears each event, `read` reads again what is shown, `reading` says that this is under way. */
interface Follower {
  told(event: RunEvent, state: string): void;
  read(): void;
  reading(): boolean;
}

/** Follows a run until the returned function is called. That reads once more: the page may have learned of the run's end from another
 * answer than the events, and what it shows beside may have been read before the end. */
export function follow(source: Source, { told, read, reading }: Follower): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (reading()) later();
      else read();
    }, seldom);
  };
  const now = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      read();
    }, soon);
  };
  const hear = (message: MessageEvent<string>) => {
    const event = JSON.parse(message.data) as RunEvent;
    const state = states[event.kind] ?? "";
    told(event, state);
    if (state === "running") later();
    else now();
  };
  for (const kind of Object.keys(states)) source.addEventListener(kind, hear);
  source.addEventListener("end", () => source.close());
  return () => {
    source.close();
    clearTimeout(timer);
    read();
  };
}

/** Follows a run while it is not over. What is shown of it is read again as it goes on. */
export function useRunEvents(run: string, live: boolean): Live {
  const client = useQueryClient();
  const [known, setKnown] = useState<Live>({ state: "", latest: {} });
  useEffect(() => {
    if (!live) return;
    const about = (q: Query) => String(q.queryKey[0]).startsWith(`/runs/${run}`) || q.queryKey[0] === "/runs";
    return follow(new EventSource(`${base}/runs/${run}/events`), {
      told: (event, state) => setKnown((before) => ({ state, latest: { ...before.latest, [event.kind]: event } })),
      read: () => void client.invalidateQueries({ predicate: about }),
      reading: () => client.isFetching({ predicate: about }) > 0,
    });
  }, [client, run, live]);
  return known;
}

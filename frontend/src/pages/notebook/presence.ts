import { useEffect, useRef, useState } from "react";
import { base, send } from "../../api/client";

/** Somebody else who has the notebook open, and the cell that is chosen there. */
export interface Reader {
  tab: string;
  by: string;
  cell?: string;
}

/** What is done when something happens to the notebook elsewhere. */
interface Heard {
  saved: (digest: string) => void;
  comment: () => void;
}

/** What this page calls itself among those that have the notebook open. */
const tab = Array.from(crypto.getRandomValues(new Uint8Array(9)), (n) => n.toString(16).padStart(2, "0")).join("");

/** How long a choice rests before it is told, in milliseconds. */
const rest = 400;

/**
 * Follows a notebook while the page can be seen: who else has it open, and when its file becomes another one. A page out of sight holds
 * no connection; the notebook is read again when it comes back.
 */
export function useFollow(path: string, enabled: boolean, cell: string, told: Heard): Reader[] {
  const [readers, setReaders] = useState<Reader[]>([]);
  const [visible, setVisible] = useState(() => document.visibilityState !== "hidden");
  const heard = useRef(told);
  heard.current = told;
  useEffect(() => {
    const onChange = () => setVisible(document.visibilityState !== "hidden");
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);
  const on = enabled && visible;
  useEffect(() => {
    if (!on) return;
    const source = new EventSource(`${base}${path}/follow?tab=${tab}`);
    source.addEventListener("seen", (e: MessageEvent<string>) =>
      setReaders((JSON.parse(e.data) as { seen: { people: Reader[] } }).seen.people),
    );
    source.addEventListener("saved", (e: MessageEvent<string>) => {
      const { saved } = JSON.parse(e.data) as { saved: { digest: string } };
      heard.current.saved(saved.digest);
    });
    source.addEventListener("comment", () => heard.current.comment());
    return () => {
      source.close();
      setReaders([]);
    };
  }, [on, path]);
  useEffect(() => {
    if (!on || !cell) return;
    const timer = setTimeout(() => void send("POST", `${path}/seen`, { tab, cell }).catch(() => {}), rest); // the next choice tells it again
    return () => clearTimeout(timer);
  }, [on, path, cell]);
  return readers;
}

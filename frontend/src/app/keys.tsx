import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

/** A key that does something on the present page. Its label is the key of a translation. */
export interface Shortcut {
  /** One key ("j", "Enter", "?") or two in a row ("g r"). */
  press: string;
  label: string;
  run: () => void;
}

interface Registry {
  add: (shortcuts: Shortcut[]) => () => void;
  list: () => Shortcut[];
}

const Keys = createContext<Registry>({ add: () => () => {}, list: () => [] });

/** How long the first key of a pair waits for the second, and how long one that also does something by itself, in milliseconds. */
const pairWait = 1000;
const aloneWait = 500;

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|CODE-EDITOR)$/.test(target.tagName));
}

/** Listens to the keyboard for every page below it. The page that registered last goes first. */
export function KeyboardProvider({ children }: { children: ReactNode }) {
  const groups = useRef<Shortcut[][]>([]);
  const pending = useRef({ key: "", at: 0 });
  const waiting = useRef(0);
  const [, redraw] = useState(0);

  const list = useCallback(() => {
    const seen = new Set<string>();
    return [...groups.current]
      .reverse()
      .flat()
      .filter((s) => !seen.has(s.press) && seen.add(s.press));
  }, []);
  const add = useCallback((shortcuts: Shortcut[]) => {
    groups.current.push(shortcuts);
    redraw((n) => n + 1);
    return () => {
      groups.current = groups.current.filter((g) => g !== shortcuts);
    };
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (typing(event.target)) {
        if (event.key === "Escape" && (event.target as HTMLInputElement).type === "search") {
          event.preventDefault(); // the browser would clear what was typed
          (event.target as HTMLElement).blur();
        }
        return;
      }
      const { key, at } = pending.current;
      const pair = event.timeStamp - at < pairWait ? `${key} ${event.key}` : "";
      const known = list();
      const hit = known.find((s) => s.press === pair) ?? known.find((s) => s.press === event.key);
      pending.current = { key: event.key, at: event.timeStamp };
      clearTimeout(waiting.current);
      if (!hit) return;
      if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.closest("a,button,summary,input,[role=button]"))
        return;
      event.preventDefault();
      if (hit.press !== pair && known.some((s) => s.press.startsWith(`${hit.press} `))) {
        waiting.current = window.setTimeout(() => hit.run(), aloneWait);
        return;
      }
      pending.current = { key: "", at: 0 };
      hit.run();
    };
    window.addEventListener("keydown", onKey);
    return () => {
      clearTimeout(waiting.current);
      window.removeEventListener("keydown", onKey);
    };
  }, [list]);

  const registry = useMemo(() => ({ add, list }), [add, list]);
  return <Keys value={registry}>{children}</Keys>;
}

/** Makes keys work while the calling component is on screen. The shortcuts may close over changing state. */
export function useShortcuts(shortcuts: Shortcut[]) {
  const { add } = useContext(Keys);
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const shape = shortcuts.map((s) => `${s.press}\t${s.label}`).join("\n");
  useEffect(() => {
    if (!shape) return;
    const stable = shape.split("\n").map((line) => {
      const [press = "", label = ""] = line.split("\t");
      return { press, label, run: () => latest.current.find((s) => s.press === press)?.run() };
    });
    return add(stable);
  }, [add, shape]);
}

/** The keys that work now, for the list of keys. */
export function useShortcutList() {
  return useContext(Keys).list;
}

import { useEffect, useState, useSyncExternalStore } from "react";
import css from "./code.module.css";
import type { Kind } from "./grammar";

type Grammar = typeof import("./grammar");

let grammar: Grammar | null = null;
const nothing = { subscribe: () => () => {}, now: () => 0 };

/** The grammar, once the page has had time to read it: text is plain until then. */
function useGrammar(): Grammar | null {
  const [known, setKnown] = useState(grammar);
  useEffect(() => {
    if (grammar) return;
    const read = () =>
      void Promise.all([import("./grammar"), import("./colours")]).then(([it, { colour }]) => {
        grammar = it;
        colour(document);
        setKnown(it);
      });
    const idle = window as Partial<Pick<Window, "requestIdleCallback" | "cancelIdleCallback">>; // Safari has none
    const waiting = idle.requestIdleCallback?.(read) ?? window.setTimeout(read, 200);
    return () => (idle.cancelIdleCallback ?? window.clearTimeout)(waiting);
  }, []);
  const { subscribe, now } = known?.sqlVersion ?? nothing;
  useSyncExternalStore(subscribe, now);
  return known;
}

/** A text in its colours, by the grammar that the editor uses too. */
export function CodeText({ text, kind }: { text: string; kind: Kind }) {
  const known = useGrammar();
  const pieces = known ? known.piecesOf(text, kind) : [[text, ""] as [string, string]];
  return (
    <code className={css.shown}>
      {pieces.map(([piece, classes], i) =>
        classes ? (
          <span key={i} className={classes}>
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </code>
  );
}

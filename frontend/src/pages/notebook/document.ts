import { useCallback, useReducer } from "react";

/** A text with what it was before and what was undone. */
export interface History {
  text: string;
  past: string[];
  future: string[];
  group: string;
  at: number;
}

type Change = { do: "edit"; text: string; group: string; at: number } | { do: "undo" } | { do: "redo" } | { do: "load"; text: string };

/** How many steps can be undone, and how long typing in one place is one step, in milliseconds. */
const most = 200;
const oneStep = 1500;

/** The next state of a text. */
export function changed(h: History, change: Change): History {
  switch (change.do) {
    case "edit": {
      if (change.text === h.text) return h;
      const same = change.group !== "" && change.group === h.group && change.at - h.at < oneStep;
      return { text: change.text, past: same ? h.past : [...h.past, h.text].slice(-most), future: [], group: change.group, at: change.at };
    }
    case "undo": {
      const before = h.past.at(-1);
      return before === undefined ? h : { text: before, past: h.past.slice(0, -1), future: [h.text, ...h.future], group: "", at: 0 };
    }
    case "redo": {
      const [after, ...rest] = h.future;
      return after === undefined ? h : { text: after, past: [...h.past, h.text], future: rest, group: "", at: 0 };
    }
    case "load":
      return change.text === h.text ? h : { ...starting(change.text), past: [...h.past, h.text].slice(-most) };
  }
}

export function starting(text: string): History {
  return { text, past: [], future: [], group: "", at: 0 };
}

/** The text of a notebook while it is edited. Changes with the same group, soon after each other, are undone together. */
export function useDocument(first: string) {
  const [history, dispatch] = useReducer(changed, first, starting);
  return {
    text: history.text,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: useCallback((text: string, group = "") => dispatch({ do: "edit", text, group, at: Date.now() }), []),
    undo: useCallback(() => dispatch({ do: "undo" }), []),
    redo: useCallback(() => dispatch({ do: "redo" }), []),
    load: useCallback((text: string) => dispatch({ do: "load", text }), []),
  };
}

import { useEffect, useRef } from "react";
import { useShortcuts } from "../../app/keys";
import type { CodeElement } from "./code/element";

/** What the keys of a notebook do. */
export interface NotebookKeys {
  active: boolean; // no dialog is open
  editable: boolean;
  up: () => void;
  down: () => void;
  edit: () => void;
  command: () => void;
  run: () => void;
  runNext: () => void;
  above: () => void;
  below: () => void;
  remove: () => void;
  undo: () => void;
  redo: () => void;
  toNote: () => void;
  moveUp: () => void;
  moveDown: () => void;
  fold: () => void;
  graph: () => void;
  palette: () => void;
  cut: () => void;
  copy: () => void;
  pasteBelow: () => void;
  pasteAbove: () => void;
  stop: () => void;
  moreDown: () => void;
  moreUp: () => void;
  merge: () => void;
  split: () => void;
  fromNote: () => void;
  lines: () => void;
  find: () => void;
  help: () => void;
}

/** Keys with Shift, Ctrl or Alt, and Escape while something is written: they work everywhere in the notebook. */
const held: { press: string; label: string; is: (e: KeyboardEvent) => boolean; run: (k: NotebookKeys) => void; change?: boolean }[] = [
  { press: "Shift+Enter", label: "keys.runNext", is: (e) => e.key === "Enter" && e.shiftKey && !e.altKey, run: (k) => k.runNext() },
  { press: "Ctrl+Enter", label: "keys.runCell", is: (e) => e.key === "Enter" && (e.ctrlKey || e.metaKey), run: (k) => k.run() },
  { press: "Alt+ArrowUp", label: "keys.moveUp", is: (e) => e.key === "ArrowUp" && e.altKey, run: (k) => k.moveUp(), change: true },
  { press: "Alt+ArrowDown", label: "keys.moveDown", is: (e) => e.key === "ArrowDown" && e.altKey, run: (k) => k.moveDown(), change: true },
  {
    press: "Ctrl+k",
    label: "keys.palette",
    is: (e) => e.key.toLowerCase() === "k" && (e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey,
    run: (k) => k.palette(),
  },
  {
    press: "Ctrl+Shift+f",
    label: "keys.find",
    is: (e) => e.key.toLowerCase() === "f" && (e.ctrlKey || e.metaKey) && e.shiftKey && !e.altKey,
    run: (k) => k.find(),
  },
  {
    press: "Ctrl+Shift+-",
    label: "keys.split",
    is: (e) => (e.code === "Minus" || e.key === "-" || e.key === "_") && (e.ctrlKey || e.metaKey) && e.shiftKey && !e.altKey,
    run: (k) => k.split(),
    change: true,
  },
];

/** The keys of Jupyter: those of one letter in command mode, those that are held everywhere. */
export function useNotebookKeys(keys: NotebookKeys) {
  const on =
    (run: () => void, change = false) =>
    () => {
      if (keys.active && (keys.editable || !change)) run();
    };
  const one = (press: string, label: string, run: () => void, change = false) => ({ press, label, run: on(run, change) });
  useShortcuts([
    one("j", "keys.nextCell", keys.down),
    one("k", "keys.previousCell", keys.up),
    one("ArrowDown", "keys.nextCell", keys.down),
    one("ArrowUp", "keys.previousCell", keys.up),
    one("Enter", "keys.edit", keys.edit, true),
    one("Escape", "keys.command", keys.command),
    ...held.map((h) => one(h.press, h.label, () => h.run(keys), h.change)),
    one("a", "keys.above", keys.above, true),
    one("b", "keys.below", keys.below, true),
    one("d d", "keys.remove", keys.remove, true),
    one("z", "keys.undo", keys.undo, true),
    one("Z", "keys.redo", keys.redo, true),
    one("J", "keys.moreDown", keys.moreDown),
    one("K", "keys.moreUp", keys.moreUp),
    one("m", "keys.toNote", keys.toNote, true),
    one("y", "keys.fromNote", keys.fromNote, true),
    one("M", "keys.merge", keys.merge, true),
    one("l", "keys.lines", keys.lines),
    one("f", "keys.find", keys.find),
    one("h", "keys.list", keys.help),
    one("o", "keys.fold", keys.fold),
    one("g", "keys.graph", keys.graph),
    one("x", "keys.cut", keys.cut, true),
    one("c", "keys.copy", keys.copy),
    one("v", "keys.pasteBelow", keys.pasteBelow, true),
    one("V", "keys.pasteAbove", keys.pasteAbove, true),
    one("0 0", "keys.stop", keys.stop),
  ]);
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const k = latest.current;
      const target = event.target as HTMLElement;
      if (!k.active || event.defaultPrevented || target.closest("[role=dialog],[role=menu],[data-own-keys]")) return;
      const editor = target.closest<CodeElement>("code-editor");
      if (event.isComposing || editor?.keeps?.(event)) return;
      const hit = held.find((h) => h.is(event) && (k.editable || !h.change));
      if (hit) {
        event.preventDefault();
        event.stopPropagation();
        hit.run(k);
      } else if (
        event.key === "Escape" &&
        (editor || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
        target.closest("[data-cell],[data-prose]")
      ) {
        event.preventDefault();
        k.command();
      }
    };
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, []);
}

import { useCallback, useEffect, useRef, useState } from "react";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import type { NotebookDetail, NotebookSaved } from "../../api/types_notebook";
import { merge } from "./merge";

/** How long after the last change the text is saved, in milliseconds. */
const wait = 1000;

/** The text on disk that edits rest on. */
export interface OnDisk {
  text: string;
  digest: string;
  modified: string;
}

/** The file changed on disk while the same cell was edited here. */
export interface Conflict {
  theirs: OnDisk;
  cells: string[]; // that both changed
}

const place = (name: string) => `workbench.notebook.${name}`;

/** What was written and not yet saved when the page was left; it survives a reload. */
export function unsaved(name: string): { text: string; digest: string } | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(name)) ?? "null") as { text: string; digest: string } | null;
    return kept && typeof kept.text === "string" ? kept : null;
  } catch {
    return null;
  }
}

interface Saving {
  name: string;
  text: string;
  first: OnDisk;
  enabled: boolean;
  conflict: Conflict | null;
  load: (text: string) => void;
}

/** Saves a text a second after its last change, and joins it with what somebody else saved meanwhile. */
export function useSaving({ name, text, first, enabled, conflict: begin, load }: Saving) {
  const [disk, setDisk] = useState(first);
  const [conflict, setConflict] = useState<Conflict | null>(begin);
  const [error, setError] = useState<unknown>(null);
  const [saving, setSaving] = useState(false);
  const [joined, setJoined] = useState<string[]>([]);
  const now = useRef({ text, disk });
  now.current = { text, disk };
  const busy = useRef<Promise<boolean> | null>(null);
  const dirty = text !== disk.text;

  /** Takes another text of the file: with what is not saved here joined cell by cell, or as a conflict where both changed the same cell. */
  const take = useCallback(
    (theirs: OnDisk) => {
      const { text: mine, disk: base } = now.current;
      if (mine === base.text || mine === theirs.text) {
        now.current.disk = theirs;
        setDisk(theirs);
        load(theirs.text);
        return;
      }
      const merged = merge(base.text, mine, theirs.text);
      if (merged.clashes.length > 0) return setConflict({ theirs, cells: merged.clashes });
      now.current = { text: merged.text, disk: theirs };
      setDisk(theirs);
      load(merged.text);
      setJoined(merged.taken);
    },
    [load],
  );

  const save = useCallback(async (): Promise<boolean> => {
    if (busy.current) await busy.current;
    const { text: mine, disk: base } = now.current;
    if (mine === base.text) return true;
    const work = async () => {
      setSaving(true);
      try {
        const saved = await send<NotebookSaved>("PUT", `/notebooks/${encodeURIComponent(name)}`, { text: mine, digest: base.digest });
        const next = { text: mine, digest: saved.digest, modified: saved.modified };
        now.current.disk = next;
        setDisk(next);
        setError(null);
        return true;
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.code === "notebook_changed") take(problem.params as unknown as OnDisk);
        else setError(problem);
        return false;
      } finally {
        setSaving(false);
        busy.current = null;
      }
    };
    busy.current = work();
    return busy.current;
  }, [name, take]);

  useEffect(() => {
    if (!dirty) {
      sessionStorage.removeItem(place(name));
      return;
    }
    sessionStorage.setItem(place(name), JSON.stringify({ text, digest: disk.digest }));
    if (!enabled || conflict) return;
    const timer = setTimeout(() => void save(), wait);
    return () => clearTimeout(timer);
  }, [name, text, disk, dirty, enabled, conflict, save]);

  /** Takes what the server read from disk: quietly while nothing is unsaved here, else as a conflict. */
  const arrived = useCallback(
    (d: NotebookDetail) => {
      const { disk: base } = now.current;
      const theirs = { text: d.text ?? "", digest: d.digest ?? "", modified: d.modified ?? "" };
      if (busy.current || theirs.digest === base.digest || theirs.modified < base.modified) return;
      take(theirs);
    },
    [take],
  );

  const keepMine = () => {
    if (!conflict) return;
    now.current.disk = conflict.theirs;
    setDisk(conflict.theirs);
    setConflict(null);
    void save();
  };
  const takeTheirs = () => {
    if (!conflict) return;
    setDisk(conflict.theirs);
    load(conflict.theirs.text);
    setConflict(null);
  };
  return { disk, dirty, saving, error, conflict, joined, save, arrived, keepMine, takeTheirs };
}

import { useCallback, useState } from "react";
import { send } from "../../api/client";
import type { CellSchema } from "../../api/types_notebook";
import { asNote, starterBody } from "./celltypes";
import type { Known } from "./completion";
import type { useDocument } from "./document";
import { withRepair } from "./repairing";
import { type Block, blocksOf, cellText, freeName, insert, isShown, move, moveTo, remove, withBody, withOpening, withText } from "./text";

/** What is chosen in an editor: a block, and whether it is written in. */
export interface Place {
  at: number;
  editing: boolean;
}

/** Everything that changes a notebook's text, one block at a time, and what is chosen afterwards. */
export function useOperations(doc: ReturnType<typeof useDocument>, known: Known, first: number) {
  const [place, setPlace] = useState<Place>({ at: first, editing: false });
  const { text, edit } = doc;
  const blocks = blocksOf(text);
  const shown = blocks.flatMap((b, i) => (isShown(b) ? [i] : []));
  const at = shown.includes(place.at) ? place.at : (shown.findLast((i) => i < place.at) ?? shown[0] ?? -1);
  const block = blocks[at];

  const choose = useCallback((to: number, editing = false) => setPlace({ at: to, editing }), []);
  const step = (by: number) => {
    const next = shown[shown.indexOf(at) + by];
    if (next !== undefined) choose(next);
    return next;
  };
  const add = (schema: CellSchema | null, below: boolean) => {
    const where = block ? at + (below ? 1 : 0) : blocks.length;
    const above = blocks.slice(0, where).flatMap((b) => b.cell ?? []); // as they stand in the text: the server may not know all of them yet
    const made = schema ? cellText(schema.type, freeName(text, schema.type), starterBody(schema, known, above)) : "## …\n";
    const result = insert(text, where, made);
    edit(result.source);
    choose(result.at, true);
  };
  /** Takes a block out and returns it. */
  const drop = (where = at): Block | undefined => {
    const gone = blocks[where];
    if (!gone) return undefined;
    const next = shown[shown.indexOf(where) + 1] !== undefined ? where : (shown[shown.indexOf(where) - 1] ?? -1);
    edit(remove(text, where));
    choose(next);
    return gone;
  };
  const shift = (down: boolean, where = at) => {
    const result = move(text, where, down);
    edit(result.source);
    choose(result.at);
  };
  const toNote = (where = at) => {
    const cell = blocks[where]?.cell;
    if (!cell || cell.type === "note") return;
    const renamed = withOpening(text, where, "note", cell.name);
    edit(withBody(renamed, where, asNote(cell.body)));
  };
  const rename = async (name: string) => {
    const answer = await send<{ text: string }>("POST", "/notebooks/edit", { text, operation: "rename", cell: block?.cell?.name, name });
    edit(answer.text);
  };
  return {
    blocks,
    shown,
    at,
    block,
    editing: place.editing,
    choose,
    step,
    add,
    drop,
    shift,
    toNote,
    rename,
    drag: (from: number, to: number) => {
      const result = moveTo(text, from, to);
      edit(result.source);
      choose(result.at);
    },
    paste: (copied: Block, below: boolean) => {
      const made = copied.cell ? cellText(copied.cell.type, freeName(text, copied.cell.name), copied.cell.body) : copied.text;
      const result = insert(text, block ? at + (below ? 1 : 0) : blocks.length, made);
      edit(result.source);
      choose(result.at);
    },
    putBack: (made: Block, where: number) => {
      const result = insert(text, where, made.text);
      edit(result.source);
      choose(result.at);
    },
    /** Writes repair, run and comparison below a diagnosis. */
    repair: (where: number, take: string) => {
      const result = withRepair(text, where, take);
      if (!result) return;
      edit(result.source);
      choose(result.at);
    },
    setBody: (where: number, body: string) => edit(withBody(text, where, body), `body ${where}`),
    setProse: (where: number, prose: string) => edit(withText(text, where, prose), `prose ${where}`),
    setText: (whole: string) => edit(whole, "text"),
  };
}

export type Operations = ReturnType<typeof useOperations>;

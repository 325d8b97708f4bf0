import { useCallback, useRef, useState } from "react";
import { send } from "../../api/client";
import type { CellSchema } from "../../api/types_notebook";
import { type HeatAsked, heatChart, heatNames, heatQuery } from "../../parts/heatcells";
import { asNote, starterBody } from "./celltypes";
import { scoresOf, sweptSettings, withGuess } from "./charting";
import type { Known } from "./completion";
import type { useDocument } from "./document";
import { withQuery } from "./behind";
import { merged, parted, unnoted } from "./notes";
import { withRepair } from "./repairing";
import { type Block, blocksOf, cellText, freeName, insert, isShown, move, moveTo, remove, withBody, withOpening, withText } from "./text";

/** What is chosen in an editor: a block, and whether it is written in. */
export interface Place {
  at: number;
  editing: boolean;
  /** Where a stretch of several begins; absent where one block is chosen. */
  from?: number;
}

/** Everything that changes a notebook's text, one block at a time, and what is chosen afterwards. */
export function useOperations(doc: ReturnType<typeof useDocument>, known: Known, first: number) {
  const [place, setPlace] = useState<Place>({ at: first, editing: false });
  const was = useRef(new Map<string, { type: string; body: string }>()); // what became notes here, by what these say
  const { text, edit } = doc;
  const blocks = blocksOf(text);
  const shown = blocks.flatMap((b, i) => (isShown(b) ? [i] : []));
  const at = shown.includes(place.at) ? place.at : (shown.findLast((i) => i < place.at) ?? shown[0] ?? -1);
  const block = blocks[at];

  const choose = useCallback((to: number, editing = false) => setPlace({ at: to, editing }), []);
  const anchor = place.from !== undefined && shown.includes(place.from) ? place.from : at;
  /** The blocks that are chosen, in order. */
  const chosen = shown.filter((i) => i >= Math.min(anchor, at) && i <= Math.max(anchor, at));
  /** Chooses one more block, or one less. */
  const extend = (by: number) => {
    const next = shown[shown.indexOf(at) + by];
    if (next !== undefined) setPlace({ at: next, editing: false, from: anchor });
  };
  const step = (by: number) => {
    const next = shown[shown.indexOf(at) + by];
    if (next !== undefined) choose(next);
    return next;
  };
  const add = (schema: CellSchema | null, below: boolean, body?: string) => {
    const where = block ? at + (below ? 1 : 0) : blocks.length;
    const above = blocks.slice(0, where).flatMap((b) => b.cell ?? []); // as they stand in the text: the server may not know all of them yet
    const made = schema ? cellText(schema.type, freeName(text, schema.type), body ?? starterBody(schema, known, above)) : "## …\n";
    const result = insert(text, where, made);
    edit(result.source);
    choose(result.at, true);
  };
  /** Puts a cell of a type above a block, and opens it. */
  const begin = (type: string, where: number) => {
    const schema = known.schemas.find((s) => s.type === type);
    if (!schema) return;
    const above = blocks.slice(0, where).flatMap((b) => b.cell ?? []);
    const result = insert(text, where, cellText(type, freeName(text, type), starterBody(schema, known, above)));
    edit(result.source);
    choose(result.at, true);
  };
  /** Writes a query and the heat map of it below the chosen block: the mean of a score by theme and the first setting that is varied. */
  const addHeat = (titleOf: (setting: string) => Record<string, string>) => {
    const asked: HeatAsked = { metric: "correctness", rows: "theme", setting: sweptSettings(known)[0] ?? "retrieve.k" };
    const names = heatNames(asked);
    const query = freeName(text, names.query);
    const before = insert(text, block ? at + 1 : blocks.length, cellText("query", query, heatQuery(asked, "")));
    const chart = cellText("chart", freeName(before.source, names.chart), heatChart(asked, query, titleOf(asked.setting)));
    const result = insert(before.source, before.at + 1, chart);
    edit(result.source);
    choose(result.at);
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
  /** Takes all chosen blocks out and returns them with their places. */
  const dropChosen = (): { block: Block; at: number }[] => {
    const gone = chosen.flatMap((i) => (blocks[i] ? [{ block: blocks[i], at: i }] : []));
    edit([...chosen].reverse().reduce(remove, text));
    choose(
      shown[shown.indexOf(chosen.at(-1) ?? at) + 1] !== undefined ? (chosen[0] ?? at) : (shown[shown.indexOf(chosen[0] ?? at) - 1] ?? -1),
    );
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
    was.current.set(asNote(cell.body), { type: cell.type, body: cell.body });
  };
  /** Makes a note what it was, or a cell of another type that says the same; false: it must be asked which. */
  const fromNote = (type?: string): boolean => {
    const body = unnoted(block);
    if (!block?.cell || body === null) return true;
    const before = was.current.get(block.cell.body);
    const made = type ?? before?.type;
    if (!made) return false;
    edit(withBody(withOpening(text, at, made, block.cell.name), at, type ? body : (before?.body ?? body)));
    return true;
  };
  const mergeNotes = () => {
    const below = shown[shown.indexOf(at) + 1];
    const made = merged(text, chosen.length > 1 ? chosen : below === undefined ? [] : [at, below]);
    if (made === null) return;
    edit(made);
    choose(chosen[0] ?? at);
  };
  const splitNote = (lang: string, caret: number) => {
    const made = parted(text, at, lang, caret);
    if (!made) return;
    edit(made.source);
    choose(made.at, true);
  };
  const rename = async (name: string) => {
    const answer = await send<{ text: string }>("POST", "/notebooks/edit", { text, operation: "rename", cell: block?.cell?.name, name });
    edit(answer.text);
  };
  return {
    blocks,
    shown,
    at,
    chosen,
    block,
    extend,
    dropChosen,
    fromNote,
    mergeNotes,
    splitNote,
    editing: place.editing,
    choose,
    step,
    add,
    begin,
    addHeat,
    drop,
    shift,
    toNote,
    rename,
    drag: (from: number, to: number) => {
      const result = moveTo(text, from, to);
      edit(result.source);
      choose(result.at);
    },
    paste: (copied: Block[], below: boolean) => {
      let made = { source: text, at: block ? at + (below ? 0 : -1) : blocks.length - 1 };
      for (const c of copied) {
        const body = c.cell ? cellText(c.cell.type, freeName(made.source, c.cell.name), c.cell.body) : c.text;
        made = insert(made.source, made.at + 1, body);
      }
      edit(made.source);
      choose(made.at);
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
    /** Writes the rows behind a value as a query below its table. */
    query: (where: number, sql: string) => {
      const result = withQuery(text, where, sql);
      edit(result.source);
      choose(result.at);
    },
    /** Writes the scores of a cell, question by question, as a query above a chart, which draws it. */
    scores: (where: number, of: string) => {
      const { query, chart } = scoresOf(known, of);
      const name = freeName(text, `scores_of_${of}`);
      const above = insert(text, where, cellText("query", name, query));
      const drawn = blocksOf(above.source).findIndex((b, i) => i > above.at && b.cell?.name === blocks[where]?.cell?.name);
      if (drawn < 0) return;
      edit(withBody(above.source, drawn, withGuess(`of: ${name}\n`, chart)));
      choose(drawn, true);
    },
    setBody: (where: number, body: string) => edit(withBody(text, where, body), `body ${where}`),
    setProse: (where: number, prose: string) => edit(withText(text, where, prose), `prose ${where}`),
    setText: (whole: string) => edit(whole, "text"),
  };
}

export type Operations = ReturnType<typeof useOperations>;

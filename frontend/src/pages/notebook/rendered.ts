import type { Bilingual, NotebookBlock } from "../../api/types_notebook";
import type { Block } from "./text";

/**
 * What the server made of each block of the text on screen. It answers a moment after the text has changed: until then a block shows
 * what was made of the same words, wherever they stood, or else what its place showed before it was edited. One that was just put in
 * has nothing yet.
 */
export function renderedOf(blocks: Block[], known: NotebookBlock[]): (Bilingual | undefined)[] {
  const made = new Map(known.map((b) => [b.text, b.html ?? {}]));
  const samePlaces = blocks.length === known.length;
  return blocks.map((b, i) => {
    const before = known[i];
    const here = samePlaces && before?.kind === b.kind && (before.cell ?? "") === (b.cell?.name ?? "");
    return made.get(b.text) ?? (here ? (before?.html ?? {}) : undefined);
  });
}

import type { ChunkPreview, EvidenceMark } from "../../api/types_library";
import { cut, type Range } from "../../parts/markedtext";

/** Marks of evidence for a text. The title of a mark says whose it is. */
export function evidenceRanges(evidence: EvidenceMark[]): Range[] {
  return evidence.map((e) => ({ start: e.start, end: e.end, kind: "evidence", title: `${e.question_id}: ${e.question}` }));
}

/** The number of the mark in the drawn text at which a place begins; -1 where no mark is. */
export function markAt(text: string, ranges: Range[], place: number): number {
  let from = 0;
  let mark = -1;
  for (const piece of cut(text, ranges)) {
    if (piece.kinds.length > 0) mark++;
    const to = from + Array.from(piece.text).length;
    if (place >= from && place < to) return piece.kinds.length > 0 ? mark : -1;
    from = to;
  }
  return -1;
}

/** A chunk as it is shown: what it shares with the chunk before, and the evidence in it. */
export interface ShownChunk {
  number: number;
  start: number;
  end: number;
  text: string;
  length: number;
  shared: number;
  ranges: Range[];
  /** Evidence of which this chunk holds a part, and no chunk the whole. */
  broken: number;
  /** Headings it stands under, what is put before it, and the larger piece that is handed on in its place. */
  path: string[];
  header: string;
  parent: { start: number; end: number } | undefined;
}

/** Chunks with the evidence that lies in them, in offsets of the chunk. */
export function shownChunks(preview: ChunkPreview, evidence: EvidenceMark[]): ShownChunk[] {
  const whole = (e: EvidenceMark) => preview.chunks.some((c) => c.start <= e.start && e.end <= c.end);
  const torn = new Set(evidence.filter((e) => !whole(e)));
  return preview.chunks.map((c, i) => {
    const before = preview.chunks[i - 1];
    const shared = before ? Math.max(0, Math.min(before.end, c.end) - c.start) : 0;
    const inside = evidence.filter((e) => e.start < c.end && e.end > c.start);
    const ranges: Range[] = inside.map((e) => ({
      start: Math.max(e.start, c.start) - c.start,
      end: Math.min(e.end, c.end) - c.start,
      kind: torn.has(e) ? "conflict" : "evidence",
      title: `${e.question_id}: ${e.question}`,
    }));
    return {
      number: i + 1,
      start: c.start,
      end: c.end,
      text: c.text,
      length: c.end - c.start,
      shared,
      ranges,
      broken: inside.filter((e) => torn.has(e)).length,
      path: c.path ?? [],
      header: c.header ?? "",
      parent: c.parent,
    };
  });
}

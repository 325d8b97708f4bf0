import css from "./markedtext.module.css";

/** What a mark says about the text below it. */
export type MarkKind = "quote" | "evidence" | "unsupported" | "search" | "conflict";

/** A part of a text, in Unicode code points from its beginning. */
export interface Range {
  start: number;
  end: number;
  kind: MarkKind;
  title?: string | undefined;
}

interface Piece {
  text: string;
  kinds: MarkKind[];
  titles: string[];
}

/** Cuts a text at the borders of its marks. Marks may overlap; positions outside the text are cut off. */
export function cut(text: string, ranges: Range[]): Piece[] {
  const points = Array.from(text);
  const inside = ranges
    .map((r) => ({ ...r, start: Math.max(0, r.start), end: Math.min(points.length, r.end) }))
    .filter((r) => r.start < r.end);
  const borders = [...new Set([0, points.length, ...inside.flatMap((r) => [r.start, r.end])])].sort((a, b) => a - b);
  return borders.slice(0, -1).map((from, i) => {
    const to = borders[i + 1] ?? points.length;
    const over = inside.filter((r) => r.start <= from && r.end >= to);
    return {
      text: points.slice(from, to).join(""),
      kinds: [...new Set(over.map((r) => r.kind))],
      titles: [...new Set(over.flatMap((r) => (r.title ? [r.title] : [])))],
    };
  });
}

/** A text with marks in it. Each kind of mark has a colour and an underline of its own. */
export function MarkedText({ text, ranges }: { text: string; ranges: Range[] }) {
  return (
    <div className={`text ${css.marked}`}>
      {cut(text, ranges).map((piece, i) =>
        piece.kinds.length === 0 ? (
          piece.text
        ) : (
          <mark key={i} className={piece.kinds.map((k) => css[k]).join(" ")} title={piece.titles.join("\n") || undefined}>
            {piece.text}
          </mark>
        ),
      )}
    </div>
  );
}

/** What the marks mean, beside the text. */
export function MarkLegend({ kinds, words }: { kinds: MarkKind[]; words: (kind: MarkKind) => string }) {
  return (
    <span className={css.legend}>
      {kinds.map((kind) => (
        <mark key={kind} className={css[kind]}>
          {words(kind)}
        </mark>
      ))}
    </span>
  );
}

/** A stretch of a notebook. The texts of all blocks after each other are the notebook, letter by letter. */
export interface Block {
  kind: "front" | "prose" | "cell";
  text: string;
  line: number; // from 1
  cell?: CellText;
}

/** A cell as it is written. */
export interface CellText {
  type: string;
  name: string;
  opening: string; // the first line with its end
  body: string;
  closing: string; // the last line with its end; "" while the cell is not closed
}

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;

/** What may be a cell's name. */
export const nameShape = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;

/** Takes a notebook apart by the same rules as the server. */
export function blocksOf(source: string): Block[] {
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const bare = (i: number) => (lines[i] ?? "").replace(/\r?\n$/, "");
  const out: Block[] = [];
  let at = frontEnd(lines);
  if (at > 0) out.push({ kind: "front", line: 1, text: lines.slice(0, at).join("") });
  let prose = at;
  const flush = (to: number) => {
    if (to > prose) out.push({ kind: "prose", line: prose + 1, text: lines.slice(prose, to).join("") });
  };
  while (at < lines.length) {
    const start = at++;
    const m = fence.exec(bare(start));
    if (!m) continue;
    const marks = m[1] ?? "";
    const words = (m[2] ?? "").split(/\s+/).filter(Boolean);
    let closed = false;
    while (at < lines.length && !closed) {
      const end = fence.exec(bare(at++));
      closed = !!end && (end[1] ?? "")[0] === marks[0] && (end[1] ?? "").length >= marks.length && !(end[2] ?? "").trim();
    }
    if (marks[0] !== "`" || words[0] !== "rag") continue;
    flush(start);
    const bodyEnd = closed ? at - 1 : at;
    out.push({
      kind: "cell",
      line: start + 1,
      text: lines.slice(start, at).join(""),
      cell: {
        type: words[1] ?? "",
        name: words[2] ?? "",
        opening: lines[start] ?? "",
        body: lines.slice(start + 1, bodyEnd).join(""),
        closing: closed ? (lines[at - 1] ?? "") : "",
      },
    });
    prose = at;
  }
  flush(lines.length);
  return out;
}

/** How many lines the front matter has. */
function frontEnd(lines: string[]): number {
  const dashes = (s: string) => s.replace(/^\ufeff/, "").trimEnd() === "---";
  if (!dashes(lines[0] ?? "")) return 0;
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === "---");
  return end < 0 ? 0 : end + 1;
}

/** The notebook that blocks make up. */
export function joined(blocks: Block[]): string {
  return blocks.map((b) => b.text).join("");
}

/** Whether people see a block: not the front matter, and not the empty lines between cells. */
export function isShown(block: Block): boolean {
  return block.kind === "cell" || (block.kind === "prose" && block.text.trim() !== "");
}

const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** Puts another text in the place of a block. */
export function withText(source: string, at: number, text: string): string {
  const blocks = blocksOf(source);
  const last = at === blocks.length - 1;
  return joined(blocks.map((b, i) => (i === at ? { ...b, text: last ? text : ended(text) } : b)));
}

/** Whether a text would close the fence of the cell that it stands in. */
export function closesFence(cell: CellText, body: string): boolean {
  const marks = fence.exec(cell.opening.trimEnd())?.[1] ?? "```";
  return body.split("\n").some((line) => {
    const m = fence.exec(line.replace(/\r$/, ""));
    return !!m && (m[1] ?? "")[0] === "`" && (m[1] ?? "").length >= marks.length && !(m[2] ?? "").trim();
  });
}

/** Gives a cell another body; the fence and everything else stay. */
export function withBody(source: string, at: number, body: string): string {
  const cell = blocksOf(source)[at]?.cell;
  if (!cell || closesFence(cell, body)) return source;
  return withText(source, at, cell.opening + ended(body) + cell.closing);
}

/** Gives a cell another type and name. */
export function withOpening(source: string, at: number, type: string, name: string): string {
  const cell = blocksOf(source)[at]?.cell;
  if (!cell) return source;
  const marks = fence.exec(cell.opening.trimEnd())?.[1] ?? "```";
  const end = /\r?\n$/.exec(cell.opening)?.[0] ?? "\n";
  return withText(source, at, `${marks}rag ${type} ${name}${end}${cell.body}${cell.closing}`);
}

/** The text of a new cell. */
export function cellText(type: string, name: string, body: string): string {
  return `\`\`\`rag ${type} ${name}\n${ended(body)}\`\`\`\n`;
}

/** Puts a text before a block, or at the end, parted from its neighbours by empty lines. Returns the place of what was put in. */
export function insert(source: string, at: number, text: string): { source: string; at: number } {
  const blocks = blocksOf(source);
  const place = Math.min(Math.max(at, blocks[0]?.kind === "front" ? 1 : 0), blocks.length);
  let before = joined(blocks.slice(0, place));
  const after = joined(blocks.slice(place));
  before = ended(before);
  if (before && !before.endsWith("\n\n")) before += "\n";
  const gap = after && !after.startsWith("\n") ? "\n" : "";
  const made = before + ended(text) + gap + after;
  const line = before.split("\n").length;
  return { source: made, at: blocksOf(made).findIndex((b) => b.line >= line && isShown(b)) };
}

/** Takes a block out, with the empty lines behind it. */
export function remove(source: string, at: number): string {
  const blocks = blocksOf(source);
  const next = blocks[at + 1];
  const gap = next?.kind === "prose" ? next.text.replace(/^(\s*\n)+/, "") : undefined;
  return joined(blocks.flatMap((b, i) => (i === at ? [] : i === at + 1 && gap !== undefined ? [{ ...b, text: gap }] : [b])));
}

/** Swaps a block with the next one that people see, or the one before. Returns its new place; the same at the ends. */
export function move(source: string, at: number, down: boolean): { source: string; at: number } {
  const blocks = blocksOf(source);
  const step = down ? 1 : -1;
  let other = at + step;
  while (blocks[other] && !isShown(blocks[other] as Block)) other += step;
  const [a, b] = [blocks[at], blocks[other]];
  if (!a || !b) return { source, at };
  const trail = (text: string) => /\n*$/.exec(text)?.[0] ?? "";
  const texts = blocks.map((x) => x.text);
  texts[at] = keep(a, b.text, trail(a.text));
  texts[other] = keep(b, a.text, trail(b.text));
  const made = texts.join("");
  const line = texts.slice(0, other).join("").split("\n").length;
  const found = blocksOf(made).findIndex((x) => x.line === line);
  return { source: made, at: found < 0 ? other : found };
}

/** Takes a block to the place before another one, parted from its neighbours by empty lines. Returns its new place. */
export function moveTo(source: string, from: number, to: number): { source: string; at: number } {
  const blocks = blocksOf(source);
  const [block, target] = [blocks[from], blocks[to]];
  if (!block || !target || from === to) return { source, at: from };
  const without = remove(source, from);
  const place = blocksOf(without).findIndex((b) => b.text === target.text && b.kind === target.kind && b.cell?.name === target.cell?.name);
  if (place < 0) return { source, at: from }; // the block was the only thing that parted two stretches of prose
  return insert(without, place, block.text.replace(/\n+$/, "\n"));
}

/** A text in the place of a block; prose keeps its distance to what follows. */
function keep(place: Block, text: string, trail: string): string {
  if (place.kind === "prose" || trail === "") return text.replace(/\n*$/, "") + (trail || "\n");
  return ended(text);
}

/** A name that no cell has yet: the word, else the word with a number. */
export function freeName(source: string, word: string): string {
  const taken = new Set(blocksOf(source).map((b) => b.cell?.name));
  for (let i = 1; ; i++) {
    const name = i === 1 && !taken.has(word) ? word : `${word}${i === 1 ? 2 : i}`;
    if (!taken.has(name)) return name;
  }
}

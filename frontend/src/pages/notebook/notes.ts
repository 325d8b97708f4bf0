import { entriesOf, printText, setField, textOf } from "./fields";
import { type Block, blocksOf, cellText, freeName, insert, remove, withBody } from "./text";

/** The languages of a note. */
const languages = ["en", "ja"] as const;

/** Makes one note of several that stand after each other, with the name and the heading of the first; null where they are not all notes. */
export function merged(source: string, places: number[]): string | null {
  const notes = places.map((at) => blocksOf(source)[at]?.cell);
  const first = notes[0];
  if (notes.length < 2 || !first || notes.some((n) => n?.type !== "note" || !entriesOf(n.body))) return null;
  const body = languages.reduce((made, lang) => {
    const texts = notes.flatMap((n) => textOf(n?.body ?? "", lang).trim() || []);
    return texts.length ? setField(made, lang, printText(`${texts.join("\n\n")}\n`, true)) : made;
  }, first.body);
  const text = withBody(source, places[0] ?? 0, body);
  return [...places.slice(1)].reverse().reduce(remove, text);
}

/** Parts a note before a letter of its text in one language; what is left of the other language stays with the first. Null: nothing to part. */
export function parted(source: string, at: number, lang: string, caret: number): { source: string; at: number } | null {
  const cell = blocksOf(source)[at]?.cell;
  const said = cell && textOf(cell.body, lang);
  if (cell?.type !== "note" || !said || !entriesOf(cell.body)) return null;
  const [before, after] = [said.slice(0, caret).trim(), said.slice(caret).trim()];
  if (!before || !after) return null;
  const text = withBody(source, at, setField(cell.body, lang, printText(`${before}\n`, true)));
  return insert(text, at + 1, cellText("note", freeName(source, cell.name), setField("", lang, printText(`${after}\n`, true))));
}

/** What a note said, as the body of another type: the text of its first language that has one. */
export function unnoted(block: Block | undefined): string | null {
  const body = block?.cell?.type === "note" ? block.cell.body : null;
  if (body === null || !entriesOf(body)) return null;
  const lang = languages.find((l) => textOf(body, l).trim());
  const said = lang ? textOf(body, lang) : "";
  return said && !said.endsWith("\n") ? `${said}\n` : said;
}

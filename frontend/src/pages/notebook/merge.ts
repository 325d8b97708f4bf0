import { type Block, blocksOf } from "./text";

/** What became of two texts that were both edited from the same one. */
export interface Merged {
  text: string;
  taken: string[]; // cells that came from them
  clashes: string[]; // what both changed, each in another way; the text is then of no use
}

/** A block by what it is: a cell by its name, prose by the cell that it follows. */
function keyed(source: string): Map<string, string> {
  const out = new Map<string, string>();
  let cell = "";
  for (const b of blocksOf(source)) {
    let key = keyOf(b, cell);
    while (out.has(key)) key += "+"; // two cells of one name: a mistake, and not to be lost
    if (b.kind === "cell") cell = key;
    out.set(key, b.text);
  }
  return out;
}

function keyOf(b: Block, cell: string): string {
  if (b.kind === "front") return "front";
  return b.kind === "cell" ? `cell ${b.cell?.name ?? ""}` : `prose ${cell}`;
}

/** The keys of a text, with those that only the other one has behind what they follow there. */
function woven(order: string[], other: string[], wanted: (key: string) => boolean): string[] {
  const out = order.filter(wanted);
  other.forEach((key, i) => {
    if (!wanted(key) || out.includes(key)) return;
    const behind = other.slice(0, i).findLast((k) => out.includes(k));
    out.splice(behind === undefined ? 0 : out.indexOf(behind) + 1, 0, key);
  });
  return out;
}

/** Joins two texts cell by cell. Of a cell that one took out and the other changed the change stays. */
export function merge(base: string, mine: string, theirs: string): Merged {
  const [b, m, t] = [keyed(base), keyed(mine), keyed(theirs)];
  const texts = new Map<string, string>();
  const clashes: string[] = [];
  const taken: string[] = [];
  for (const key of new Set([...b.keys(), ...m.keys(), ...t.keys()])) {
    const [was, here, there] = [b.get(key), m.get(key), t.get(key)];
    if (here !== there && there !== was && there !== undefined) {
      if (here !== was && here !== undefined) clashes.push(nameOf(key));
      else taken.push(nameOf(key));
    }
    const text = here === was ? there : there === was || there === undefined ? here : here === undefined ? there : here;
    if (text !== undefined) texts.set(key, text);
  }
  const common = (keys: Iterable<string>) => [...keys].filter((k) => b.has(k) && m.has(k) && t.has(k)).join("\n");
  const theyMoved = common(t.keys()) !== common(b.keys());
  const [first, second] = theyMoved ? [t, m] : [m, t];
  const order = woven([...first.keys()], [...second.keys()], (key) => texts.has(key));
  const parts = order.map((key, i) => {
    const text = texts.get(key) ?? "";
    return i === order.length - 1 || text.endsWith("\n") ? text : `${text}\n`;
  });
  return { text: parts.join(""), taken: [...new Set(taken)].filter(Boolean), clashes };
}

/** A cell's name; of prose the cell that it follows. */
const nameOf = (key: string) => key.replace(/^(cell|prose) /, "").replace(/^cell /, "");

import { type Block, blocksOf, closesFence, joined } from "./text";

/** One place in a notebook where a text stands. */
export interface Hit {
  at: number; // of the block
  from: number; // in what the block says
  to: number;
  line: number; // of the document, from 1
  before: string; // on that line
  found: string;
  after: string;
}

/** Most hits that are listed. */
export const mostHits = 500;

/** What is searched of a block: prose, or the body of a cell. Names and types are changed by what renames them. */
const saysOf = (b: Block): { text: string; line: number } | null => {
  if (b.kind === "front") return null;
  return b.cell ? { text: b.cell.body, line: b.line + 1 } : { text: b.text, line: b.line };
};

/** Where a text stands in the cells and the prose of a notebook, in order, and how often in all. */
export function hitsOf(source: string, query: string, exact: boolean): { hits: Hit[]; count: number } {
  const hits: Hit[] = [];
  let count = 0;
  if (query === "") return { hits, count };
  blocksOf(source).forEach((b, at) => {
    const says = saysOf(b);
    if (!says) return;
    for (const from of placesOf(says.text, query, exact)) {
      count++;
      if (hits.length >= mostHits) continue;
      const to = from + query.length;
      const begin = says.text.lastIndexOf("\n", from - 1) + 1;
      const end = says.text.indexOf("\n", to);
      hits.push({
        at,
        from,
        to,
        line: says.line + says.text.slice(0, from).split("\n").length - 1,
        before: says.text.slice(begin, from),
        found: says.text.slice(from, to),
        after: says.text.slice(to, end < 0 ? undefined : end),
      });
    }
  });
  return { hits, count };
}

function placesOf(text: string, query: string, exact: boolean): number[] {
  const fold = (s: string) => (exact ? s : s.replace(/[A-ZÀ-ÖØ-Þ]/g, (c) => c.toLowerCase())); // letter by letter: places stay true
  const [hay, needle] = [fold(text), fold(query)];
  const out: number[] = [];
  for (let i = hay.indexOf(needle); i >= 0; i = hay.indexOf(needle, i + needle.length)) out.push(i);
  return out;
}

/**
 * Puts a text in the place of another one, everywhere or at one hit. A cell whose fence that would close stays as it is; left says how
 * many places that are.
 */
export function replaced(
  source: string,
  query: string,
  by: string,
  exact: boolean,
  only?: Hit,
): { source: string; done: number; left: number } {
  let [done, left] = [0, 0];
  const texts = blocksOf(source).map((b, at): Block => {
    const says = saysOf(b);
    if (!says || (only && only.at !== at)) return b;
    const places = only ? [only.from] : placesOf(says.text, query, exact);
    if (places.length === 0) return b;
    const made = places.reduceRight((text, from) => text.slice(0, from) + by + text.slice(from + query.length), says.text);
    if (b.cell && closesFence(b.cell, made)) {
      left += places.length;
      return b;
    }
    done += places.length;
    return { ...b, text: b.cell ? b.cell.opening + made + b.cell.closing : made };
  });
  return { source: joined(texts), done, left };
}

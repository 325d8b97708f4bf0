// Labels as internal/charts/labels.go sets them: a Japanese character is one em, any other 0.55.

function width(c: string): number {
  return (c.codePointAt(0) ?? 0) >= 0x2e80 || c === "…" ? 1 : 0.55;
}

/** The width of a text in em. */
export function measure(s: string): number {
  let out = 0;
  for (const c of s) out += width(c);
  return out;
}

const spaces = { end: / +$/, start: /^ +/ };

/** A text on at most two lines. What does not fit is taken out of its middle. */
export function wrap(s: string, em: number): string[] {
  if (measure(s) <= em) return [s];
  const chars = [...s];
  let at = 0;
  let used = 0;
  for (const [i, c] of chars.entries()) {
    used += width(c);
    if (used > em + 1e-9 && c !== " ") break;
    const next = chars[i + 1];
    if (next !== undefined && breaks(c, next)) at = i + 1;
  }
  if (at === 0 || measure(chars.slice(0, at).join("")) < em / 3) at = fitting(chars, em);
  const first = chars.slice(0, at).join("").replace(spaces.end, "");
  const rest = chars.slice(at).join("").replace(spaces.start, "");
  return measure(rest) <= em ? [first, rest] : [first, `…${ending([...rest], em - 1)}`];
}

/** A text on one line. What does not fit is taken out of its middle. */
export function shorten(s: string, em: number): string {
  if (measure(s) <= em) return s;
  const chars = [...s];
  const head = fitting(chars, (em - 1) / 2);
  const start = chars.slice(0, head).join("");
  return `${start.replace(spaces.end, "")}…${ending(chars.slice(head), em - 1 - measure(start))}`;
}

function fitting(chars: string[], em: number): number {
  let used = 0;
  for (const [i, c] of chars.entries()) {
    used += width(c);
    if (used > em + 1e-9) return Math.max(1, i);
  }
  return chars.length;
}

function ending(chars: string[], em: number): string {
  let used = 0;
  let at = chars.length;
  while (at > 0) {
    used += width(chars[at - 1] as string);
    if (used > em + 1e-9) break;
    at--;
  }
  return chars.slice(at).join("").replace(spaces.start, "");
}

/** Whether a line may end between two characters. */
export function breaks(a: string, b: string): boolean {
  if ("、。，．）」』】〕・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?)]".includes(b)) return false;
  if ("（「『【〔([".includes(a)) return false;
  if (a === " " || "/=_-".includes(a)) return true;
  return (a.codePointAt(0) ?? 0) >= 0x2e80 || (b.codePointAt(0) ?? 0) >= 0x2e80;
}

/** A piece of a line of prose. Nothing of it is markup by itself: whoever shows it makes elements of it. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "value"; ref: string }
  | { kind: "strong" | "em" | "del"; inside: Inline[] }
  | { kind: "link"; to: string; inside: Inline[] };

/** A part of prose. */
export type Part =
  | { kind: "heading"; level: number; inside: Inline[] }
  | { kind: "paragraph"; inside: Inline[] }
  | { kind: "quote"; inside: Part[] }
  | { kind: "list"; ordered: boolean; items: Part[][] }
  | { kind: "code"; text: string }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "line" };

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

/** Reads the Markdown that notes are written in: headings, lists, tables, quotes, code, emphasis and links. HTML is text. */
export function readMarkdown(source: string, depth = 0): Part[] {
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  const out: Part[] = [];
  let words: string[] = [];
  const flush = () => {
    if (words.length) out.push({ kind: "paragraph", inside: readInline(words.join("\n")) });
    words = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const taken = depth < 8 ? special(lines, i, depth) : null;
    if (taken) {
      flush();
      out.push(taken.part);
      i = taken.next - 1;
    } else if (line.trim() === "") flush();
    else words.push(line.trim());
  }
  flush();
  return out;
}

/** A part that begins at a line and is no paragraph, and the line behind it. */
function special(lines: string[], at: number, depth: number): { part: Part; next: number } | null {
  const line = lines[at] ?? "";
  const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (heading) return { part: { kind: "heading", level: (heading[1] ?? "").length, inside: readInline(heading[2] ?? "") }, next: at + 1 };
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line);
  if (fence) {
    let end = at + 1;
    while (end < lines.length && !(lines[end] ?? "").trim().startsWith(fence[1] ?? "```")) end++;
    return { part: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
  }
  if (/^ {0,3}([-*_])( *\1){2,} *$/.test(line)) return { part: { kind: "line" }, next: at + 1 };
  if (/^ {0,3}>/.test(line)) {
    const end = endOf(lines, at, (l) => /^ {0,3}>/.test(l));
    const inside = lines.slice(at, end).map((l) => l.replace(/^ {0,3}> ?/, ""));
    return { part: { kind: "quote", inside: readMarkdown(inside.join("\n"), depth + 1) }, next: end };
  }
  if (line.includes("|") && /^[\s|:-]*-[\s|:-]*$/.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("|")) {
    const end = endOf(lines, at + 2, (l) => l.includes("|"));
    return { part: { kind: "table", head: row(line), rows: lines.slice(at + 2, end).map(row) }, next: end };
  }
  return item.test(line) ? list(lines, at, depth) : null;
}

function list(lines: string[], at: number, depth: number): { part: Part; next: number } {
  const first = item.exec(lines[at] ?? "");
  const indent = (first?.[1] ?? "").length;
  const ordered = /\d/.test(first?.[2] ?? "");
  const items: string[][] = [];
  let i = at;
  for (; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const m = item.exec(line);
    if (m && (m[1] ?? "").length <= indent) {
      if (/\d/.test(m[2] ?? "") !== ordered) break;
      items.push([m[3] ?? ""]);
    } else if (/^\s+\S/.test(line)) items.at(-1)?.push(line.slice(Math.min(indent + 2, /^\s*/.exec(line)?.[0].length ?? 0)));
    else break;
  }
  return { part: { kind: "list", ordered, items: items.map((l) => readMarkdown(l.join("\n"), depth + 1)) }, next: i };
}

function endOf(lines: string[], from: number, goesOn: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && goesOn(lines[end] ?? "")) end++;
  return end;
}

function row(line: string): Inline[][] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => readInline(cell.trim()));
}

/** Addresses that a link may lead to: pages of ours, and the web. Anything else is no link. */
function safe(to: string): boolean {
  return /^(https?:\/\/|\/(?!\/)|#)/i.test(to);
}

const tokens: [RegExp, (m: RegExpExecArray, depth: number) => Inline][] = [
  [/^\\([!-/:-@[-`{-~])/, (m) => ({ kind: "text", text: m[1] ?? "" })],
  [/^\{\{\s*([^{}\s]+)\s*\}\}/, (m) => ({ kind: "value", ref: m[1] ?? "" })],
  [/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/, (m) => ({ kind: "code", text: (m[2] ?? "").trim() })],
  [/^\*\*(?=\S)([\s\S]*?\S)\*\*/, (m, d) => ({ kind: "strong", inside: readInline(m[1] ?? "", d + 1) })],
  [/^__(?=\S)([\s\S]*?\S)__(?!\w)/, (m, d) => ({ kind: "strong", inside: readInline(m[1] ?? "", d + 1) })],
  [/^~~(?=\S)([\s\S]*?\S)~~/, (m, d) => ({ kind: "del", inside: readInline(m[1] ?? "", d + 1) })],
  [/^\*(?=[^\s*])([^*]*?[^\s*])\*/, (m, d) => ({ kind: "em", inside: readInline(m[1] ?? "", d + 1) })],
  [/^!\[([^\]]*)\]\([^)]*\)/, (m) => ({ kind: "text", text: m[1] ?? "" })], // pictures would be asked from elsewhere
  [
    /^\[([^\]]+)\]\(\s*([^)\s]*)[^)]*\)/,
    (m, d) => {
      const inside = readInline(m[1] ?? "", d + 1);
      return safe(m[2] ?? "") ? { kind: "link", to: m[2] ?? "", inside } : { kind: "text", text: m[0] };
    },
  ],
];

/** Reads one stretch of prose. */
export function readInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  let plain = "";
  const flush = () => {
    if (plain) out.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const c = text[at] ?? "";
    const word = /\w/.test(text[at - 1] ?? "");
    let m: RegExpExecArray | null = null;
    if (depth < 6 && "\\{`*_~![".includes(c) && !(c === "_" && word)) {
      const rest = text.slice(at);
      for (const [shape, make] of tokens) {
        m = shape.exec(rest);
        if (!m) continue;
        const made = make(m, depth);
        if (made.kind === "text") plain += made.text;
        else {
          flush();
          out.push(made);
        }
        break;
      }
    }
    if (!m) plain += c;
    at += m ? m[0].length : 1;
  }
  flush();
  return out;
}

import { type Input, type NestedParse, type PartialParse, Parser, parseMixed, type SyntaxNodeRef, type TreeFragment } from "@lezer/common";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import type { LRParser } from "@lezer/lr";
import { type MarkdownParser, parser as markdown, Strikethrough, Table } from "@lezer/markdown";
import { parser as yaml } from "@lezer/yaml";

/** What a text is: "prose", "sql", a whole notebook as "document", else the body of a cell of this type. */
export type Kind = string;

/** The parsers that a grammar is made of: plain ones for text that is shown, those with indentation for text that is written. */
export interface Parts {
  yaml: LRParser;
  markdown: MarkdownParser;
  sql: Parser | null; // comes with the editor: until then a statement is plain text
}

/** Fields whose text is in another language. */
const foreign: Record<string, Record<string, "prose" | "sql">> = {
  query: { sql: "sql" },
  table: { filter: "sql" },
  note: { en: "prose", ja: "prose" },
};

/** The grammar of a kind of text. */
export function grammarOf(kind: Kind, parts: Parts): Parser {
  const prose = parts.markdown.configure([Table, Strikethrough]);
  const cell = (type: string): Parser => {
    const fields = foreign[type] ?? {};
    const inside = (node: SyntaxNodeRef, input: Input): NestedParse | null => {
      const language = fields[fieldOf(node, input)];
      const parser = language === "sql" ? parts.sql : language === "prose" ? prose : null;
      return parser && { parser };
    };
    return new Hiding(parts.yaml.configure({ wrap: parseMixed(inside) }));
  };
  if (kind === "sql") return new Hiding(parts.sql ?? prose);
  if (kind === "prose") return prose;
  if (kind !== "document") return cell(kind);
  // One function for both: parsers that wrap each other lose what was not parsed at once.
  const embedded = (node: SyntaxNodeRef, input: Input): NestedParse | null => {
    if (node.name === "Front") return { parser: new Hiding(parts.yaml) };
    const info = node.name === "FencedCode" ? node.node.getChild("CodeInfo") : null;
    const [rag, type = ""] = info ? input.read(info.from, info.to).split(/\s+/) : [];
    return rag === "rag" ? { parser: cell(type), overlay: (inside) => inside.name === "CodeText" } : null;
  };
  return prose.configure([
    {
      defineNodes: [{ name: "Front", block: true }],
      parseBlock: [
        {
          name: "Front",
          before: "HorizontalRule",
          parse(cx, line) {
            if (cx.lineStart > 0 || line.text.trimEnd() !== "---") return false;
            while (cx.nextLine() && line.text.trimEnd() !== "---");
            cx.nextLine();
            cx.addElement(cx.elt("Front", 0, cx.prevLineEnd()));
            return true;
          },
        },
      ],
      wrap: parseMixed(embedded),
    },
  ]);
}

/** The name of the field that a value stands in; "" for anything else. */
function fieldOf(node: SyntaxNodeRef, input: Input): string {
  if (node.name !== "BlockLiteralContent" && node.name !== "Literal" && node.name !== "QuotedLiteral") return "";
  const parent = node.node.parent;
  const pair = parent?.name === "BlockLiteral" ? parent.parent : parent;
  const key = pair?.name === "Pair" ? pair.getChild("Key") : null;
  return key ? input.read(key.from, key.to).trim() : "";
}

/** Parameters and values of cells, which stand in any language. */
export const chip = /\$\{[^{}\n]*\}|\{\{[^{}\n]*\}\}/g;

/** Parses a text with its parameters hidden behind letters of the same length: ${p.k} between braces is no YAML and no SQL. */
class Hiding extends Parser {
  constructor(readonly inner: Parser) {
    super();
  }
  createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly { from: number; to: number }[]): PartialParse {
    return this.inner.createParse(new HiddenInput(input), fragments, ranges);
  }
}

class HiddenInput implements Input {
  constructor(readonly input: Input) {}
  get length() {
    return this.input.length;
  }
  get lineChunks() {
    return this.input.lineChunks;
  }
  chunk(from: number) {
    return this.hide(this.input.chunk(from), from);
  }
  read(from: number, to: number) {
    return this.hide(this.input.read(from, to), from);
  }
  /** Reading may begin in the middle of a parameter. */
  private hide(text: string, from: number) {
    const before = from > 0 ? this.input.read(Math.max(0, from - 80), from) : "";
    const open = /\$\{?[^{}\n$]*$/.exec(before)?.[0] ?? "";
    return (open + text).replace(/\$\{[^{}\n]*\}/g, (name) => "p".repeat(name.length)).slice(open.length);
  }
}

let sql: Parser | null = null;
let version = 0;
const listeners = new Set<() => void>();

/** The editor brings the grammar of SQL with it: text that is on screen is coloured with it from then on. */
export function withSql(parser: Parser) {
  sql = parser;
  version++;
  for (const heard of listeners) heard();
}

export const sqlVersion = {
  subscribe: (heard: () => void) => {
    listeners.add(heard);
    return () => listeners.delete(heard);
  },
  now: () => version,
};

/** A text in pieces, each with the classes of what it is. */
export function piecesOf(text: string, kind: Kind): [text: string, classes: string][] {
  const coloured: [string, string][] = [];
  const tree = grammarOf(kind, { yaml, markdown, sql }).parse(text);
  highlightCode(
    text,
    tree,
    classHighlighter,
    (piece, classes) => coloured.push([piece, classes]),
    () => coloured.push(["\n", ""]),
  );
  const chips = [...text.matchAll(chip)].map((m) => [m.index, m.index + m[0].length] as const);
  const out: [string, string][] = [];
  let at = 0;
  for (const [piece, classes] of coloured) {
    const end = at + piece.length;
    while (at < end) {
      const here = chips.find(([, to]) => to > at);
      const inside = here !== undefined && here[0] <= at;
      const next = Math.min(end, here ? (inside ? here[1] : here[0]) : end);
      out.push([text.slice(at, next), inside ? `${classes} tok-chip` : classes]);
      at = next;
    }
  }
  return out;
}

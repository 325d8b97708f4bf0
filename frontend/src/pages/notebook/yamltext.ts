import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, type Scalar, YAMLMap } from "yaml";

/** A value of YAML as it is written: scalars stay text, because forms show what stands there. */
export type Value =
  | { kind: "scalar"; text: string }
  | { kind: "list"; items: Value[] }
  | { kind: "map"; entries: [key: string, value: Value][] };

export const scalar = (text: string): Value => ({ kind: "scalar", text });

/** Parameters in braces are no YAML: each is hidden behind letters of the same length, so that positions stay true. */
function hidden(text: string): { text: string; shown: (part: string) => string } {
  const names: string[] = [];
  const out = text.replace(/\$\{[^{}\n]*\}/g, (name) => {
    names.push(name);
    return mark(names.length - 1).repeat(name.length);
  });
  const shown = (part: string) => part.replace(/([\uE000-\uF8FF])\1*/g, (run) => names[run.charCodeAt(0) - 0xe000] ?? run);
  return { text: out, shown };
}

const mark = (n: number) => String.fromCharCode(0xe000 + (n % 0x1800));

/** A text of YAML with its root. Mistakes are kept: what stands before one can still be read. */
export function parsed(text: string) {
  const { text: source, shown } = hidden(text);
  const doc = parseDocument(source, { version: "1.2", keepSourceTokens: true, uniqueKeys: false });
  return { root: doc.contents as Node | null, sound: doc.errors.length === 0, shown, source };
}

export const pairsOf = (node: unknown): Pair<Scalar, Node | null>[] =>
  node instanceof YAMLMap || isMap(node)
    ? (node.items.filter((p) => isPair(p) && isScalar(p.key) && p.key.value !== null) as Pair<Scalar, Node | null>[])
    : [];

/** What a node says, as forms show it; null for what they cannot show: anchors, tags, folded texts, keys that are no names. */
export function valueOfNode(node: unknown, source: string, shown: (part: string) => string): Value | null {
  if (node === null || node === undefined) return scalar("");
  if (isAlias(node)) return null;
  const any = node as Node;
  if (any.tag && !any.tag.startsWith("tag:yaml.org,2002:")) return null;
  if ((isScalar(any) || isCollection(any)) && any.anchor) return null;
  if (isScalar(any)) return scalarOf(any, source, shown);
  if (isSeq(any)) {
    const items = any.items.map((i) => valueOfNode(i, source, shown));
    return items.every((i) => i !== null) ? { kind: "list", items } : null;
  }
  const pairs = pairsOf(any);
  if (!isMap(any) || pairs.length !== any.items.length) return null;
  const entries = pairs.map((p): [string, Value | null] => [shown(String(p.key.value)), valueOfNode(p.value, source, shown)]);
  return entries.every((e): e is [string, Value] => e[1] !== null) ? { kind: "map", entries } : null;
}

function scalarOf(node: Scalar, source: string, shown: (part: string) => string): Value | null {
  if (node.type === "BLOCK_FOLDED") return null;
  if (node.type === "BLOCK_LITERAL") {
    const kept = source.slice(node.range?.[0]).startsWith("|+");
    return scalar(shown(String(node.value)).replace(/\n*$/, kept ? "$&" : ""));
  }
  if (node.type === "PLAIN" && node.range) {
    const text = source.slice(node.range[0], node.range[1]);
    return text.includes("\n") ? null : scalar(shown(text));
  }
  return scalar(shown(String(node.value ?? "")));
}

/** Reads a value in one line: {by: chars, size: ${p.size}}, [a, b], "quoted" or plain. Null for what a form cannot show. */
export function parseFlow(text: string): Value | null {
  const { root, sound, shown, source } = parsed(text);
  if (!sound || /^\s*(- |[^\s"'[{#]*:(\s|$))/.test(text) || (isCollection(root) && !root.flow)) return null;
  return valueOfNode(root, source, shown);
}

const words = /^(true|false|null|yes|no|on|off|~|nan|inf|\.nan|\.inf)$/i;
const number = /^[-+]?(\d[\d_]*)?\.?\d+(e[-+]?\d+)?$/i;

/** Writes a scalar so that YAML reads the same back. asText quotes what would be read as a number or as true. */
export function printScalar(text: string, asText = false): string {
  if (/^(\$\{[^{}]*\})+$/.test(text)) return text;
  if (text === "") return '""';
  const unlike = asText && (words.test(text) || number.test(text));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: YAML quotes a text that begins with one
  const plain = /^[^\s\-?:,[\]{}#&*!|>'"%@`\u0000-\u001f]/u.test(text) || /^-?\d/.test(text);
  const inside = /[,[\]{}\n\t"]|: |:$| #|\s$/.test(text.replace(/\$\{[^{}]*\}/g, ""));
  return plain && !inside && !unlike ? text : JSON.stringify(text);
}

/** Writes a value in one line. */
export function printFlow(value: Value): string {
  switch (value.kind) {
    case "scalar":
      return printScalar(value.text);
    case "list":
      return `[${value.items.map(printFlow).join(", ")}]`;
    case "map":
      return `{${value.entries.map(([k, v]) => `${printScalar(k)}: ${printFlow(v)}`).join(", ")}}`;
  }
}

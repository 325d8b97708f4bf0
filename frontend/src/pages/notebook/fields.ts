import { isCollection, isMap, type Node, type Pair, type Scalar } from "yaml";
import { pairsOf, parsed, parseFlow, printScalar, type Value, valueOfNode } from "./yamltext";

/** One field of a body: what stands behind its name, on its line and on the lines below it. */
export interface Entry {
  key: string;
  first: number; // line, from 0
  raw: string;
  value: Value | null; // null where a form shows it as it is written
}

/** Whether a body is YAML without mistakes, so that a field can be set in it. */
export const isYaml = (body: string) => parsed(body).sound;

/** The fields of a body in their order, as far as it can be read; null where it is no list of fields. */
export function entriesOf(body: string): Entry[] | null {
  const { root, sound, shown, source } = parsed(body);
  if (root === null) return sound ? [] : null;
  const pairs = pairsOf(root);
  if (!isMap(root) || root.flow || pairs.length !== root.items.length) return null;
  return pairs.map((p) => {
    const [from, to] = span(p, source);
    return {
      key: shown(String(p.key.value)),
      first: source.slice(0, start(p)).split("\n").length - 1,
      raw: body.slice(from, to),
      value: valueOfNode(p.value, source, shown),
    };
  });
}

/** The names of the fields and their lines, from 0, without reading what stands behind them: soon enough for each key. */
export function keysOf(body: string): { key: string; first: number }[] {
  return body.split("\n").flatMap((line, first) => {
    const [, quoted, plain] = /^(?:"([^"]*)"|([\p{L}_][\p{L}\p{N}_.-]*))\s*:(?=\s|$)/u.exec(line) ?? [];
    const key = quoted ?? plain;
    return key === undefined ? [] : [{ key, first }];
  });
}

const start = (p: Pair<Scalar, Node | null>) => p.key.range?.[0] ?? 0;

/** Where the value of a pair stands: behind its colon, to the last letter of the value. */
function span(p: Pair<Scalar, Node | null>, source: string): [number, number] {
  const colon = source.indexOf(":", p.key.range?.[1] ?? 0) + 1;
  const end = p.value?.range && p.value.range[1] > colon ? p.value.range[1] : colon;
  return [colon, Math.max(colon, colon + source.slice(colon, end).trimEnd().length)];
}

/** A scalar as a field's value: several lines become a block of text. */
export function printText(text: string, asText = false): string {
  return text.includes("\n") ? `|\n${indented(text)}` : printScalar(text, asText);
}

const indented = (text: string, by = "  ") => text.replace(/^(?=.*\S)/gm, by);

/** Sets a field to a value as it is written; null takes it out. Nothing else in the text changes. */
export function setField(body: string, name: string, value: string | null): string {
  const { root, source } = parsed(body);
  const pair = pairsOf(root).findLast((p) => p.key.value === name);
  if (!pair) {
    if (value === null) return body;
    const before = body === "" || body.endsWith("\n") ? body : `${body}\n`;
    return `${before}${name}:${spaced(value)}\n`;
  }
  return value === null ? without(body, source, pair) : replaced(body, source, pair, value);
}

const spaced = (value: string) => (value.startsWith("\n") ? value : ` ${value}`);

/** Puts a value into the place of another one. A comment on the line of the name stays there. */
function replaced(body: string, source: string, p: Pair<Scalar, Node | null>, value: string): string {
  const [from, to] = span(p, source);
  const at = p.value?.range?.[0] ?? from;
  const between = at > from && at <= to ? body.slice(from, at) : "";
  if (between && !between.includes("\n") && !value.startsWith("\n")) return body.slice(0, at) + value + body.slice(to);
  const comment = between.includes("\n") ? between.slice(0, between.indexOf("\n")).trimEnd() : "";
  return body.slice(0, from) + spaced(value) + (value.includes("\n") ? "" : comment) + body.slice(to);
}

/** Takes a field out, with its lines. */
function without(body: string, source: string, p: Pair<Scalar, Node | null>): string {
  const [, to] = span(p, source);
  const line = body.lastIndexOf("\n", start(p)) + 1;
  const end = body.indexOf("\n", to);
  return body.slice(0, line) + (end < 0 ? "" : body.slice(end + 1));
}

/**
 * Sets a value below fields that are mappings, ["chunk", "parent", "size"], in the style in which each is written. Mappings on the way are
 * made, and go with their last name.
 */
export function setPath(body: string, path: string[], value: string | null): string {
  const above = path.slice(0, -1);
  const inner = path.at(-1) ?? "";
  if (above.length === 0) return setField(body, inner, value);
  if (value !== null && parseFlow(value) === null) return body;
  const { root, source } = parsed(body);
  const outer = above.reduce<Node | null>((node, name) => pairsOf(node).findLast((p) => p.key.value === name)?.value ?? null, root);
  if (!isCollection(outer) || !isMap(outer)) return value === null ? body : setPath(body, above, `{${inner}: ${value}}`);
  const pairs = pairsOf(outer);
  const pair = pairs.findLast((p) => p.key.value === inner);
  if (value === null) {
    if (!pair) return body;
    if (pairs.length === 1) return setPath(body, above, null);
    return outer.flow ? withoutInFlow(body, source, pairs, pair) : without(body, source, pair);
  }
  if (pair) return replaced(body, source, pair, value);
  const last = pairs.at(-1);
  if (!last) return setPath(body, above, `{${inner}: ${value}}`);
  const [, to] = span(last, source);
  if (outer.flow) return `${body.slice(0, to)}, ${inner}: ${value}${body.slice(to)}`;
  const line = body.lastIndexOf("\n", start(last)) + 1;
  const end = body.indexOf("\n", to);
  const before = end < 0 ? `${body}\n` : body.slice(0, end + 1);
  return `${before}${body.slice(line, start(last))}${inner}: ${value}\n${end < 0 ? "" : body.slice(end + 1)}`;
}

/** Takes a name out of {a: 1, b: 2} with the comma that parts it from the others. */
function withoutInFlow(body: string, source: string, pairs: Pair<Scalar, Node | null>[], p: Pair<Scalar, Node | null>): string {
  const at = pairs.indexOf(p);
  const next = pairs[at + 1];
  if (next) return body.slice(0, start(p)) + body.slice(start(next));
  const before = pairs[at - 1];
  return before ? body.slice(0, span(before, source)[1]) + body.slice(span(p, source)[1]) : body;
}

/** The text of a field that is one scalar; "" when it is not there. */
export function textOf(body: string, name: string): string {
  const value = entriesOf(body)?.find((e) => e.key === name)?.value;
  return value?.kind === "scalar" ? value.text : "";
}

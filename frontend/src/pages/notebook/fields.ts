import { parseFlow, printFlow, printScalar, scalar, type Value } from "./flow";

/** One field of a body: what stands behind its name, on its line and on the lines below it. */
export interface Entry {
  key: string;
  first: number; // lines, from 0
  last: number; // behind the last
  raw: string;
}

const key = /^([\p{L}_][\p{L}\p{N}_.-]*|"[^"]*"):(?=\s|$)(.*)$/u;

/** The fields of a body in their order; null where a form cannot show it. */
export function entriesOf(body: string): Entry[] | null {
  const lines = body.replace(/\n$/, "").split("\n");
  const out: Entry[] = [];
  let open: Entry | undefined;
  for (const [i, line] of lines.entries()) {
    const m = key.exec(line.replace(/\r$/, ""));
    if (m) {
      open = { key: (m[1] ?? "").replace(/^"|"$/g, ""), first: i, last: i + 1, raw: m[2] ?? "" };
      out.push(open);
    } else if (/^\s*(#.*)?\r?$/.test(line)) {
      // it belongs to the field whose next line stands below it, else to none
    } else if (open && /^([ \t]|- )/.test(line)) {
      open.raw = [open.raw, ...lines.slice(open.last, i + 1)].join("\n");
      open.last = i + 1;
    } else {
      return null;
    }
  }
  return out;
}

/** The value of an entry; null where a form shows it as it is written. */
export function readValue(raw: string): Value | null {
  const [head = "", ...rest] = raw.split("\n");
  const below = rest.join("\n");
  const begin = head.replace(/(^|\s)#.*$/, "").trim();
  if (/^\|[-+]?$/.test(begin)) return scalar(dedented(below).replace(/\n*$/, begin === "|+" ? "$&" : ""));
  if (begin !== "") return parseFlow(raw.trim());
  if (below.trim() === "") return scalar("");
  const text = dedented(below);
  if (/^- /.test(text)) {
    const items = text.split("\n").filter((l) => l.trim() && !l.startsWith("#"));
    if (!items.every((l) => l.startsWith("- "))) return null;
    const values = items.map((l) => parseFlow(l.slice(2)));
    return values.every((v) => v !== null) ? { kind: "list", items: values } : null;
  }
  const entries = entriesOf(text);
  const values = entries?.map((e): [string, Value | null] => [e.key, readValue(e.raw)]);
  return values?.every((v): v is [string, Value] => v[1] !== null) ? { kind: "map", entries: values } : null;
}

function dedented(text: string): string {
  const lines = text.split("\n");
  const indent = Math.min(...lines.filter((l) => l.trim()).map((l) => /^ */.exec(l)?.[0].length ?? 0));
  return lines.map((l) => l.slice(indent)).join("\n");
}

const indented = (text: string) => text.replace(/^(?=.*\S)/gm, "  ");

/** A scalar as a field's value: several lines become a block of text. */
export function printText(text: string, asText = false): string {
  return text.includes("\n") ? `|\n${indented(text)}` : printScalar(text, asText);
}

/** Sets a field to a value as it is written; null takes it out. Comments and all other fields stay. */
export function setField(body: string, name: string, value: string | null): string {
  const lines = body.replace(/\n$/, "").split("\n");
  const entry = entriesOf(body)?.find((e) => e.key === name);
  if (!entry) {
    if (value === null) return body;
    const start = body === "" || body.endsWith("\n") ? body : `${body}\n`;
    return `${start}${name}:${spaced(value)}\n`;
  }
  const comment = entry.last === entry.first + 1 && value !== null && !value.includes("\n") ? commentOf(entry.raw) : "";
  const put = value === null ? [] : [`${name}:${spaced(value)}${comment}`];
  const out = [...lines.slice(0, entry.first), ...put, ...lines.slice(entry.last)].join("\n");
  return out === "" ? "" : `${out}\n`;
}

const spaced = (value: string) => (value.startsWith("\n") ? value : ` ${value}`);

function commentOf(raw: string): string {
  return /^[^"'#]*?(\s+#.*)$/.exec(raw)?.[1] ?? "";
}

/** Sets one name of a field that is a mapping, in the style in which the mapping is written. */
export function setInside(body: string, name: string, inner: string, value: string | null): string {
  const raw = entriesOf(body)?.find((e) => e.key === name)?.raw ?? "";
  const [head = "", ...rest] = raw.split("\n");
  if (head.replace(/#.*$/, "").trim() === "" && rest.length > 0) {
    const made = setField(`${dedented(rest.join("\n"))}\n`, inner, value);
    return setField(body, name, made.trim() === "" ? null : `\n${indented(made.replace(/\n$/, ""))}`);
  }
  const now = readValue(raw);
  const entries = now?.kind === "map" ? [...now.entries] : [];
  const at = entries.findIndex(([k]) => k === inner);
  const parsed = value === null ? null : parseFlow(value);
  if (value !== null && parsed === null) return body;
  if (parsed === null) entries.splice(at, at < 0 ? 0 : 1);
  else if (at < 0) entries.push([inner, parsed]);
  else entries[at] = [inner, parsed];
  return setField(body, name, entries.length === 0 ? null : printFlow({ kind: "map", entries }));
}

/** The text of a field that is one scalar; "" when it is not there. */
export function textOf(body: string, name: string): string {
  const entry = entriesOf(body)?.find((e) => e.key === name);
  const value = entry ? readValue(entry.raw) : null;
  return value?.kind === "scalar" ? value.text : "";
}

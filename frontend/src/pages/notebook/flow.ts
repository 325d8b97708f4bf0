/** A value of YAML as it is written: scalars stay text, because forms show what stands there. */
export type Value =
  | { kind: "scalar"; text: string }
  | { kind: "list"; items: Value[] }
  | { kind: "map"; entries: [key: string, value: Value][] };

export const scalar = (text: string): Value => ({ kind: "scalar", text });

/** Reads a value in one line: {by: chars, size: ${p.size}}, [a, b], "quoted" or plain. Null for what a form cannot show. */
export function parseFlow(text: string): Value | null {
  const reader = new Reader(text);
  try {
    const value = reader.value("");
    reader.space();
    return reader.done() ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

class Reader {
  private at = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  done(): boolean {
    return this.at >= this.text.length;
  }

  space() {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++;
    if (this.text[this.at] === "#" && (this.at === 0 || /\s/.test(this.text[this.at - 1] ?? ""))) {
      while (this.at < this.text.length && this.text[this.at] !== "\n") this.at++;
      this.space();
    }
  }

  /** One value; ends are characters that end a plain text here. */
  value(ends: string): Value {
    this.space();
    switch (this.text[this.at]) {
      case "[":
        return { kind: "list", items: this.many("]", () => this.value(",]")) };
      case "{":
        return { kind: "map", entries: this.many("}", () => this.entry()) };
      case '"':
      case "'":
        return scalar(this.quoted());
      case "&":
      case "*":
      case "!":
      case "|":
      case ">":
        throw new SyntaxError("not for forms");
    }
    return scalar(this.plain(ends));
  }

  private entry(): [string, Value] {
    this.space();
    const quote = this.text[this.at] === '"' || this.text[this.at] === "'";
    const key = quote ? this.quoted() : this.plain(":,}");
    this.space();
    if (this.text[this.at] !== ":") return [key, scalar("")];
    this.at++;
    return [key, this.value(",}")];
  }

  private many<T>(end: string, read: () => T): T[] {
    const out: T[] = [];
    for (this.at++; ; this.at++) {
      this.space();
      if (this.text[this.at] === end) break;
      out.push(read());
      this.space();
      if (this.text[this.at] === end) break;
      if (this.text[this.at] !== ",") throw new SyntaxError("a comma is missing");
    }
    this.at++;
    return out;
  }

  private quoted(): string {
    const quote = this.text[this.at] ?? "";
    const from = this.at++;
    for (; this.text[this.at] !== quote || (quote === "'" && this.text[this.at + 1] === "'"); this.at++) {
      if (this.done()) throw new SyntaxError("the quote is not closed");
      if (quote === '"' ? this.text[this.at] === "\\" : this.text[this.at] === "'") this.at++;
    }
    this.at++;
    const raw = this.text.slice(from, this.at);
    return quote === "'" ? raw.slice(1, -1).replaceAll("''", "'") : (JSON.parse(raw) as string);
  }

  private plain(ends: string): string {
    const from = this.at;
    for (; !this.done(); this.at++) {
      const c = this.text[this.at] ?? "";
      if (c === "$" && this.text[this.at + 1] === "{") {
        const close = this.text.indexOf("}", this.at);
        if (close < 0) throw new SyntaxError("the parameter is not closed");
        this.at = close;
        continue;
      }
      if (c === ":" && ends.includes(":") && /[\s,}]|$/.test(this.text[this.at + 1] ?? "")) break;
      if (c !== ":" && ends.includes(c)) break;
      if (c === "#" && /\s/.test(this.text[this.at - 1] ?? " ")) break;
      if (c === ":" && !ends.includes(":") && /\s/.test(this.text[this.at + 1] ?? "")) throw new SyntaxError("a colon");
    }
    return this.text.slice(from, this.at).trim();
  }
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

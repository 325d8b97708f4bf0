import { describe, expect, it } from "vitest";
import { payloads } from "../../../e2e/payloads";
import { type Inline, type Part, readInline, readMarkdown } from "./markdown";

const plain = (inside: Inline[]): string =>
  inside.map((x) => ("inside" in x ? plain(x.inside) : x.kind === "value" ? `{{ ${x.ref} }}` : x.text)).join("");

describe("prose", () => {
  it("has headings, paragraphs, lists, tables, quotes and code", () => {
    const parts = readMarkdown(
      "# One\n\ntext\nmore\n\n- a\n- b\n  - c\n\n1. x\n\n> said\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sql\n# no heading\n```\n---\n",
    );
    expect(parts.map((p) => p.kind)).toEqual(["heading", "paragraph", "list", "list", "quote", "table", "code", "line"]);
    const list = parts[2] as Extract<Part, { kind: "list" }>;
    expect(list.items.map((i) => i.map((p) => p.kind))).toEqual([["paragraph"], ["paragraph", "list"]]);
    expect(parts[6]).toEqual({ kind: "code", text: "# no heading" });
  });
  it("embeds values, also between other marks, and leaves other braces alone", () => {
    expect(readInline("of {{ r.first.questions }} **{{c1.worse.count}}** {{ }} { x }")).toEqual([
      { kind: "text", text: "of " },
      { kind: "value", ref: "r.first.questions" },
      { kind: "text", text: " " },
      { kind: "strong", inside: [{ kind: "value", ref: "c1.worse.count" }] },
      { kind: "text", text: " {{ }} { x }" },
    ]);
  });
  it("has emphasis where it is meant", () => {
    expect(readInline("a *b* `c*d` ~~e~~ snake_case_name 2*3*4 \\*f\\*").map((x) => x.kind)).toEqual([
      "text",
      "em",
      "text",
      "code",
      "text",
      "del",
      "text",
      "em",
      "text",
    ]);
    expect(plain(readInline("\\*f\\*"))).toBe("*f*");
    expect(readInline("これは**重要**です").map((x) => x.kind)).toEqual(["text", "strong", "text"]);
  });
  it("links to pages and the web only, and shows no pictures", () => {
    expect(readInline("[run](/runs/1) [w](https://w.example/x)").map((x) => x.kind)).toEqual(["link", "text", "link"]);
    for (const to of ["javascript:alert(1)", "data:text/html,x", "//evil.example", " javascript:x", "JaVaScRiPt:x", "vbscript:x"])
      expect(
        readInline(`[x](${to})`).some((x) => x.kind === "link"),
        to,
      ).toBe(false);
    expect(readInline("![alt](https://evil.example/p.png)")).toEqual([{ kind: "text", text: "alt" }]);
  });
  it("keeps every attack as text", () => {
    for (const { text } of payloads) {
      const links = JSON.stringify(readMarkdown(text)).match(/"to":"[^"]*"/g) ?? [];
      expect(
        links.filter((l) => !/"to":"(https?:|\/|#)/.test(l)),
        text,
      ).toEqual([]);
    }
  });
  it("ends soon on long and deep texts", () => {
    const began = performance.now();
    for (const text of [
      "*a ".repeat(5000),
      "[".repeat(5000),
      "> ".repeat(3000),
      "`".repeat(9000),
      "**".repeat(5000),
      "- ".repeat(3000),
      "{{ ".repeat(5000),
    ])
      readMarkdown(text);
    expect(performance.now() - began).toBeLessThan(3000);
  });
});

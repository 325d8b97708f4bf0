import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { elementsOf, type ParsedNode } from "./prose";
import { renderedOf } from "./rendered";
import { blocksOf } from "./text";

vi.mock("@tanstack/react-router", () => ({ useRouter: () => null }));

/** A parsed element as a browser has it. */
const node = (nodeName: string, attributes: Record<string, string>, ...children: (ParsedNode | string)[]): ParsedNode => {
  const childNodes = children.map((c) => (typeof c === "string" ? { nodeName: "#text", textContent: c, childNodes: [] } : c));
  return {
    nodeName,
    childNodes,
    textContent: childNodes.map((c) => c.textContent).join(""),
    getAttribute: (name) => attributes[name] ?? null,
  };
};
const shown = (...children: (ParsedNode | string)[]) => renderToStaticMarkup(elementsOf(node("BODY", {}, ...children), 2, 0));

describe("what the server made of prose", () => {
  it("keeps its elements, with headings below those of the page", () => {
    expect(shown(node("H1", {}, "One"), "\n", node("P", {}, "a ", node("EM", {}, "b"), node("BR", {})))).toBe(
      "<h2>One</h2><p>a <em>b</em><br/></p>",
    );
    expect(shown(node("OL", { start: "3" }, "\n", node("LI", {}, "x"), "\n"))).toBe('<ol start="3"><li>x</li></ol>');
    const row = node("TR", {}, "\n", node("TD", { align: "right" }, "1"), node("TD", { align: "url(x)" }, "2"));
    expect(shown(node("TABLE", {}, node("TBODY", {}, row)))).toContain(
      '<table><tbody><tr><td style="text-align:right">1</td><td>2</td></tr></tbody></table>',
    );
    expect(shown(node("SPAN", { title: "r.first", class: "x" }, "3"))).toMatch(/^<span class="[^"]*" title="r.first">3<\/span>$/);
  });
  it("shows any other element as its text, without its attributes", () => {
    for (const name of ["SCRIPT", "IMG", "IFRAME", "SVG", "STYLE", "FORM", "OBJECT", "MATH", "CONSTRUCTOR"])
      expect(shown(node(name, { src: "x", onerror: "alert(1)" }, "<b>"))).toBe("&lt;b&gt;");
    expect(shown(node("P", { onclick: "alert(1)", style: "x", id: "y" }, "a"))).toBe("<p>a</p>");
  });
  it("links to pages and the web only", () => {
    const link = (href: string) => shown(node("A", { href, onclick: "x" }, "w"));
    expect(link("/runs/1")).toBe('<a href="/runs/1">w</a>');
    expect(link("https://w.example/x")).toBe('<a href="https://w.example/x" target="_blank" rel="noopener noreferrer">w</a>');
    expect(link("#a")).toBe('<a href="#a" rel="noopener noreferrer">w</a>');
    for (const to of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "/\\evil.example", " javascript:x", "vbscript:x", ""])
      expect(link(to), to).toBe("w");
  });
  it("ends at a depth that nobody reads", () => {
    let deep = node("P", {}, "bottom");
    for (let i = 0; i < 5000; i++) deep = { ...node("BLOCKQUOTE", {}), childNodes: [deep], textContent: "bottom" };
    expect(shown(deep)).toContain(">bottom<");
  });
});

describe("what a block shows while it is edited", () => {
  const made = (text: string) => ({ kind: "prose", line: 1, text, html: { en: `<p>${text.trim()}</p>` } });
  const note = "```rag note n\nen: x\n```\n";
  it("is what was made of its words, wherever they stand now", () => {
    const known = [made("a\n"), { kind: "cell", line: 2, text: note, cell: "n", html: { en: "x" } }, made("b\n")];
    expect(renderedOf(blocksOf(`a\n${note}b\n`), known).map((r) => r?.en)).toEqual(["<p>a</p>", "x", "<p>b</p>"]);
    expect(renderedOf(blocksOf(`${note}b\n`), known).map((r) => r?.en)).toEqual(["x", "<p>b</p>"]);
  });
  it("is what its place showed before, and nothing of another block", () => {
    const known = [made("a\n"), { kind: "cell", line: 2, text: note, cell: "n", html: { en: "x" } }];
    expect(renderedOf(blocksOf(`a b\n${note}`), known)[0]?.en).toBe("<p>a</p>");
    expect(renderedOf(blocksOf(`a\n${note.replace("note n", "note other")}`), known)[1]).toBeUndefined();
    expect(renderedOf(blocksOf(`a\n${note}new\n`), known)[2]).toBeUndefined();
  });
});

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import { describe, expect, it } from "vitest";
import en from "../locales/en.json";
import ja from "../locales/ja.json";
import { pages } from "../app/pages";

const root = join(import.meta.dirname, "..");

/** Groups whose keys come from data, such as t(`state.${state}`): they are used as a whole. */
const dataGroups = [
  "state",
  "kind",
  "cell",
  "reason",
  "format",
  "problem",
  "match",
  "event",
  "failure",
  "certainty",
  "field",
  "stage",
  "light",
  "nbwhy",
];

function flat(tree: object, prefix = ""): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === "string" ? [[prefix + name, value] as [string, string]] : [...flat(value as object, `${prefix}${name}.`)],
    ),
  );
}

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "test" || name === "locales" ? [] : sources(path);
    return /\.tsx?$/.test(name) && !name.endsWith(".d.ts") && !name.includes(".test.") ? [path] : [];
  });
}

const files = sources(root).map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, "utf8") }));
const english = flat(en);
const japanese = flat(ja);
/** Plural forms are one key to the code. */
const stem = (key: string) => key.replace(/_(one|other)$/, "");

describe("translations", () => {
  it("has every text in both languages", () => {
    const keys = (of: Map<string, string>) => [...new Set([...of.keys()].map(stem))].sort();
    expect(keys(japanese)).toEqual(keys(english));
  });

  it("fills in the same values in both languages", () => {
    const values = (text: string) => [...new Set(text.match(/{{\w+}}/g) ?? [])].sort();
    for (const [key, text] of english) {
      const other = japanese.get(key) ?? japanese.get(stem(key)) ?? japanese.get(`${stem(key)}_other`);
      expect([key, values(other ?? "")]).toEqual([key, values(text)]);
    }
  });

  it("has no text that nothing shows, and shows none that it does not have", () => {
    const code = files.map((f) => f.text).join("\n");
    const known = new Set([...english.keys()].map(stem));
    const missing = [...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map((m) => m[1] ?? "").filter((key) => !known.has(key));
    expect(missing).toEqual([]);
    const quoted = new Set([...code.matchAll(/"([\w.-]+)(?=")/g)].map((m) => m[1]));
    const unused = [...known].filter(
      (key) => !dataGroups.includes(key.split(".")[0] ?? "") && !quoted.has(key) && !usedByPattern(code, key),
    );
    expect(unused).toEqual([]);
  });

  it("names every page of the navigation", () => {
    for (const page of pages) if (page.nav) expect(english.has(page.nav.label)).toBe(true);
  });
});

/** Whether the code builds the key from a template such as `shell.${value}`, or a field of a form from its name. */
function usedByPattern(code: string, key: string): boolean {
  const dot = key.lastIndexOf(".");
  const field = key.match(/^experiments\.(\w+)\./)?.[1];
  return code.includes(`\`${key.slice(0, dot)}.\${`) || (field !== undefined && code.includes(`name="${field}"`));
}

describe("sentences that reports say too", () => {
  it("are the same on the page", () => {
    for (const [lang, texts] of [
      ["en", en],
      ["ja", ja],
    ] as const) {
      const file = join(root, "../../internal/analysis/findings/catalogue", `${lang}.json`);
      const catalogue = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
      expect(texts.offline.meaning).toBe(catalogue["judge.offline"]);
      expect(texts.run.recommendations).toBe(catalogue["part.recommendations"]);
    }
  });
});

describe("visible text", () => {
  it("comes from the translations", () => {
    const found = files.filter((f) => f.path.endsWith(".tsx")).flatMap((f) => literals(f.path, f.text));
    expect(found).toEqual([]);
  });
});

/** Attributes that people see or hear. */
const spoken = new Set(["aria-label", "title", "placeholder", "label", "alt", "description"]);
/** Names that are the same in every language. */
const names = new Set(["日本語", "English", "RAG Workbench", "ID"]);

function literals(path: string, text: string): string[] {
  const out: string[] = [];
  const note = (value: string) => {
    const words = value.trim();
    if (/[A-Za-z\u3040-\u30ff\u4e00-\u9fff]{2}/.test(words) && !names.has(words)) out.push(`${path}: ${words}`);
  };
  const visitor = new Visitor({
    JSXText: (node) => note(node.value),
    JSXAttribute: (node) => {
      const name = node.name.type === "JSXIdentifier" ? node.name.name : "";
      if (spoken.has(name) && node.value?.type === "Literal" && typeof node.value.value === "string") note(node.value.value);
    },
  });
  visitor.visit(parseSync(path, text).program);
  return out;
}

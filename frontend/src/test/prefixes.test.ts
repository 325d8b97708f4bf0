import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../locales/en.json";
import ja from "../locales/ja.json";

const source = join(import.meta.dirname, "..");

/** The group of words at a path such as gate.decisions; undefined where there is none. */
const groupAt = (words: unknown, path: string) =>
  path.split(".").reduce<unknown>((group, name) => (group as Record<string, unknown> | undefined)?.[name], words);

describe("words that are looked up by a code", () => {
  it("have their group in both languages: else the code itself is shown, in English on a Japanese page", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    const missing = files.flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(/\bt\(\s*`([\w.]+)\.\$\{/g)]
        .map((found) => found[1] ?? "")
        .filter((path) => typeof groupAt(en, path) !== "object" || typeof groupAt(ja, path) !== "object")
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

it("keeps files short enough to read: 400 lines", () => {
  const long = files(root)
    .filter((path) => /\.(tsx?|css)$/.test(path) && !path.endsWith("schema.d.ts"))
    .map((path) => `${path.slice(root.length + 1)}: ${readFileSync(path, "utf8").split("\n").length - 1}`)
    .filter((line) => Number(line.split(": ")[1]) > 400);
  expect(long).toEqual([]);
});

it("writes no markup from texts, and asks no other host", () => {
  const code = files(root)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test.") && !path.endsWith("schema.d.ts"))
    .map((path) => [path.slice(root.length + 1), readFileSync(path, "utf8")] as const);
  const forbidden = /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(|["'`]https?:\/\/(?!www\.w3\.org)/;
  expect(code.filter(([, text]) => forbidden.test(text)).map(([path]) => path)).toEqual([]);
});

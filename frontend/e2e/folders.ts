import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a data folder below root and returns its path. */
export function folder(root: string, name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Writes one JSON object to a line. */
export function jsonLines(path: string, rows: unknown[]) {
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

const notes = "e2e-notes.json";

/** What was noted when a folder had been filled; undefined while it is not. */
export function remembered(data: string): Record<string, string> | undefined {
  const path = join(data, notes);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, string>) : undefined;
}

/** Marks a folder as filled. */
export function remember(data: string, what: Record<string, string>) {
  writeFileSync(join(data, notes), JSON.stringify(what));
}

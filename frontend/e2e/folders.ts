import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a data folder below root and returns its path. */
export function folder(root: string, name: string): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/**
 * Copies a data folder. Recorded replies are two thousand small files, and to copy them is most of the work: the copy has the same ones, under
 * names of its own. Nobody writes into one; who replaces it or takes it away does that under one name only.
 */
export function copied(data: string, to: string) {
  const replies = join("recording", "replies");
  const shared = join(data, replies);
  cpSync(data, to, { recursive: true, filter: (path) => path !== shared });
  if (!existsSync(shared)) return;
  mkdirSync(join(to, replies), { recursive: true });
  for (const file of readdirSync(shared)) linkSync(join(shared, file), join(to, replies, file));
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

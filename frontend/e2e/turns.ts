/** How many commits on end run every file. */
export const ways = 5;

/**
 * Files of tests that a commit has one part of, by its number (E2E_TURN), each with its part; it has all others. Without a number, and
 * with E2E_FULL=1, none is left out. Parts take about as long as each other.
 */
export const turns: Record<string, 0 | 1 | 2 | 3 | 4> = {
  "life.spec.ts": 0,
  "notebook.spec.ts": 0,
  "beside.spec.ts": 1,
  "causes.spec.ts": 1,
  "doubt.spec.ts": 1,
  "people.spec.ts": 1,
  "charts.spec.ts": 2,
  "runs.spec.ts": 2,
  "writing.spec.ts": 2,
  "editor.spec.ts": 3,
  "query.spec.ts": 3,
  "reviews.spec.ts": 3,
  "week.spec.ts": 3,
  "large.spec.ts": 4,
  "schedules.spec.ts": 4,
  "sheets.spec.ts": 4,
  "trend.spec.ts": 4,
};

/** The files that a turn leaves out. */
export function leftOut(turn = process.env.E2E_TURN, full = process.env.E2E_FULL === "1"): string[] {
  return full || !turn ? [] : Object.keys(turns).filter((file) => turns[file] !== Number(turn) % ways);
}

/** Whether a file runs in this turn. */
export function runs(file: string): boolean {
  return !leftOut().includes(file);
}

/** How many parts there are. */
export const ways = 8;

/**
 * Files of tests that a commit of an odd number (E2E_TURN) has one part of, each with its part; it has all others. One of an even number
 * has the race detector instead (scripts/test.sh). Without a number, and with E2E_FULL=1, none is left out. Parts take about as long as
 * each other.
 */
export const turns: Record<string, 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7> = {
  "empty.spec.ts": 0,
  "life.spec.ts": 0,
  "notebook.spec.ts": 1,
  "work.spec.ts": 1,
  "beside.spec.ts": 2,
  "causes.spec.ts": 2,
  "people.spec.ts": 2,
  "doubt.spec.ts": 3,
  "hostile.spec.ts": 3,
  "charts.spec.ts": 4,
  "runs.spec.ts": 4,
  "writing.spec.ts": 4,
  "editor.spec.ts": 5,
  "query.spec.ts": 5,
  "reviews.spec.ts": 5,
  "week.spec.ts": 5,
  "large.spec.ts": 6,
  "schedules.spec.ts": 6,
  "sheets.spec.ts": 7,
  "trend.spec.ts": 7,
};

/**
 * The number by which what is inside a file takes turns, from that of the commit: one further each time that all parts had theirs. A file
 * that always has the same part would otherwise always look at the same half of what it has.
 */
export function lapped(turn: number): number {
  return turn + Math.floor(turn / (2 * ways));
}

/** The files that a turn leaves out. */
export function leftOut(turn = process.env.E2E_TURN, full = process.env.E2E_FULL === "1"): string[] {
  const part = Number(turn) % 2 === 1 ? Math.floor(Number(turn) / 2) % ways : undefined;
  return full || !turn ? [] : Object.keys(turns).filter((file) => turns[file] !== part);
}

/** Whether a file runs in this turn. */
export function runs(file: string): boolean {
  return !leftOut().includes(file);
}

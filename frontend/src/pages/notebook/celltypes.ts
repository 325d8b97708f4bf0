import type { CellDetail, CellSchema } from "../../api/types_notebook";
import type { IconName } from "../../parts/icon";
import { chartGuess, withGuess } from "./charting";
import { type Known, references } from "./completion";
import { entriesOf, setField } from "./fields";
import { printFlow, scalar } from "./yamltext";

const icons: Record<string, IconName> = {
  note: "edit",
  params: "settings",
  dataset: "datasets",
  corpus: "corpora",
  config: "experiments",
  sweep: "columns",
  run: "play",
  cause: "search",
  repair: "settings",
  apply: "play",
  compare: "compare",
  failures: "worse",
  question: "check",
  query: "datasets",
  table: "columns",
  chart: "chart",
  gate: "judges",
  agreement: "agreements",
  report: "download",
};

/** The drawing of a type of cells. */
export function typeIcon(type: string): IconName {
  return icons[type] ?? "same";
}

/** The body that a new cell begins with: what it must refer to is the nearest cell before it that fits. */
export function starterBody(schema: CellSchema, known: Known, cells: { name: string; type: string }[]): string {
  let body = schema.starter;
  const written: Known = {
    ...known,
    cells: cells.map((c) => ({ name: c.name, type: c.type, runs: [], paths: [] }) as unknown as CellDetail),
  };
  const above = cells.map((c) => c.name);
  for (const field of schema.fields) {
    const wanted = field.required || (schema.type === "config" && field.name === "corpus");
    if (!wanted || (field.type !== "ref" && field.type !== "refs")) continue;
    const names = references(written, field).flatMap((s) => (above.includes(s.text) ? [s.text] : []));
    const name = above.findLast((a) => names.includes(a));
    const second = field.name === "baseline" ? above.filter((a) => names.includes(a)).at(-2) : undefined;
    if (name) body = setField(body, field.name, second ?? name);
    if (name && schema.type === "chart") body = withGuess(body, chartGuess(known, name));
  }
  return body;
}

/** The body of a note that keeps what a cell said. */
export function asNote(body: string): string {
  const written = body.trimEnd();
  return `en: |\n${(written || "…").replace(/^(?=.*\S)/gm, "  ")}\n`;
}

/** The body of a run cell with more votes for each question; null where their number is no number. */
export function withRepeats(body: string, more: number): string | null {
  const now =
    entriesOf(body)
      ?.find((e) => e.key === "repeats")
      ?.raw.trim() ?? "1";
  return /^\d+$/.test(now) ? setField(body, "repeats", printFlow(scalar(String(Number(now) + more)))) : null;
}

/** Cells that somebody can run: those that may cost, unless they are up to date. */
export function canRun(cell: CellDetail | undefined): boolean {
  return !!cell?.paid && !cell.command_line && ["stale", "partial", "blocked", "error", "unknown"].includes(cell.state);
}

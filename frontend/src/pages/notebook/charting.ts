import type { CellDetail, Values } from "../../api/types_notebook";
import type { Known } from "./completion";
import { setField } from "./fields";
import { printScalar } from "./yamltext";
import { columnOf } from "../../parts/heatcells";

/** A column of a table with what its values are. */
export interface ChartColumn {
  name: string;
  kind: "text" | "integer" | "number";
}

/** The columns of the table that a cell is; none where it is no table, or is not known yet. */
export function columnsOf(known: Known, of: string): ChartColumn[] {
  const cell = known.cells.find((c) => c.name === of.split(".")[0]);
  const list = (cell?.type === "query" && (cell.value as Values["query"] | undefined)?.columns) || cell?.columns || [];
  return list.map(({ name, type }) => ({ name, kind: kindOf(type) }));
}

const kindOf = (type: string): ChartColumn["kind"] => (/^(REAL|number)$/i.test(type) ? "number" : /^int/i.test(type) ? "integer" : "text");

/** What tables of these types are usually looked at by. */
const usual: Record<string, Record<string, string>> = {
  run: { mark: "bar", x: "config", y: "correctness" },
  compare: { mark: "bar", x: "verdict" },
  apply: { mark: "bar", x: "verdict" },
  cause: { mark: "bar", x: "cause" },
  failures: { mark: "point", x: "correctness", y: "trust" },
  agreement: { mark: "bar", x: "theme", y: "measured" },
};

/** The mark and the columns that a chart of a cell begins with: what tells its rows apart against the first measure. */
export function chartGuess(known: Known, of: string): Record<string, string> {
  const type = known.cells.find((c) => c.name === of)?.type ?? "";
  const columns = columnsOf(known, of);
  if (usual[type]) return usual[type];
  const measure = columns.find((c) => c.kind === "number") ?? columns.findLast((c) => c.kind === "integer");
  const before = columns.slice(0, measure ? columns.indexOf(measure) : columns.length);
  const parts = before.filter((c) => c.kind !== "number");
  const [first, second] = parts;
  if (first && second && measure) return { mark: "heat", x: second.name, y: first.name, colour: measure.name };
  if (first && measure) return { mark: "bar", x: first.name, y: measure.name };
  if (first) return { mark: "bar", x: first.name };
  return measure ? { mark: "hist", x: measure.name } : {};
}

/** Writes the mark and the columns that a chart begins with behind what it draws. */
export function withGuess(body: string, guess: Record<string, string>): string {
  return Object.entries(guess).reduce((text, [field, value]) => setField(text, field, printScalar(value)), body);
}

/** The cells whose runs were scored question by question. */
export const scoredCells = (known: Known): CellDetail[] => known.cells.filter((c) => c.type === "run" || c.type === "apply");

/** The settings that the sweeps of a notebook vary and the table of runs has a column for; k, which people ask for most, comes first. */
export function sweptSettings(known: Known): string[] {
  const names = known.cells.filter((c) => c.type === "sweep").flatMap((c) => c.columns?.map((x) => x.name) ?? []);
  const varied = names.filter((name) => columnOf(name) !== undefined);
  return varied.sort((a, b) => Number(b === "retrieve.k") - Number(a === "retrieve.k"));
}

/** A query with one row for each run and question of a cell, and the chart of it: the mean of the first metric by theme. */
export function scoresOf(known: Known, of: string): { query: string; chart: Record<string, string> } {
  const cell = known.cells.find((c) => c.name === of);
  const runs = (cell?.value as Values["run"] | undefined)?.runs ?? [];
  const scored = Object.keys(runs[0]?.scores ?? {}).filter((id) => /^[a-z_]+$/.test(id));
  const metrics = scored.length > 0 ? scored.slice(0, 8) : ["correctness", "trust"];
  const settings = [...new Set(sweptSettings(known).map((name) => columnOf(name) ?? "config"))];
  const apart = settings.length > 0 ? settings : ["config"];
  const columns = ["q.theme", "q.type", "s.question", ...[...new Set(["config", ...apart])].map((c) => `r.${c}`), "s.low"];
  const query =
    `of: ${of}\nsql: |\n  SELECT ${[...columns, ...metrics.map((m) => `s.${m}`)].join(", ")}\n` +
    "  FROM results s JOIN runs r USING (run) JOIN questions q USING (dataset, question)\n  ORDER BY s.question, r.config\nlimit: 100000\n";
  return { query, chart: { mark: "heat", x: apart[0] ?? "config", y: "theme", colour: metrics[0] ?? "low" } };
}

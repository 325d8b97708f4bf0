import type { CellDetail } from "../../api/types_notebook";
import { blocksOf } from "./text";

/** A cell in the picture of what needs what. */
export interface Node {
  cell: CellDetail;
  needs: string[];
  usedBy: string[];
  column: number; // longest way from a cell that needs nothing
  row: number;
}

/** Places cells in columns, each behind everything that it needs; in a column they stand as on the page. A cell that needs itself stays. */
export function layered(cells: CellDetail[]): Node[] {
  const names = new Map(cells.map((c) => [c.name, c]));
  const columns = new Map<string, number>();
  const visit = (name: string, path: string[]): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    if (path.includes(name)) return 0;
    const needs = needsOf(names.get(name), names);
    const column = needs.length === 0 ? 0 : 1 + Math.max(...needs.map((n) => visit(n, [...path, name])));
    columns.set(name, column);
    return column;
  };
  const rows = new Map<number, number>();
  return cells.map((cell) => {
    const column = visit(cell.name, []);
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { cell, needs: needsOf(cell, names), usedBy: cell.used_by.filter((n) => names.has(n) && n !== cell.name), column, row };
  });
}

const needsOf = (cell: CellDetail | undefined, names: ReadonlyMap<string, unknown>) =>
  (cell?.refs ?? []).filter((n) => names.has(n) && n !== cell?.name);

/** Everything that a cell needs, or that needs it, directly or through others. */
export function reach(nodes: Node[], from: string, by: "needs" | "usedBy"): Set<string> {
  const of = new Map(nodes.map((n) => [n.cell.name, n[by]]));
  const out = new Set<string>();
  const visit = (name: string) => {
    for (const next of of.get(name) ?? []) {
      if (out.has(next) || next === from) continue;
      out.add(next);
      visit(next);
    }
  };
  visit(from);
  return out;
}

/** A text whose cells stand behind what they need and otherwise as they did; prose stays where it is. */
export function sortedByNeed(source: string, nodes: Node[]): string {
  const blocks = blocksOf(source);
  const needs = new Map(nodes.map((n) => [n.cell.name, n.needs]));
  const cells = blocks.filter((b) => b.cell);
  const byName = new Map(cells.map((b) => [b.cell?.name ?? "", b]));
  const sorted: typeof cells = [];
  const begun = new Set<string>();
  const visit = (name: string) => {
    const block = byName.get(name);
    if (!block || begun.has(name)) return;
    begun.add(name);
    for (const need of needs.get(name) ?? []) visit(need);
    sorted.push(block);
  };
  for (const b of cells) visit(b.cell?.name ?? "");
  if (sorted.length !== cells.length) return source; // two cells of one name
  const texts = sorted.map((b) => (b.text.endsWith("\n") ? b.text : `${b.text}\n`));
  return blocks.map((b) => (b.cell ? texts.shift() : b.text)).join("");
}

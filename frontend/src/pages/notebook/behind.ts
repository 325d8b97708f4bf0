import type { Datum, Values } from "../../api/types_notebook";
import { blocksOf, cellText, freeName, insert } from "./text";

/** A column as SQL names it. */
export const quoted = (column: string) => (/^[a-z_][a-z0-9_]*$/i.test(column) ? column : `"${column.replaceAll('"', '""')}"`);

/** A condition that a column has a value. */
export function equals(column: string, v: Datum): string {
  if (v === null) return `${quoted(column)} IS NULL`;
  return `${quoted(column)} = ${typeof v === "number" ? v : `'${v.replaceAll("'", "''")}'`}`;
}

/** The statement of the rows behind a value of a pivot; null where a value is not made of rows. */
export function behind(table: Values["table"], row: Datum[], column: number): string | null {
  const across = table.across;
  if (!across || column < across.rows.length || (row[column] ?? null) === null) return null;
  const top = column - across.rows.length;
  const conditions = across.rows.map((name, i) => equals(name, row[i] ?? null));
  if (top < across.tops.length) conditions.push(equals(across.column, across.tops[top] ?? null));
  if (table.filter) conditions.push(`(${table.filter})`);
  return `SELECT * FROM ${quoted(across.of)} WHERE ${conditions.join(" AND ")}`;
}

/** Writes a query below a block. Returns the text and the place of the query. */
export function withQuery(source: string, at: number, sql: string): { source: string; at: number } {
  const name = freeName(source, `rows_of_${blocksOf(source)[at]?.cell?.name ?? "table"}`);
  return insert(source, at + 1, cellText("query", name, `sql: |\n  ${sql.replaceAll("\n", "\n  ")}\n`));
}

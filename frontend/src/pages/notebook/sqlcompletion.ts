import type { QueryTable } from "../../api/types_notebook";
import type { Suggestion } from "./completion";

/** The words of a statement. */
const words =
  "SELECT FROM WHERE GROUP BY HAVING ORDER BY LIMIT JOIN LEFT JOIN USING ON AS AND OR NOT IN IS NULL LIKE BETWEEN CASE WHEN THEN ELSE " +
  "END DISTINCT UNION ALL WITH OVER PARTITION DESC";

/** What may follow in a statement: tables behind FROM, columns of the tables that it names, functions and words of the box. */
export function sqlSuggestions(tables: QueryTable[], functions: string[], statement: string, before: string): Suggestion[] {
  const text = before.replace(/'[^']*'/g, "");
  if (text.includes("'") || /--[^\n]*$/.test(text)) return []; // inside a text or a comment
  const names = tables.map((t) => ({ text: t.name, about: t.columns.map((c) => c.name).join(", ") }));
  const owner = /([\p{L}_][\p{L}\p{N}_]*)\.[\p{L}\p{N}_]*$/u.exec(text)?.[1];
  const named = namedIn(tables, statement);
  const columns = (t: QueryTable, prefix = "") => t.columns.map((c) => ({ text: prefix + c.name, about: `${t.name} · ${c.type}` }));
  if (owner) {
    const table = named.get(owner.toLowerCase()) ?? tables.find((t) => t.name === owner);
    return table ? columns(table, `${owner}.`) : [];
  }
  if (/\b(from|join)\s+(?:[\p{L}\p{N}_]*\s*,\s*)*[\p{L}\p{N}_]*$/iu.test(text)) return names;
  const own = [...new Set(named.values())].flatMap((t) => columns(t));
  const seen = new Set<string>();
  return [
    ...own.filter((s) => !seen.has(s.text) && seen.add(s.text)),
    ...functions.map((f) => ({ text: `${f}(`, about: "" })),
    ...[...new Set(words.split(" "))].map((w) => ({ text: w, about: "" })),
    ...names,
  ];
}

/** The tables of a statement by their names and the names that it gives them. */
function namedIn(tables: QueryTable[], statement: string): Map<string, QueryTable> {
  const out = new Map<string, QueryTable>();
  for (const t of tables) {
    const at = new RegExp(`(?:\\b(?:from|join)|,)\\s+"?${t.name}"?(?:\\s+(?:as\\s+)?([\\p{L}_][\\p{L}\\p{N}_]*))?`, "giu");
    for (const m of statement.matchAll(at)) {
      out.set(t.name.toLowerCase(), t);
      if (m[1] && !words.split(" ").includes(m[1].toUpperCase())) out.set(m[1].toLowerCase(), t);
    }
  }
  return out;
}

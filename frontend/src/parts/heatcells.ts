import type { SentCell } from "./sentcells";

/** What a heat map of means asks for: a score, down by what questions are about, across by a setting. */
export interface HeatAsked {
  /** A metric, or the share of answers with a low score. */
  metric: string;
  rows: "theme" | "type";
  /** A setting as experiments name it, such as "retrieve.k". */
  setting: string;
}

/** The measure of low scores, beside the ids of metrics. */
export const lowShare = "low_score_share";

/** Settings that the table runs has a column for. Any other one is looked up by its name. */
const columns: Record<string, string> = {
  "chunk.by": "chunk_by",
  "chunk.size": "chunk_size",
  "chunk.overlap": "chunk_overlap",
  "embedding.model": "embedding_model",
  "retrieve.mode": "retrieve_mode",
  "retrieve.k": "k",
  rerank: "rerank",
  "rerank.mode": "rerank",
  "generate.model": "generator",
  "generate.prompt": "prompt_digest",
  "generate.temperature": "temperature",
  corpus: "config",
};

/** The column of the table runs that a setting is; undefined where it has none. */
export const columnOf = (setting: string): string | undefined => columns[setting];

/** The statement and the fields of a heat map of means. */
export function heatOf({ metric, rows, setting }: HeatAsked): { sql: string; x: string; value: string } {
  const column = columns[setting];
  const x = column ?? (setting.replace(/[^A-Za-z0-9]+/g, "_") || "setting");
  const across = column ? `r.${column}` : `coalesce(a.text, a.number) AS ${x}`;
  const looked = column ? "" : `  JOIN settings a ON a.run = r.run AND a.name = '${setting.replaceAll("'", "''")}'\n`;
  const low = metric === lowShare;
  const value = low ? lowShare : metric.replace(/[^A-Za-z0-9]+/g, "_");
  const sql =
    `  SELECT q.${rows}, ${across}, avg(s.${low ? "low" : "value"}) AS ${value}, count(s.${low ? "low" : "value"}) AS n\n` +
    `  FROM ${low ? "results" : "scores"} s JOIN runs r USING (run) JOIN questions q USING (dataset, question)\n${looked}` +
    `${low ? "" : `  WHERE s.metric = '${metric.replaceAll("'", "''")}'\n`}  GROUP BY 1, 2 ORDER BY 1, 2\n`;
  return { sql, x, value };
}

/** The names that both cells of a heat map wish for. */
export const heatNames = ({ rows, setting }: HeatAsked) => {
  const by = `${rows}_by_${setting.slice(setting.lastIndexOf(".") + 1).replace(/[^A-Za-z0-9]+/g, "_")}`;
  return { query: by, chart: `${by}_map` };
};

/** The body of the query of a heat map; of are the runs that it reads, "" for all of the notebook. */
export const heatQuery = (asked: HeatAsked, of: string) => `${of ? `of: ${of}\n` : ""}sql: |\n${heatOf(asked).sql}`;

/** The body of the chart of a heat map; title says in one language over what its means go. */
export const heatChart = (asked: HeatAsked, query: string, title?: Partial<Record<string, string>>) => {
  const { x, value } = heatOf(asked);
  const words = Object.entries(title ?? {}).map(([lang, text]) => `${lang}: ${JSON.stringify(text)}`);
  const said = words.length > 0 ? `title: {${words.join(", ")}}\n` : "";
  return `of: ${query}\nmark: heat\nx: ${x}\ny: ${asked.rows}\ncolour: ${value}\n${said}`;
};

/** A heat map as cells: the query that reads the stored scores of runs, and the chart of it. first are cells that go before them. */
export function heatCells(
  asked: HeatAsked,
  of: string | ((names: Record<string, string>) => string),
  first: SentCell[] = [],
  title?: Partial<Record<string, string>>,
): SentCell {
  const names = heatNames(asked);
  const query: SentCell = {
    type: "query",
    name: names.query,
    first,
    body: (n) => heatQuery(asked, typeof of === "string" ? of : of(n)),
  };
  return { type: "chart", name: names.chart, first: [query], body: (n) => heatChart(asked, n.query ?? "", title) };
}

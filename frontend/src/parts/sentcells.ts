import type { Definition } from "../api/types_experiments";
import { type Limits, thresholds } from "./gatedialog";

/** A cell that shows what is on screen. */
export interface SentCell {
  type: string;
  /** That it wishes for; a free one is made of it. Without one it is called by its type. */
  name?: string;
  /** What people read where they choose how to send something; without one what its type is for. */
  label?: string;
  /** As YAML; of the names that the cells before it got, by their types. */
  body: string | ((names: Record<string, string>) => string);
  /** Cells that it refers to, which go before it. */
  first?: SentCell[];
}

/**
 * Two runs compared as cells: side by side, and as a report. Where the page has limits of its own, a gate cell with them stands behind the
 * comparison, since no comparison by itself can hold any: nothing that is sent goes by other limits than the page.
 */
export function comparisonCells(baseline: string, candidate: string, limits: Limits): SentCell[] {
  const own = limitLines(limits);
  const compare: SentCell = { type: "compare", body: `baseline: run:${baseline}\ncandidate: run:${candidate}\n` };
  return [
    own ? { type: "gate", first: [compare], body: (n) => `of: ${n.compare}\n${own}` } : compare,
    { type: "report", body: `of: run:${candidate}\nbaseline: run:${baseline}\n${own}` },
  ];
}

/** The limits of a page as fields of a cell, without what is as usual. */
function limitLines({ min, margin, allowance }: Limits): string {
  const means = thresholds(min);
  return lines({
    ...(means.length ? { min: means } : {}),
    ...(margin && margin !== "auto" ? { margin: Number(margin) } : {}),
    ...(allowance ? { allowance: Number(allowance) } : {}),
  });
}

/** Most runs of a series that one query reads. */
const mostRuns = 24;

/** How metrics went over runs, the oldest first: a query over their scores, and the line chart of it. */
export function trendCells(runs: string[], metrics: string[]): SentCell[] {
  const of = runs.slice(-mostRuns).map((id) => `run:${id}`);
  const names = metrics.map((id) => `'${id}'`).join(", ");
  const query: SentCell = {
    type: "query",
    body:
      `of: [${of.join(", ")}]\nsql: |\n  SELECT r.created AS at, r.run, s.metric, avg(s.value) AS mean, count(s.value) AS n\n` +
      `  FROM scores s JOIN runs r USING (run) WHERE s.metric IN (${names})\n  GROUP BY 1, 2, 3 ORDER BY 1, 3\n`,
  };
  const chart: SentCell = {
    type: "chart",
    first: [query],
    body: (n) => `of: ${n.query}\nmark: line\nx: {field: at, type: time}\ny: mean\ncolour: metric\n`,
  };
  return [chart, query];
}

/**
 * An experiment as cells: its corpus, dataset and configuration, what it varies, and the run of them. Sending it costs nothing; that run
 * takes over what was run of the experiment, unless something that it is judged by is another by now.
 */
export function experimentCells(d: Definition): SentCell[] {
  const outside = d.endpoint || d.answers;
  const corpus: SentCell[] = d.corpus ? [{ type: "corpus", body: `source: ${flow(d.corpus)}\n` }] : [];
  const dataset: SentCell = { type: "dataset", body: `source: ${flow(d.dataset)}\n` };
  const config: SentCell = {
    type: "config",
    body: (n) =>
      lines({
        ...(n.corpus ? { corpus: n.corpus } : {}),
        ...(d.endpoint ? { endpoint: d.endpoint } : {}),
        ...(d.answers ? { answers: d.answers } : {}),
        ...(outside ? {} : (said(d.base) as object)),
      }),
  };
  const alone = (d.sweep ?? []).filter((a) => !a.with && !d.sweep?.some((o) => o.with === a.name));
  const leads = (d.sweep ?? []).filter((a) => d.sweep?.some((o) => o.with === a.name));
  const sweep: SentCell[] = d.sweep?.length
    ? [
        {
          type: "sweep",
          body: (n) =>
            lines({
              base: n.config ?? "",
              ...(alone.length ? { axes: Object.fromEntries(alone.map((a) => [a.name, a.values])) } : {}),
              ...(leads.length
                ? {
                    pairs: leads.map((lead) =>
                      Object.fromEntries((d.sweep ?? []).filter((a) => a === lead || a.with === lead.name).map((a) => [a.name, a.values])),
                    ),
                  }
                : {}),
              ...(d.except?.length ? { except: d.except } : {}),
            }),
        },
      ]
    : [];
  const run: SentCell = {
    type: "run",
    first: [...corpus, dataset, config, ...sweep],
    body: (n) =>
      lines({
        configs: [n.sweep ?? n.config ?? ""],
        dataset: n.dataset ?? "",
        ...(d.suite?.length ? { metrics: d.suite } : {}),
        judge: said(d.judge),
        ...(d.low_score ? { low_score: d.low_score } : {}),
      }),
  };
  return [run, { ...config, first: corpus }];
}

/** A value without what says nothing: empty texts, empty lists and mappings. */
function said(v: unknown): unknown {
  if (v === null || typeof v !== "object" || Array.isArray(v)) return v;
  const kept = Object.entries(v).map(([k, x]) => [k, said(x)] as const);
  return Object.fromEntries(kept.filter(([, x]) => x !== null && x !== "" && !(typeof x === "object" && Object.keys(x).length === 0)));
}

/** Fields as a body, each on its line. */
function lines(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, v]) => `${name}: ${flow(v)}\n`)
    .join("");
}

/** A value in one line of YAML. Texts that YAML would read as something else are quoted. */
function flow(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(flow).join(", ")}]`;
  if (v !== null && typeof v === "object")
    return `{${Object.entries(v)
      .map(([k, x]) => `${plain(k)}: ${flow(x)}`)
      .join(", ")}}`;
  return typeof v === "string" ? plain(v) : JSON.stringify(v);
}

const plain = (text: string) =>
  /^[A-Za-z][\w./@-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);

import { Button, NativeSelect } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { get, send } from "../../api/client";
import type { NotebookDetail, Values } from "../../api/types_notebook";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { heatOf } from "../../parts/heatcells";
import { sweptSettings } from "./charting";
import { Code } from "./code/code";
import { complete, type Known } from "./completion";
import { NotebookName } from "./name";
import { blocksOf, cellText, freeName, insert } from "./text";
import css from "./form.module.css";

interface StatementProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  value: string;
  known: Known;
  onChange: (sql: string) => void;
}

/** The statement of a query, beside the tables that it can read, with statements to begin with. */
export function Statement({ label, description, error, value, known, onChange }: StatementProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const examples = statements(known);
  return (
    <div className={css.statement} data-statement>
      <div onBlur={() => setDraft(null)}>
        <strong className="small">{label}</strong> <span className="soft small">{description}</span>
        <Code
          kind="sql"
          first={0}
          label={label}
          value={draft ?? value}
          onChange={(text) => {
            setDraft(text);
            onChange(text);
          }}
          complete={(text, caret) => complete(known, "sql", text, caret)}
        />
        {error && <p className={css.fault}>{error}</p>}
        <NativeSelect
          size="xs"
          className={css.addField}
          aria-label={t("notebook.examples")}
          value=""
          onChange={(e) => {
            const sql = examples[e.currentTarget.value as keyof typeof examples];
            if (sql) onChange(sql);
          }}
          data={[
            { value: "", label: t("notebook.examples") },
            ...Object.keys(examples).map((key) => ({ value: key, label: t(`notebook.example.${key}`) })),
          ]}
        />
      </div>
      <Tables known={known} />
    </div>
  );
}

/** Statements that work on the runs of any notebook. */
export function statements(known: Known) {
  const setting = sweptSettings(known)[0] ?? "retrieve.k";
  return {
    heat: bare(heatOf({ metric: "correctness", rows: "theme", setting }).sql),
    metrics:
      "SELECT r.config, s.metric, avg(s.value) AS mean, count(s.value) AS n\nFROM scores s JOIN runs r USING (run)\n" +
      "GROUP BY 1, 2 ORDER BY 1, 2",
    lowest:
      "SELECT r.config, s.question, q.theme, s.correctness, s.trust\nFROM results s JOIN runs r USING (run) " +
      "JOIN questions q USING (dataset, question)\nWHERE s.low = 1 ORDER BY s.correctness, s.question LIMIT 30",
  };
}

const bare = (sql: string) => sql.replace(/^ {2}/gm, "").trimEnd();

/** The tables at hand with their columns, types and, where they are known or asked for, their rows. */
function Tables({ known }: { known: Known }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = useContext(NotebookName);
  const base = known.names.tables;
  const own = known.cells.flatMap((c) => (c.columns ? [{ name: c.name, columns: c.columns, value: c.value }] : []));
  const counted = useMutation({
    mutationFn: () =>
      countOf(
        name,
        base.map((b) => b.name),
      ),
  });
  const count = (of: string, value?: unknown): number | undefined => counted.data?.[of] ?? (value as { count?: number } | undefined)?.count;
  return (
    <div className={css.tables}>
      <div className="row apart">
        <strong className="small">{t("notebook.tables")}</strong>
        {name && (
          <Button size="compact-xs" variant="subtle" loading={counted.isPending} onClick={() => counted.mutate()}>
            {t("notebook.countRows")}
          </Button>
        )}
      </div>
      {counted.error ? <ProblemLine error={counted.error} /> : null}
      {[...own, ...base].map((table) => {
        const n = count(table.name, "value" in table ? table.value : undefined);
        return (
          <details key={table.name}>
            <summary>
              <span className="mono">{table.name}</span>{" "}
              <span className="soft small">
                {t("notebook.columnCount", { count: table.columns.length })}
                {n !== undefined && ` · ${t("notebook.rowCount", { n: format.count(n) })}`}
              </span>
            </summary>
            <ul>
              {table.columns.map((c) => (
                <li key={c.name}>
                  <span className="mono">{c.name}</span> <span className="soft small">{c.type.toLowerCase()}</span>
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </div>
  );
}

/** How many rows the tables of every notebook have in a saved one: asked by a query of its own, which is not saved. */
async function countOf(notebook: string, tables: string[]): Promise<Record<string, number>> {
  const { text = "" } = await get<NotebookDetail>(`/notebooks/${encodeURIComponent(notebook)}`);
  const sql = tables.map((of) => `SELECT '${of}' AS name, count(*) AS n FROM ${of}`).join(" UNION ALL ");
  const made = insert(text, blocksOf(text).length, cellText("query", freeName(text, "rows"), `sql: ${JSON.stringify(sql)}\n`));
  const counted = await send<NotebookDetail>("POST", "/notebooks/evaluate", { name: notebook, text: made.source, prices: false });
  const rows = (counted.cells.at(-1)?.value as Values["query"] | undefined)?.rows ?? [];
  return Object.fromEntries(rows.map(([of, n]) => [String(of), Number(n)]));
}

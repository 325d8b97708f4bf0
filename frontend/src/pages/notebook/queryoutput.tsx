import { Button, NativeSelect } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Datum, said, type Values } from "../../api/types_notebook";
import { type Column, DataTable } from "../../parts/datatable";
import { absent, useFormat } from "../../parts/format";
import { RowFiles } from "./rowfiles";
import type { PastRun } from "./knownnames";
import { type KeepFields, widthOf } from "./tableoutput";

type Row = { key: string; data: Datum[] };

interface QueryProps {
  table: Values["query"];
  name: string;
  past: PastRun[];
  onKeep?: KeepFields | undefined;
  onRun?: (() => void) | undefined;
}

/** The table of a query. A click on a heading sorts what is shown; the order of the statement comes back with the page. */
export function QueryOutput({ table, name, past, onKeep, onRun }: QueryProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [sort, setSort] = useState("");
  const rows = useMemo(() => sorted(table.rows, sort), [table.rows, sort]);
  const theme = (id: Datum) => said(table.themes?.[String(id)], i18n.language) || shown(id);
  const columns: Column<Row>[] = table.columns.map((c, i) => ({
    id: String(i),
    header: c.name,
    name: c.name,
    width: widthOf(table.rows.map((r) => (c.name === "theme" ? theme(r[i] ?? null) : shown(r[i] ?? null)))),
    sort: String(i),
    right: c.type === "integer" || c.type === "number",
    cell: (row) => (
      <span className="clip" title={String(row.data[i] ?? "")}>
        {c.name === "theme" ? theme(row.data[i] ?? null) : shown(row.data[i] ?? null)}
      </span>
    ),
  }));
  if (rows.length === 0 && table.no_run)
    return (
      <div className="stack">
        <p role="status">
          {said(table.no_run, i18n.language)
            .split("`")
            .map((part, i) => (i % 2 ? <code key={part}>{part}</code> : part))}
        </p>
        {onKeep && past.length > 0 && (
          <NativeSelect
            size="xs"
            label={t("notebook.readPast")}
            value=""
            onChange={(e) => e.currentTarget.value && onKeep({ of: e.currentTarget.value })}
            data={[{ value: "", label: "–" }, ...past.map((r) => ({ value: `run:${r.id}`, label: r.title }))]}
          />
        )}
        {onRun && (
          <div>
            <Button size="compact-sm" variant="light" onClick={onRun}>
              {t("notebook.addRun")}
            </Button>
          </div>
        )}
      </div>
    );
  return (
    <>
      <DataTable
        label={t("notebook.table")}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        total={rows.length}
        sort={sort}
        onSort={setSort}
        rowHeight={32}
        height={rows.length > 12 ? "420px" : "auto"}
      />
      <p className="soft small">
        {t(table.truncated ? "notebook.firstRows" : "notebook.queryRows", { n: format.count(table.count) })}{" "}
        {table.sorted && t("notebook.sortedByProgram")}{" "}
        <RowFiles name={name} head={table.columns.map((c) => c.name)} rows={rows.map((r) => r.data)} />
      </p>
    </>
  );
}

function shown(v: Datum): string {
  if (v === null) return absent;
  return typeof v === "number" ? String(Math.round(v * 10_000) / 10_000) : v;
}

/** Rows by a column; a minus in front turns it round. Nothing comes last, texts behind numbers. */
function sorted(data: Datum[][], sort: string): Row[] {
  const rows = data.map((row, i) => ({ key: String(i), data: row }));
  if (sort === "") return rows;
  const at = Number(sort.replace("-", ""));
  const turned = sort.startsWith("-") ? -1 : 1;
  const rank = (v: Datum) => (v === null ? 2 : typeof v === "string" ? 1 : 0);
  return rows.sort((x, y) => {
    const [a, b] = [x.data[at] ?? null, y.data[at] ?? null];
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if (typeof a === "number" && typeof b === "number") return turned * (a - b);
    return turned * String(a).localeCompare(String(b), undefined, { numeric: true });
  });
}

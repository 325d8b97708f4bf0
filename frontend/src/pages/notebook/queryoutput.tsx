import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Datum, said, type Values } from "../../api/types_notebook";
import { type Column, DataTable } from "../../parts/datatable";
import { absent, useFormat } from "../../parts/format";
import { RowFiles } from "./rowfiles";
import { widthOf } from "./tableoutput";

type Row = { key: string; data: Datum[] };

/** The table of a query. A click on a heading sorts what is shown; the order of the statement comes back with the page. */
export function QueryOutput({ table, name, onRun }: { table: Values["query"]; name: string; onRun?: (() => void) | undefined }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const [sort, setSort] = useState("");
  const rows = useMemo(() => sorted(table.rows, sort), [table.rows, sort]);
  const columns: Column<Row>[] = table.columns.map((c, i) => ({
    id: String(i),
    header: c.name,
    name: c.name,
    width: widthOf(table.rows.map((r) => shown(r[i] ?? null))),
    sort: String(i),
    right: c.type === "integer" || c.type === "number",
    cell: (row) => (
      <span className="clip" title={String(row.data[i] ?? "")}>
        {shown(row.data[i] ?? null)}
      </span>
    ),
  }));
  if (rows.length === 0 && table.no_run)
    return (
      <p role="status">
        {said(table.no_run, i18n.language)
          .split("`")
          .map((part, i) => (i % 2 ? <code key={part}>{part}</code> : part))}{" "}
        {onRun && (
          <Button size="compact-sm" variant="light" onClick={onRun}>
            {t("notebook.addRun")}
          </Button>
        )}
      </p>
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

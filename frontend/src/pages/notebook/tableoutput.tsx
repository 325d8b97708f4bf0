import { Button, NativeSelect } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Datum, TabledColumn, Values } from "../../api/types_notebook";
import { measure } from "../../parts/chart/labels";
import { shown as shownNumber, wordsIn } from "../../parts/chart/plan";
import { type Column, DataTable } from "../../parts/datatable";
import { absent, useFormat } from "../../parts/format";
import { PageLink } from "../../parts/pagelink";
import { behind, equals } from "./behind";
import { RowComment } from "./commentthread";
import css from "./tableoutput.module.css";
import { RowFiles } from "./rowfiles";

type Row = { key: string; data: Datum[] };
type Table = Values["table"];

/** Most different texts of a column that can be chosen from. */
const mostChoices = 20;

interface TableOutputProps {
  table: Table;
  name: string;
  onKeep?: KeepFields | undefined;
  /** Opens the rows behind a value of a pivot: those of a statement. */
  onRows?: ((sql: string) => void) | undefined;
}

/**
 * A table cell. Headings sort and choices filter what is shown, and nothing more: Keep writes them into the cell. A question leads to
 * its answer, a run to its page.
 */
export function TableOutput({ table, name, onKeep, onRows }: TableOutputProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const lang = i18n.language;
  const [sort, setSort] = useState(table.sort[0] ?? "");
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const text = (c: TabledColumn, v: Datum) => shownIn(table, c, v, lang);
  const choices = useMemo(() => choicesOf(table), [table]);
  const rows = useMemo(() => viewed(table, sort, chosen), [table, sort, chosen]);
  const at = (column: string) => table.columns.findIndex((c) => c.name === column);
  const runAt = at("run");
  const columns: Column<Row>[] = table.columns.map((c, i) => ({
    id: c.name,
    header: wordsIn(c.title, lang),
    name: wordsIn(c.title, lang),
    width: c.width ? `${c.width * 8}px` : widthOf(table.rows.map((r) => text(c, r[i] ?? null))),
    sort: c.name,
    right: c.type === "integer" || c.type === "number",
    cell: (row) => {
      const v = row.data[i] ?? null;
      const shown = text(c, v);
      const run = runAt >= 0 ? row.data[runAt] : table.run;
      if (c.name === "question" && typeof v === "string" && run) {
        return (
          <span>
            <PageLink to={`/runs/${run}`} search={{ question: v }}>
              {shown}
            </PageLink>{" "}
            <RowComment run={String(run)} question={v} />
          </span>
        );
      }
      const rows = onRows && behind(table, row.data, i);
      if (rows) {
        return (
          <button
            type="button"
            className={`${css.open} ${css[toneOf(c, v)] ?? ""}`}
            title={t("notebook.rowsBehind")}
            aria-label={`${t("notebook.rowsBehind")}: ${shown}, ${wordsIn(c.title, lang)}`}
            onClick={() => onRows(rows)}
          >
            {shown}
          </button>
        );
      }
      if (c.name === "run" && typeof v === "string") return <PageLink to={`/runs/${v}`}>{shown}</PageLink>;
      return (
        <span className={`clip ${css[toneOf(c, v)] ?? ""}`} title={shown}>
          {shown}
        </span>
      );
    },
  }));
  const filters = Object.entries(chosen).filter(([, v]) => v !== "");
  const kept = sort === (table.sort[0] ?? "") && filters.length === 0;
  const keep = () => {
    const more = filters.map(([column, v]) => equals(column, v));
    const filter = [table.filter && more.length > 0 ? `(${table.filter})` : table.filter, ...more].filter(Boolean).join(" AND ");
    onKeep?.({ sort: sort ? `[${JSON.stringify(sort)}]` : null, filter: filter ? JSON.stringify(filter) : null });
    setChosen({});
  };
  return (
    <>
      {choices.length > 0 && table.rows.length > 1 && (
        <div className={`${css.filters} no-print`}>
          {choices.map(({ column, values }) => (
            <NativeSelect
              key={column.name}
              size="xs"
              label={wordsIn(column.title, lang)}
              value={chosen[column.name] ?? ""}
              onChange={(e) => setChosen({ ...chosen, [column.name]: e.currentTarget.value })}
              data={[{ value: "", label: t("notebook.tableAll") }, ...values.map((v) => ({ value: v, label: text(column, v) }))]}
            />
          ))}
        </div>
      )}
      <DataTable
        label={t("notebook.tableOf", { name })}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        total={rows.length}
        sort={sort}
        onSort={setSort}
        rowHeight={32}
        height={rows.length > 12 ? "420px" : "auto"}
      />
      {table.totals && (
        <p className={css.totals}>
          <strong>{t("notebook.tableTotal")}</strong>{" "}
          {table.columns
            .map((c, i) => [wordsIn(c.title, lang), table.totals?.[i] ?? null] as const)
            .flatMap(([title, v], i) => (v === null ? [] : [`${title} ${text(table.columns[i] as TabledColumn, v)}`]))
            .join(" · ")}
        </p>
      )}
      <p className={`soft small ${css.foot}`}>
        {rows.length === table.total
          ? t("notebook.queryRows", { n: format.count(rows.length) })
          : t("notebook.tableRows", { n: format.count(rows.length), of: format.count(table.total) })}
        {!kept && onKeep && (
          <Button size="compact-xs" variant="light" onClick={keep}>
            {t("notebook.keep")}
          </Button>
        )}
        <RowFiles name={name} head={table.columns.map((c) => c.name)} rows={rows.map((r) => r.data)} />
      </p>
    </>
  );
}

/** The width of a column: its longest text of the first rows fits, up to some 40 letters; the rest is cut with the whole as its title. */
export function widthOf(texts: string[]): string {
  const longest = Math.max(0, ...texts.slice(0, 200).map(measure));
  return `minmax(${Math.round(Math.min(340, Math.max(110, longest * 15 + 28)))}px, 1fr)`;
}

/** Writes fields into a cell, as they stand in YAML; null takes one out. */
export type KeepFields = (fields: Record<string, string | null>) => void;

function shownIn(table: Table, c: TabledColumn, v: Datum, lang: string): string {
  if (v === null) return absent;
  if (typeof v === "string") return wordsIn(table.words?.[v] ?? { en: v }, lang);
  let text = shownNumber({ title: {}, number: true, digits: c.digits ?? 0 }, v);
  if (c.colour === "diverging" && v >= 0) text = `+${text}`;
  if (c.colour === "threshold" && v <= (c.at ?? 0)) text += " ▼";
  return c.unit ? `${text} ${c.unit}` : text;
}

/** The class of a value: a sign or a mark stands beside every colour. */
function toneOf(c: TabledColumn, v: Datum): string {
  if (typeof v !== "number") return "";
  const [low, high] = [c.low ?? 0, c.high ?? 0];
  if (c.colour === "diverging") return v > (c.at ?? 0) ? "above" : v < (c.at ?? 0) ? "below" : "";
  if (c.colour === "threshold") return v <= (c.at ?? 0) ? "below" : "";
  if (c.colour === "sequential" && high > low) return `s${Math.min(3, Math.floor(((v - low) / (high - low)) * 4))}`;
  return "";
}

function choicesOf(table: Table): { column: TabledColumn; values: string[] }[] {
  return table.columns.flatMap((column, i) => {
    const values = [...new Set(table.rows.map((r) => r[i] ?? null))];
    const texts = values.filter((v): v is string => typeof v === "string");
    const few = texts.length > 1 && texts.length <= mostChoices && texts.length === values.filter((v) => v !== null).length;
    return few && column.name !== "question" && !table.pivot ? [{ column, values: texts.sort() }] : [];
  });
}

/** Rows as they are asked for: a minus turns the order round, what is missing comes last. */
function viewed(table: Table, sort: string, chosen: Record<string, string>): Row[] {
  const rows = table.rows.map((data, i) => ({ key: String(i), data }));
  const kept = rows.filter((r) => table.columns.every((c, i) => !chosen[c.name] || r.data[i] === chosen[c.name]));
  if (sort === (table.sort[0] ?? "")) return kept;
  const at = table.columns.findIndex((c) => c.name === sort.replace(/^-/, ""));
  if (at < 0) return kept;
  const turned = sort.startsWith("-") ? -1 : 1;
  return kept.sort((x, y) => {
    const [a, b] = [x.data[at] ?? null, y.data[at] ?? null];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === "number" && typeof b === "number") return turned * (a - b);
    return turned * String(a).localeCompare(String(b), undefined, { numeric: true });
  });
}

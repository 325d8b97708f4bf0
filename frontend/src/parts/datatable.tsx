import { Checkbox } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, memo, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useShortcuts } from "../app/keys";
import css from "./datatable.module.css";
import { Icon } from "./icon";

/** A column of a table. */
export interface Column<T> {
  id: string;
  header: ReactNode;
  cell: (row: T) => ReactNode;
  /** A CSS grid track, such as "90px" or "minmax(200px, 2fr)". */
  width: string;
  /** The field that the server sorts by; without one the column cannot be sorted. */
  sort?: string;
  right?: boolean;
  /** Hidden until people ask for it in the column chooser. */
  optional?: boolean;
  /** Its name in the column chooser, where the header is not a plain text. */
  name?: string;
  /** It stays in sight while the others scroll sideways. Pinned columns come first, and are as narrow as they may be. */
  pinned?: boolean;
}

interface DataTableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  /** How many rows there are in all; more than rows while pages are missing. */
  total: number;
  more?: () => void;
  sort?: string;
  onSort?: (sort: string) => void;
  onOpen?: (row: T) => void;
  /** The key of the row that is open beside the table. */
  open?: string;
  chosen?: ReadonlySet<string>;
  onChoose?: (chosen: Set<string>) => void;
  rowHeight?: number;
  /** The most height that it takes before it scrolls; "auto" shows all rows, for short tables only. */
  height?: string;
  empty?: ReactNode;
}

/**
 * A table for long lists: only visible rows are drawn, further pages are asked for while scrolling. The keys j and k move from
 * row to row and Enter opens.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { columns, rows, rowKey, more, onOpen, open, rowHeight = 44, height = "auto" } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const printing = usePrinting();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const visible = virtual.getVirtualItems();
  const last = visible[visible.length - 1]?.index ?? 0;
  const missing = rows.length < props.total;
  useEffect(() => {
    if (missing && last >= rows.length - 30) more?.();
  }, [missing, last, rows.length, more]);
  useRowKeys(props, (index) => virtual.scrollToIndex(index, { align: "auto" }), scroller);

  const tracks = (props.onChoose ? "36px " : "") + columns.map((c) => (c.pinned ? `${leastWidth(c.width)}px` : c.width)).join(" ");
  const all = height === "auto" || printing;
  const shown = all ? rows.map((_, index) => ({ index, start: index * rowHeight, key: index })) : visible;
  return (
    <div className={css.table}>
      {/* Rows that open are reached by Tab; without them, what scrolls is. */}
      <div
        ref={scroller}
        className={css.scroller}
        style={all ? undefined : { maxHeight: height }}
        {...(all || onOpen ? {} : { tabIndex: 0, role: "group", "aria-label": props.label })}
      >
        <div role="table" aria-label={props.label} aria-rowcount={props.total + 1} style={{ minWidth: leastWidth(tracks) }}>
          <Head {...props} tracks={tracks} />
          <div className={css.body} role="rowgroup" style={{ height: rows.length * rowHeight }}>
            {shown.map(({ index, start }) => {
              const row = rows[index] as T;
              const key = rowKey(row);
              return (
                <div
                  key={key}
                  role="row"
                  data-row={index}
                  tabIndex={onOpen ? 0 : -1}
                  aria-rowindex={index + 2}
                  aria-current={open === key ? "true" : undefined}
                  className={`${css.row} ${onOpen ? css.opens : ""}`}
                  style={{ gridTemplateColumns: tracks, height: rowHeight, transform: `translateY(${start}px)` }}
                  onClick={onOpen && ((event) => !(event.target as HTMLElement).closest("a,button,input,label") && onOpen(row))}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
                    event.preventDefault();
                    onOpen?.(row);
                  }}
                >
                  {props.onChoose && <Choose {...props} name={key} />}
                  <Cells columns={columns as Column<unknown>[]} row={row} chooses={props.onChoose !== undefined} />
                </div>
              );
            })}
          </div>
        </div>
        {rows.length === 0 && props.empty}
      </div>
    </div>
  );
}

/** The cells of a row are drawn again only when the row or the columns change, not on every step of scrolling. */
const Cells = memo(function Cells({ columns, row, chooses }: { columns: Column<unknown>[]; row: unknown; chooses: boolean }) {
  return columns.map((column) => (
    <div key={column.id} role="cell" {...cellLook(columns, column, chooses)}>
      {column.cell(row)}
    </div>
  ));
});

/** How a cell looks: a pinned one stands right of those before it, which have their least width. */
function cellLook<T>(columns: Column<T>[], column: Column<T>, chooses: boolean): { className: string; style?: CSSProperties } {
  const className = `${css.cell} ${column.right ? css.right : ""}`;
  if (!column.pinned) return { className };
  const before = columns.slice(0, columns.indexOf(column)).map((c) => leastWidth(c.width));
  const left = before.reduce((sum, width) => sum + width, chooses ? 36 : 0);
  return { className: `${className} ${css.pinned}`, style: { left } };
}

/** Whether the page is being printed: then every row that is loaded belongs on paper. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true));
    const after = () => setPrinting(false);
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, []);
  return printing;
}

/** The sum of the least widths of all columns: below it the table scrolls sideways. */
function leastWidth(tracks: string): number {
  return [...tracks.matchAll(/minmax\((\d+)px[^)]*\)|(\d+)px/g)].reduce((sum, m) => sum + Number(m[1] ?? m[2]), 0);
}

function Choose<T>({ columns, chosen, onChoose, name }: DataTableProps<T> & { name: string }) {
  const { t } = useTranslation();
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChoose?.(next);
  };
  return (
    <div role="cell" className={`${css.cell} ${columns.some((c) => c.pinned) ? css.pinned : ""}`} style={{ left: 0 }}>
      <Checkbox size="xs" checked={chosen?.has(name) ?? false} onChange={toggle} aria-label={t("table.choose", { name })} />
    </div>
  );
}

function Head<T>({ columns, sort = "", onSort, onChoose, tracks }: DataTableProps<T> & { tracks: string }) {
  const { t } = useTranslation();
  return (
    <div className={css.head} role="row" style={{ gridTemplateColumns: tracks }}>
      {onChoose && (
        <div role="columnheader" className={`${css.cell} ${columns.some((c) => c.pinned) ? css.pinned : ""}`} style={{ left: 0 }}>
          <span className="hidden-text">{t("table.chosen")}</span>
        </div>
      )}
      {columns.map((column) => {
        const by = column.sort;
        const direction = by && sort === by ? "ascending" : by && sort === `-${by}` ? "descending" : undefined;
        return (
          <div key={column.id} role="columnheader" aria-sort={direction} {...cellLook(columns, column, onChoose !== undefined)}>
            {by && onSort ? (
              <button type="button" className={css.sort} onClick={() => onSort(nextSort(sort, by))}>
                {column.header}
                {direction && <Icon name={direction === "ascending" ? "up" : "down"} size={11} />}
              </button>
            ) : (
              column.header
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Largest first, then smallest first, then the list's own order. */
function nextSort(sort: string, by: string): string {
  if (sort === `-${by}`) return by;
  return sort === by ? "" : `-${by}`;
}

/** j and k move the focus from row to row, also beyond what is drawn now. */
function useRowKeys<T>(
  { rows, rowKey, onOpen, open }: DataTableProps<T>,
  reveal: (index: number) => void,
  scroller: { current: HTMLDivElement | null },
) {
  const move = useCallback(
    (by: 1 | -1) => {
      const focused = scroller.current?.querySelector<HTMLElement>("[data-row]:focus-within")?.dataset.row;
      const opened = rows.findIndex((r) => rowKey(r) === open);
      const from = focused !== undefined ? Number(focused) : opened;
      const to = Math.min(rows.length - 1, Math.max(0, from + by));
      reveal(to);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus());
    },
    [rows, rowKey, open, reveal, scroller],
  );
  useShortcuts(
    onOpen && !open
      ? [
          { press: "j", label: "keys.nextRow", run: () => move(1) },
          { press: "k", label: "keys.previousRow", run: () => move(-1) },
          { press: "Enter", label: "keys.open", run: () => undefined }, // the row itself listens
        ]
      : [],
  );
}

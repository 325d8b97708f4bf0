import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import css from "./people.module.css";

/** A column: its heading and what stands below it. */
export interface Field<T> {
  head: string;
  cell: (row: T) => ReactNode;
}

interface PeopleTableProps<T> {
  label: string;
  query: { data: { items: T[] } | undefined; error: unknown; isPending: boolean; refetch: () => unknown };
  fields: Field<T>[];
  /** The buttons of a row. */
  actions: (row: T) => ReactNode;
  /** What stands there instead of no rows. */
  none: string;
  /** What the buttons failed with. */
  errors: unknown[];
}

/** A short list of people, tokens or sessions with what can be done about each. */
export function PeopleTable<T extends { id: string }>({ label, query, fields, actions, none, errors }: PeopleTableProps<T>) {
  const { t } = useTranslation();
  return (
    <>
      <Await query={query} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{none}</p>
          ) : (
            <div className={css.scroll}>
              <table className={css.table} aria-label={label}>
                <thead>
                  <tr>
                    {fields.map((f) => (
                      <th key={f.head} scope="col">
                        {f.head}
                      </th>
                    ))}
                    <th scope="col">
                      <span className="hidden-text">{t("people.actions")}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((row) => (
                    <tr key={row.id}>
                      {fields.map((f) => (
                        <td key={f.head}>{f.cell(row)}</td>
                      ))}
                      <td>
                        <div className={css.actions}>{actions(row)}</div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Await>
      {errors.map((error, i) => (error ? <ProblemLine key={i} error={error} /> : null))}
    </>
  );
}

import { Switch } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { ComparisonView, RunDetail } from "../../api/types";
import { absent } from "../../parts/format";
import { Card } from "../../parts/page";
import css from "./compare.module.css";

/** What the two runs were set to: only what differs, or everything. */
export function Configuration({ comparison: c }: { comparison: ComparisonView }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const candidate = useGet<RunDetail>(all ? `/runs/${c.candidate.run_id}` : null);
  const different = new Map(c.config.map((f) => [f.field, f]));
  const rest = all && candidate.data ? flat(candidate.data.run.setup.config).filter(([field]) => !different.has(field)) : [];
  return (
    <Card
      title={t("compare.configuration")}
      aside={
        <Switch
          size="xs"
          className="no-print"
          label={t("compare.onlyDifferences")}
          checked={!all}
          onChange={(e) => setAll(!e.currentTarget.checked)}
        />
      }
    >
      {c.config.length === 0 && !all && <p className="soft">{t("compare.sameConfiguration")}</p>}
      <table className={css.config} aria-label={t("compare.configuration")}>
        <tbody>
          {c.config.map((f) => (
            <tr key={f.field}>
              <th scope="row">{f.field}</th>
              <td>
                <del>{show(f.before)}</del> → <ins>{show(f.after)}</ins>
              </td>
            </tr>
          ))}
          {rest.map(([field, value]) => (
            <tr key={field} className="soft">
              <th scope="row">{field}</th>
              <td>{show(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === "") return absent;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function flat(value: object, prefix = ""): [string, unknown][] {
  return Object.entries(value).flatMap(([name, v]): [string, unknown][] =>
    v && typeof v === "object" && !Array.isArray(v) ? flat(v as object, `${prefix}${name}.`) : [[prefix + name, v]],
  );
}

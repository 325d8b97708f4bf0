import { Button } from "@mantine/core";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { address } from "../../api/client";
import type { Datum } from "../../api/types_notebook";
import { NotebookName } from "./name";

/** What leaves a table: copied for a spreadsheet, or as a file of all its rows. */
export function RowFiles({ name, head, rows }: { name: string; head?: string[]; rows?: Datum[][] }) {
  const { t, i18n } = useTranslation();
  const notebook = useContext(NotebookName);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const plain = (v: Datum) => String(v ?? "").replace(/[\t\r\n]+/g, " ");
    await navigator.clipboard.writeText([head ?? [], ...(rows ?? [])].map((r) => r.map(plain).join("\t")).join("\n"));
    setCopied(true);
  };
  return (
    <span className="no-print">
      {head && (
        <Button size="compact-xs" variant="subtle" onClick={copy}>
          {copied ? t("notebook.copiedRows") : t("notebook.copyRows")}
        </Button>
      )}
      {notebook &&
        ["csv", "jsonl", "xlsx"].map((format) => (
          <Button
            key={format}
            size="compact-xs"
            variant="subtle"
            component="a"
            download
            href={address(`/notebooks/${encodeURIComponent(notebook)}/rows.${format}`, { cell: name, lang: i18n.language })}
            aria-label={t("notebook.downloadRows", { format: format.toUpperCase(), name })}
          >
            {format.toUpperCase()}
          </Button>
        ))}
    </span>
  );
}

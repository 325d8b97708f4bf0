import { Button, Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SheetUse } from "../../api/types_library";
import { said } from "../../api/types_notebook";
import { useFormat } from "../../parts/format";
import css from "./datasets.module.css";
import { checked, turned } from "./mapping";

/** The sheets of a workbook, which of them are read and why, to choose others. Nothing where there is nothing to choose. */
export function Sheets({
  sheets,
  chosen,
  onChange,
}: {
  sheets: SheetUse[];
  chosen: string[] | undefined;
  onChange: (chosen: string[] | undefined) => void;
}) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  if (sheets.length < 2) return null;
  return (
    <fieldset className={css.sheets}>
      <legend>{t("datasets.sheets")}</legend>
      {sheets.map((s) => (
        <Checkbox
          key={s.name}
          size="xs"
          label={s.name}
          description={[
            t("datasets.sheetRows", { count: s.rows, n: format.count(s.rows) }),
            s.hidden && t("datasets.sheetHidden"),
            chosen === undefined && t(s.read ? "datasets.sheetRead" : "datasets.sheetLeft", { why: said(s.why, i18n.language) }),
          ]
            .filter(Boolean)
            .join(" · ")}
          checked={checked(sheets, chosen).includes(s.name)}
          onChange={() => onChange(turned(sheets, chosen, s.name))}
        />
      ))}
      {chosen?.length === 0 && <p role="alert">{t("datasets.noSheet")}</p>}
      {chosen !== undefined && (
        <Button variant="default" size="xs" onClick={() => onChange(undefined)}>
          {t("datasets.sheetsBack")}
        </Button>
      )}
    </fieldset>
  );
}

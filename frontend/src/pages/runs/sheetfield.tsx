import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface SheetFieldProps {
  file: File | undefined;
  sheet: string;
  onChange: (sheet: string) => void;
}

/** Which sheet of a workbook is read; nothing where the file has none. */
export function SheetField({ file, sheet, onChange }: SheetFieldProps) {
  const { t } = useTranslation();
  if (!file?.name.toLowerCase().endsWith(".xlsx")) return null;
  return (
    <TextInput
      size="xs"
      label={t("results.sheet")}
      placeholder={t("results.sheetAuto")}
      value={sheet}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}

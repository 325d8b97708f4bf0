import { ActionIcon, NativeSelect, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Icon } from "../../parts/icon";
import { useWords } from "../../parts/words";
import css from "./agreement.module.css";

interface Field {
  value: string;
  onChange: (value: string) => void;
}

/** A theme: one of those that the questions have, or any text. */
export function ThemeField({ n, list, themes, value, onChange }: Field & { n: number; list: string; themes: string[] }) {
  const { t } = useTranslation();
  return (
    <div>
      <TextInput
        size="xs"
        label={t("run.theme")}
        placeholder={t("agreement.anyTheme")}
        list={list}
        value={value}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
      <datalist id={list} data-row={n}>
        {themes.map((theme) => (
          <option key={theme} value={theme} />
        ))}
      </datalist>
    </div>
  );
}

/** A question category, of those that the server takes; "" is all of them. */
export function CategoryField({ known, value, onChange }: Field & { known: string[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const codes = [...new Set([...known, ...(value ? [value] : [])])];
  return (
    <NativeSelect
      size="xs"
      label={t("run.category")}
      data={[{ value: "", label: t("agreement.anyCategory") }, ...codes.map((c) => ({ value: c, label: words.category(c) }))]}
      value={value}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}

/** Takes a row out of the form. */
export function RemoveRow({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon className={css.remove ?? ""} variant="subtle" aria-label={label} title={label} onClick={onClick}>
      <Icon name="trash" size={15} />
    </ActionIcon>
  );
}

import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type NotebookParam, said } from "../../api/types_notebook";

/** A parameter that can be given another value; the default again is none. */
export function Param({ param: p, given, onChange }: { param: NotebookParam; given: string; onChange: (value: string) => void }) {
  const { t, i18n } = useTranslation();
  const usual = String(p.default ?? "");
  const [text, setText] = useState(given || usual);
  useEffect(() => setText(given || usual), [given, usual]);
  const put = (value: string) => onChange(value === usual ? "" : value);
  const doc = said(p.doc, i18n.language);
  const label = (
    <>
      <span className="mono">{p.name}</span>
      {given && <span className="soft"> {t("notebook.usually", { value: usual })}</span>}
    </>
  );
  const choices = p.type === "boolean" ? ["true", "false"] : p.choices;
  if (choices?.length)
    return (
      <NativeSelect
        size="xs"
        data-autofocus
        label={label}
        title={doc}
        value={given || usual}
        data={choices}
        onChange={(e) => put(e.currentTarget.value)}
      />
    );
  const kind = p.type === "number" || p.type === "integer" ? "number" : p.type === "date" ? "date" : "text";
  return (
    <TextInput
      size="xs"
      data-autofocus
      w={150}
      label={label}
      title={doc}
      type={kind}
      {...(kind === "number" ? { min: p.min, max: p.max, step: p.type === "integer" ? 1 : "any" } : {})}
      value={text}
      onChange={(e) => setText(e.currentTarget.value)}
      onBlur={() => put(text)}
      onKeyDown={(e) => e.key === "Enter" && put(text)}
    />
  );
}

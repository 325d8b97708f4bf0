import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type NotebookParam, said } from "../../api/types_notebook";
import css from "./notebook.module.css";

interface ParamsFormProps {
  params: NotebookParam[];
  given: Record<string, string>; // as cell.name; "" or absent is the default
  onChange: (change: Record<string, string>) => void;
}

/** The parameters of a notebook as a form. Values that are not the defaults stand in the address, and everything is evaluated again. */
export function ParamsForm({ params, given, onChange }: ParamsFormProps) {
  const { t } = useTranslation();
  if (params.length === 0) return null;
  const set = params.filter((p) => given[`${p.cell}.${p.name}`]);
  return (
    <form className={`${css.params} no-print`} aria-label={t("notebook.params")} onSubmit={(e) => e.preventDefault()}>
      {params.map((p) => (
        <Param
          key={`${p.cell}.${p.name}`}
          param={p}
          given={given[`${p.cell}.${p.name}`] ?? ""}
          onChange={(v) => onChange({ [`${p.cell}.${p.name}`]: v })}
        />
      ))}
      {set.length > 0 && (
        <Button variant="subtle" onClick={() => onChange(Object.fromEntries(set.map((p) => [`${p.cell}.${p.name}`, ""])))}>
          {t("notebook.defaults")}
        </Button>
      )}
    </form>
  );
}

function Param({ param: p, given, onChange }: { param: NotebookParam; given: string; onChange: (value: string) => void }) {
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

import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { said, type SchemaField } from "../../api/types_notebook";
import { columnsOf } from "./charting";
import type { Known } from "./completion";
import { setField, textOf } from "./fields";
import { shownText, writeInside } from "./formvalue";
import { offersOf, OneField } from "./onefield";
import { printFlow, printScalar, scalar, type Value } from "./yamltext";
import css from "./form.module.css";

/** The channels that are shown before anybody asks for them. */
const first = new Set(["x", "y", "colour"]);

/** Whether a field of a chart says which column decides something. */
export const isChannel = (type: string, field: SchemaField): boolean => type === "chart" && !!field.fields?.some((f) => f.name === "field");

/** Whether a form shows a field of a chart from the beginning: what must be said, and how it is drawn. */
export const isShownFirst = (type: string, field: SchemaField, mark: string): boolean =>
  type === "chart" && (field.name === "mark" || first.has(field.name) || (field.name === "label" && mark === "text"));

interface ChannelProps {
  field: SchemaField;
  value: Value | null | undefined;
  body: string;
  known: Known;
  error: string | undefined;
  wrong: Map<string, string>;
  onChange: (body: string) => void;
}

/** A column of the table that is drawn, with how its rows become one value, and whatever else is said of it. */
export function Channel({ field, value, body, known, error, wrong, onChange }: ChannelProps) {
  const { t, i18n } = useTranslation();
  const entries = value?.kind === "map" ? value.entries : [];
  const given = (name: string) => shownText(entries.find(([k]) => k === name)?.[1]);
  const column = value?.kind === "map" ? given("field") : shownText(value);
  const columns = columnsOf(known, textOf(body, "of")).map((c) => ({ value: c.name, label: c.name }));
  const inner = (name: string) => field.fields?.find((f) => f.name === name) ?? { name, type: "text" as const, doc: {} };
  const set = (name: string, text: string) => {
    const next = entries.filter(([k]) => k !== name && k !== "field");
    const alone = text === "" && next.length === 0;
    if (alone) onChange(column ? setField(body, field.name, printScalar(column)) : setField(body, field.name, null));
    else if (value?.kind === "map") onChange(writeInside(body, [field.name, name], text));
    else onChange(setField(body, field.name, `{field: ${printFlow(scalar(column))}, ${name}: ${printFlow(scalar(text))}}`));
  };
  const choose = (name: string) => {
    if (value?.kind === "map") onChange(writeInside(body, [field.name, "field"], name));
    else onChange(setField(body, field.name, name === "" ? null : printScalar(name)));
  };
  const more = entries.filter(([name]) => name !== "field" && name !== "aggregate");
  const rest = (field.fields ?? []).filter((f) => f.name !== "field" && f.name !== "aggregate" && !more.some(([name]) => name === f.name));
  const mark = textOf(body, "mark");
  const measures = mark === "heat" ? field.name === "colour" : field.name === "y" && mark !== "flow";
  return (
    <div className={css.channel}>
      <OneField
        label={field.name}
        description={said(field.doc, i18n.language)}
        error={error}
        field={inner("field")}
        known={known}
        offers={columns.length > 0 ? columns : null}
        value={column}
        onChange={choose}
        onEmpty={() => choose("")}
      />
      {column !== "" && measures && (
        <OneField
          label={`${field.name} · aggregate`}
          description={said(inner("aggregate").doc, i18n.language)}
          field={inner("aggregate")}
          known={known}
          offers={offersOf(known, inner("aggregate"))}
          value={given("aggregate")}
          onChange={(text) => set("aggregate", text)}
          onEmpty={() => set("aggregate", "")}
        />
      )}
      {more.map(([name, v]) => (
        <OneField
          key={name}
          label={`${field.name} · ${name}`}
          description={said(inner(name).doc, i18n.language)}
          error={wrong.get(`${field.name}.${name}`)}
          field={inner(name)}
          known={known}
          offers={v.kind === "scalar" ? offersOf(known, inner(name)) : null}
          value={v.kind === "list" ? `[${shownText(v)}]` : shownText(v)}
          onChange={(text) => set(name, text || '""')}
          onEmpty={() => set(name, "")}
        />
      ))}
      {column !== "" && rest.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label={t("notebook.addTo", { name: field.name })}
          value=""
          onChange={(e) => {
            const next = rest.find((f) => f.name === e.currentTarget.value);
            if (next) set(next.name, next.choices?.[0] ?? { integer: "10", list: "[1, 5]" }[next.type as string] ?? column);
          }}
          data={[{ value: "", label: t("notebook.addTo", { name: field.name }) }, ...rest.map((f) => ({ value: f.name, label: f.name }))]}
        />
      )}
    </div>
  );
}

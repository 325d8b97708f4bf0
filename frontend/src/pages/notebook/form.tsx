import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type CellSchema, said, type SchemaField } from "../../api/types_notebook";
import { Channel, isChannel, isShownFirst } from "./channel";
import { scoredCells } from "./charting";
import { Code } from "./code/code";
import { complete, type Known } from "./completion";
import { entriesOf, isYaml, setField } from "./fields";
import { formOf, shapeOf, shownText, wordsOf, writeInside, writeList, writeText, writeWords } from "./formvalue";
import { offersOf, OneField, Several } from "./onefield";
import { Statement } from "./statement";
import type { Value } from "./yamltext";
import css from "./form.module.css";

interface FormProps {
  name: string;
  schema: CellSchema;
  body: string;
  known: Known;
  wrong: Map<string, string>; // by field
  onChange: (body: string) => void;
  onText: () => void;
  onScores: (of: string) => void;
}

/** A cell as a form: the same text, field by field. Fields that are not set can be added. */
export function CellForm({ name, schema, body, known, wrong, onChange, onText, onScores }: FormProps) {
  const { t, i18n } = useTranslation();
  const form = formOf(body);
  if (!form)
    return (
      <p className="soft">
        {t("notebook.noForm")}{" "}
        <button type="button" className={css.link} onClick={onText}>
          {t("notebook.asText")}
        </button>
      </p>
    );
  const fields = schema.open ? [...form.keys()].map((name): SchemaField => ({ name, type: "mapping", doc: {} })) : schema.fields;
  const mark = shownText(form.get("mark"));
  const drawn = schema.type === "chart" && !form.has("kind") && !form.has("metric"); // not by kind and metric, as charts once were
  const shown = fields.filter(
    (f) => form.has(f.name) || f.required || (schema.type === "note" && !f.display) || (drawn && isShownFirst(schema.type, f, mark)),
  );
  const rest = fields.filter((f) => !shown.includes(f));
  return (
    <div className={css.form}>
      {schema.type === "chart" && <ScoresOf cells={scoredCells(known).map((c) => c.name)} onScores={onScores} />}
      {shown.map((field) => {
        const common = { field, value: form.get(field.name), body, known, wrong, onChange };
        if (isChannel(schema.type, field)) return <Channel key={field.name} {...common} error={wrong.get(field.name)} />;
        if (schema.type === "query" && field.name === "sql")
          return (
            <Statement
              key={field.name}
              label={field.name}
              description={said(field.doc, i18n.language) || undefined}
              error={wrong.get(field.name)}
              value={shownText(form.get(field.name))}
              known={{ ...known, cells: known.cells.filter((c) => c.name !== name) }}
              onChange={(sql) => onChange(sql === "" ? setField(body, field.name, '""') : writeText(body, field, sql))}
            />
          );
        return <Field key={field.name} {...common} open={!!schema.open} long={schema.type === "note"} />;
      })}
      {schema.open && <AddParam body={body} onChange={onChange} />}
      {rest.length > 0 && (
        <NativeSelect
          size="xs"
          className={css.addField}
          aria-label={t("notebook.addField")}
          value=""
          onChange={(e) =>
            onChange(
              starting(
                body,
                rest.find((f) => f.name === e.currentTarget.value),
              ),
            )
          }
          data={[{ value: "", label: t("notebook.addField") }, ...rest.map((f) => ({ value: f.name, label: f.name }))]}
        />
      )}
    </div>
  );
}

/** Draws the scores of a cell question by question, where its own table has a row for each configuration. */
function ScoresOf({ cells, onScores }: { cells: string[]; onScores: (of: string) => void }) {
  const { t } = useTranslation();
  if (cells.length === 0) return null;
  return (
    <NativeSelect
      size="xs"
      label={t("notebook.drawScores")}
      description={t("notebook.drawScoresHow")}
      value=""
      onChange={(e) => e.currentTarget.value && onScores(e.currentTarget.value)}
      data={[{ value: "", label: "–" }, ...cells.map((name) => ({ value: name, label: t("notebook.scoresOf", { name }) }))]}
    />
  );
}

/** Adds a field with its default, or with the first that can stand there. */
function starting(body: string, field: SchemaField | undefined): string {
  if (!field) return body;
  const first = field.default ?? field.choices?.[0];
  if (first !== undefined) return writeText(body, field, String(first));
  const empty: Record<string, string> = {
    number: "0",
    integer: "1",
    boolean: "false",
    list: "[]",
    refs: "[]",
    mapping: "{}",
    mode: "{}",
    words: "{}",
  };
  return setField(body, field.name, empty[field.type] ?? '""');
}

interface FieldProps extends Pick<FormProps, "body" | "known" | "wrong" | "onChange"> {
  field: SchemaField;
  value: Value | null | undefined;
  open: boolean;
  long: boolean;
}

function Field({ field, value, body, known, wrong, onChange, open, long }: FieldProps) {
  const { t, i18n } = useTranslation();
  const about = said(field.doc, i18n.language);
  const error = wrong.get(field.name);
  const common = { label: field.name, description: about || undefined, error, size: "xs" as const, withAsterisk: !!field.required };
  const shape = open ? "raw" : shapeOf(field, value);
  if (shape === "group") return <Group path={[field.name]} {...{ field, value, body, known, wrong, onChange }} />;
  if (shape === "words") {
    const now = wordsOf(value);
    return (
      <div className={css.pair}>
        {(["en", "ja"] as const).map((lang) => (
          <TextInput
            key={lang}
            size="xs"
            label={`${field.name} · ${t(`notebook.lang.${lang}`)}`}
            description={lang === "en" ? common.description : undefined}
            lang={lang}
            value={now[lang]}
            onChange={(e) => onChange(writeWords(body, field, { ...now, [lang]: e.currentTarget.value }))}
          />
        ))}
      </div>
    );
  }
  if (shape === "raw") {
    const raw = entriesOf(body)?.find((e) => e.key === field.name)?.raw ?? "";
    return <Raw {...common} value={raw.replace(/^ /, "")} name={field.name} body={body} onChange={onChange} />;
  }
  if (long && field.type === "text" && !field.display)
    return (
      <div data-prose-field>
        <strong className="small">{about || field.name}</strong>
        <Long
          label={about || field.name}
          lang={field.name}
          value={shownText(value)}
          onChange={(text) => onChange(writeText(body, field, text))}
          complete={(text, caret) => complete(known, "", text, caret)}
        />
        {error && <p className={css.fault}>{error}</p>}
      </div>
    );
  const offers = offersOf(known, field);
  const one = { ...common, required: !!field.required, field, known };
  const onEmpty = () => onChange(setField(body, field.name, field.required ? '""' : null));
  if (shape === "list" && offers)
    return (
      <Several {...one} offers={offers} value={shownText(value)} onChange={(v) => onChange(writeList(body, field, v))} onEmpty={onEmpty} />
    );
  const write = shape === "list" ? writeList : writeText;
  return (
    <OneField
      {...one}
      offers={offers}
      value={shownText(value)}
      onChange={(v) => onChange(v === "" ? setField(body, field.name, '""') : write(body, field, v))}
      onEmpty={onEmpty}
    />
  );
}

interface RawProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  value: string;
  name: string;
  body: string;
  onChange: (body: string) => void;
}

/** A value as it is written. What is no YAML yet stays here, so that it cannot swallow the fields below it. */
function Raw({ value, name, body, error, onChange, ...rest }: RawProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const written = (text: string) => setField(body, name, text.startsWith("\n") ? text : text.trimStart());
  const broken = draft !== null && !isYaml(written(draft));
  return (
    <Textarea
      {...rest}
      size="xs"
      error={broken ? t("notebook.notYaml") : error}
      autosize
      maxRows={12}
      className={css.raw}
      value={draft ?? value}
      onBlur={() => !broken && setDraft(null)}
      onChange={(e) => {
        const text = e.currentTarget.value;
        setDraft(text);
        if (isYaml(written(text))) onChange(written(text));
      }}
    />
  );
}

/** Prose of several lines. What is typed stays as it is until the field is left: the cell's text keeps no empty lines at the end. */
function Long({ value, onChange, ...rest }: Omit<Parameters<typeof Code>[0], "kind" | "first">) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <div onBlur={() => setDraft(null)}>
      <Code
        kind="prose"
        first={0}
        {...rest}
        value={draft ?? value}
        onChange={(text) => {
          setDraft(text);
          onChange(text);
        }}
      />
    </div>
  );
}

interface GroupProps extends Pick<FieldProps, "field" | "value" | "body" | "known" | "wrong" | "onChange"> {
  /** The names of the mappings that it stands in, its own last. */
  path: string[];
}

/** A mapping as fields of its own; one that stands in it is such a group too. */
function Group({ path, field, value, body, known, wrong, onChange }: GroupProps) {
  const { t, i18n } = useTranslation();
  const entries = value?.kind === "map" ? value.entries : [];
  const names = field.fields?.map((f) => f.name) ?? [];
  const rest = names.filter((n) => !entries.some(([k]) => k === n));
  const innerOf = (name: string): SchemaField => field.fields?.find((f) => f.name === name) ?? { name, type: "text", doc: {} };
  const provider = shownText(entries.find(([k]) => k === "provider")?.[1]);
  const stage = path[0] ?? "";
  const set = (inner: string, text: string) => onChange(writeInside(body, [...path, inner], text));
  const error = wrong.get(path.join("."));
  return (
    <fieldset className={css.group}>
      <legend>
        {field.name} <span className="soft small">{said(field.doc, i18n.language)}</span>
      </legend>
      <div className={css.inner}>
        {entries.map(([name, v]) => {
          const inner = innerOf(name);
          if (v.kind === "map" && inner.fields?.length)
            return <Group key={name} path={[...path, name]} field={inner} value={v} {...{ body, known, wrong, onChange }} />;
          return (
            <OneField
              key={name}
              label={name}
              known={known}
              field={inner}
              error={wrong.get([...path, name].join("."))}
              offers={v.kind === "scalar" ? offersOf(known, inner, stage, provider) : null}
              value={v.kind === "list" ? `[${shownText(v)}]` : shownText(v)}
              onChange={(text) => set(name, text || '""')}
              onEmpty={() => set(name, "")}
            />
          );
        })}
        <AddInside
          names={rest}
          label={t("notebook.addTo", { name: field.name })}
          onAdd={(name) => set(name, beginning(innerOf(name), offersOf(known, innerOf(name), stage, provider)?.[0]?.value))}
        />
      </div>
      {error && <p className={css.fault}>{error}</p>}
    </fieldset>
  );
}

/** What a name of a mapping begins with: its first choice, its least number, a mapping with the first of its own names. */
function beginning(field: SchemaField, offered: string | undefined): string {
  if (offered) return offered;
  const first = field.fields?.[0];
  if (first) return `{${first.name}: ${beginning(first, first.choices?.[0])}}`;
  if (field.min !== undefined) return String(field.min);
  return { number: "0", integer: "1", boolean: "false", list: "[]" }[field.type as string] ?? '""';
}

function AddInside({ names, label, onAdd }: { names: string[]; label: string; onAdd: (name: string) => void }) {
  if (names.length === 0)
    return (
      <TextInput
        size="xs"
        label={label}
        defaultValue=""
        onKeyDown={(e) => {
          const name = e.currentTarget.value.trim();
          if (e.key !== "Enter" || !name) return;
          e.currentTarget.value = "";
          onAdd(name);
        }}
      />
    );
  return (
    <NativeSelect
      size="xs"
      label={label}
      value=""
      onChange={(e) => e.currentTarget.value && onAdd(e.currentTarget.value)}
      data={["", ...names]}
    />
  );
}

function AddParam({ body, onChange }: { body: string; onChange: (body: string) => void }) {
  const { t } = useTranslation();
  return (
    <TextInput
      size="xs"
      label={t("notebook.addParam")}
      description={t("notebook.addParamHow")}
      onKeyDown={(e) => {
        const name = e.currentTarget.value.trim();
        if (e.key !== "Enter" || !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) return;
        e.currentTarget.value = "";
        onChange(setField(body, name, "1"));
      }}
    />
  );
}

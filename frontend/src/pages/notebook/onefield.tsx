import { NativeSelect, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../api/types_notebook";
import { type Known, references } from "./completion";
import css from "./form.module.css";

/** What a field can be set to. */
export interface Offer {
  value: string;
  label: string;
  /** A run that no cell made. */
  past?: boolean;
}

/** What a field can be set to; null where anything may stand in it. place is the stage of a configuration, provider the one it names. */
export function offersOf(known: Known, field: SchemaField, place = "", provider = ""): Offer[] | null {
  const plain = (list: string[]) => list.map((value) => ({ value, label: value }));
  if (field.type === "boolean") return plain(["true", "false"]);
  if (field.choices?.length)
    return field.choices.map((value) => ({ value, label: field.named?.[value] ? `${known.say(field.named[value])} (${value})` : value }));
  if (field.type === "ref" || field.type === "refs")
    return [...plain(references(known, field).map((s) => s.text)), ...pastOf(known, field)];
  if (field.pick === "model") {
    const models = known.names.models(provider, place);
    return models.length ? models.map((m) => ({ value: m.name, label: m.price ? `${m.name} · ${m.price}` : m.name })) : null;
  }
  return field.pick ? plain(known.names.registered[field.pick] ?? []) : null;
}

/** The finished runs that a field can name. The whole of a sweep stands only where several runs can. */
function pastOf(known: Known, field: SchemaField): Offer[] {
  if (!field.literal?.includes("run:…") || field.of?.includes("CauseSet")) return [];
  return known.names.runs
    .filter((r) => !r.sweep || field.type === "refs")
    .map((r) => ({ value: `run:${r.id}`, label: r.title, past: true }));
}

interface OneFieldProps {
  field: SchemaField;
  label: string;
  description?: string | undefined;
  error?: string | undefined;
  known: Known;
  offers: Offer[] | null;
  value: string;
  required?: boolean;
  onChange: (text: string) => void;
  /** Takes the field out. */
  onEmpty: () => void;
}

/** A field of one value: a choice where there is one, else a line of text or a number within its bounds. A parameter can stand in any. */
export function OneField(props: OneFieldProps) {
  const { offers, value, known, required, onChange, onEmpty, field: _, ...common } = props;
  const { t } = useTranslation();
  const chips = known.params.map((p) => `\${${p.cell}.${p.name}}`);
  const literal = /^run:./.test(value) && !offers?.some((o) => o.value === value); // a run that is not offered
  if (!offers || literal) return <Line {...props} chips={chips} />;
  const there = [...offers.map((o) => o.value), ...chips];
  return (
    <NativeSelect
      {...common}
      size="xs"
      withAsterisk={!!required}
      value={value}
      data={[
        ...(required && value ? [] : [{ value: "", label: "–" }]),
        ...(value && !there.includes(value) ? [value] : []),
        ...offers.filter((o) => !o.past),
        ...(offers.some((o) => o.past) ? [{ group: t("notebook.pastRuns"), items: offers.filter((o) => o.past) }] : []),
        ...(chips.length ? [{ group: t("notebook.params"), items: chips }] : []),
      ]}
      onChange={(e) => (e.currentTarget.value ? onChange(e.currentTarget.value === "run:" ? "run:…" : e.currentTarget.value) : onEmpty())}
    />
  );
}

/** What is wrong with a number; undefined when nothing is, or a parameter stands for it. */
function outOfBounds(field: SchemaField, text: string): { min: number | string; max: number | string } | undefined {
  if ((field.type !== "number" && field.type !== "integer") || text === "" || /[^\d.+-]/.test(text)) return undefined;
  const n = Number(text);
  const wrong = n < (field.min ?? n) || n > (field.max ?? n);
  return wrong ? { min: field.min ?? "−∞", max: field.max ?? "∞" } : undefined;
}

/** One line of text. What is typed stays as it is until the field is left, whatever the text of the cell makes of it. */
function Line({ field, offers, value, known: _, required, onChange, onEmpty, chips, error, ...rest }: OneFieldProps & { chips: string[] }) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const bounds = outOfBounds(field, draft ?? value);
  const number = field.type === "number" || field.type === "integer";
  return (
    <>
      <TextInput
        {...rest}
        size="xs"
        withAsterisk={!!required}
        error={bounds ? t("notebook.outOfBounds", bounds) : error}
        value={draft ?? value}
        autoComplete="off"
        inputMode={number ? "decimal" : undefined}
        {...(offers?.length ? { list: id } : {})}
        rightSection={
          chips.length > 0 && (
            <select
              className={css.chips}
              aria-label={t("notebook.paramFor", { name: rest.label })}
              value=""
              onChange={(e) => e.currentTarget.value && onChange(e.currentTarget.value)}
            >
              <option value="">$</option>
              {chips.map((c) => (
                <option key={c}>{c}</option>
              ))}
            </select>
          )
        }
        onChange={(e) => {
          setDraft(e.currentTarget.value);
          onChange(e.currentTarget.value);
        }}
        onBlur={() => {
          if (draft === "") onEmpty();
          setDraft(null);
        }}
      />
      {offers && offers.length > 0 && (
        <datalist id={id}>
          {offers.map((o) => (
            <option key={o.value} value={o.value} label={o.label} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface SeveralProps extends Omit<OneFieldProps, "value" | "offers" | "onChange"> {
  offers: Offer[];
  value: string; // parted by commas
  onChange: (text: string) => void;
}

/** A field of several names: a choice for each, and one more to add another. */
export function Several({ value, offers, onChange, onEmpty, label, description, error, ...rest }: SeveralProps) {
  const names = value.split(/[,、]/).flatMap((s) => s.trim() || []);
  const put = (at: number, name: string) => {
    const next = names.map((n, i) => (i === at ? name : n)).filter(Boolean);
    if (at === names.length && name) next.push(name);
    if (next.length) onChange(next.join(", "));
    else onEmpty();
  };
  return (
    <div className={css.several}>
      {[...names, ""].map((name, i) => (
        <OneField
          key={`${i} ${name}`}
          {...rest}
          required={false}
          label={i === 0 ? label : `${label} ${i + 1}`}
          description={i === 0 ? description : undefined}
          error={i === 0 ? error : undefined}
          value={name}
          offers={offers.filter((o) => o.value === name || !names.includes(o.value))}
          onChange={(to) => put(i, to)}
          onEmpty={() => put(i, "")}
        />
      ))}
    </div>
  );
}

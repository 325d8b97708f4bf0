import { Checkbox, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWords } from "../../parts/words";
import type { Group } from "./fields";

interface FieldProps {
  group: Group;
  /** Dotted, as an experiment file names it. */
  path: string;
  /** Its words, under experiments. */
  name: string;
}

interface ChoiceProps extends FieldProps {
  value: string;
  values: readonly string[];
  /** The name of a value where the screen has no words of its own for it. */
  say?: (value: string) => string;
  onChange?: (value: string) => void;
}

/** A choice with a sentence about the value that is chosen. */
export function Choice({ group, path, name, value, values, say, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  const words = useWords();
  const param = path === "retrieve.mode" ? path : path.replace(/\.mode$/, "");
  const shared = values.some((v) => words.value(param, v) !== v); // reports and the command line say the same
  const said = say ?? ((v: string) => (shared ? words.value(param, v) : t(`experiments.${name}.${v}`)));
  const all = values.includes(value) ? values : [...values, value];
  return (
    <NativeSelect
      label={shared ? words.param(param) : t(`experiments.${name}.label`)}
      description={values.includes(value) ? t(`experiments.${name}.says.${value}`) : undefined}
      data={all.map((v) => ({ value: v, label: values.includes(v) ? said(v) : v }))}
      value={value}
      error={group.error(`base.${path}`)}
      onChange={(e) => (onChange ? onChange(e.currentTarget.value) : group.set(`base.${path}`, e.currentTarget.value))}
    />
  );
}

interface AmountProps extends FieldProps {
  value: number | undefined;
  min?: number;
  max?: number;
  step?: number;
  /** What holds where nothing is said. */
  usual?: string;
  onChange?: (value: number | undefined) => void;
}

/** A number with a sentence about it; empty leaves it unsaid. */
export function Amount({ group, path, name, value, usual, onChange, ...bounds }: AmountProps) {
  const { t } = useTranslation();
  return (
    <NumberInput
      label={t(`experiments.${name}.label`)}
      description={t(`experiments.${name}.says`)}
      {...bounds}
      placeholder={usual}
      value={value ?? ""}
      error={group.error(`base.${path}`)}
      onChange={(v) => {
        const said = typeof v === "number" ? v : undefined;
        if (onChange) onChange(said);
        else group.set(`base.${path}`, said);
      }}
    />
  );
}

interface PartAmountProps<P extends string> extends FieldProps {
  /** The object of the file that holds it. */
  whole: Record<P, unknown>;
  part: P;
  /** What its parts are where nothing is said. */
  usual: Record<P, unknown>;
  min: number;
  max: number;
  step?: number;
}

/** A number of an object that a file gives whole: with one part changed, the others are written too. */
export function PartAmount<P extends string>({ path, whole, part, usual, ...field }: PartAmountProps<P>) {
  return (
    <Amount
      {...field}
      path={`${path}.${part}`}
      value={whole[part] as number}
      onChange={(v) => field.group.set(`base.${path}`, { ...whole, [part]: v ?? usual[part] })}
    />
  );
}

/** Words with a sentence about them; empty leaves them unsaid. Spaces at their ends stay: a prefix may end in one. */
export function Words({ group, path, name, value, usual }: FieldProps & { value: string | undefined; usual: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t(`experiments.${name}.label`)}
      description={t(`experiments.${name}.says`)}
      placeholder={usual}
      value={value ?? ""}
      error={group.error(`base.${path}`)}
      onChange={(e) => group.set(`base.${path}`, e.currentTarget.value || undefined)}
    />
  );
}

interface TickProps extends FieldProps {
  checked: boolean;
  usual: boolean;
  onChange?: (checked: boolean) => void;
}

/** Yes or no, with a sentence about it. */
export function Tick({ group, path, name, checked, usual, onChange }: TickProps) {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="xs"
      label={t(`experiments.${name}.label`)}
      description={t(`experiments.${name}.says`)}
      checked={checked}
      onChange={({ currentTarget: { checked: to } }) =>
        onChange ? onChange(to) : group.set(`base.${path}`, to === usual ? undefined : to)
      }
    />
  );
}

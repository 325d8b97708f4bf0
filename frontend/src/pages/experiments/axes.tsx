import { ActionIcon, Button, Checkbox, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Axis } from "../../api/types_experiments";
import { Icon } from "../../parts/icon";
import css from "./experiments.module.css";
import { type Group, known } from "./fields";
import { combinationCount, readCondition, readValues, sweepable, writeCondition, writeValues } from "./form";

/** The parameters that a sweep varies, each with its values. */
export function Axes({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { definition, set, error } = group;
  const axes = definition.sweep ?? [];
  const put = (next: Axis[]) => set("sweep", next);
  const free = sweepable.filter((name) => !axes.some((a) => a.name === name));
  return (
    <div className="stack">
      <p className="soft small">{t("experiments.sweepRule")}</p>
      {axes.map((axis, i) => (
        <div key={axis.name} className={css.axis}>
          <NativeSelect
            aria-label={t("experiments.parameter")}
            data={known(free, axis.name)}
            value={axis.name}
            onChange={(e) => put(axes.map((a, n) => (n === i ? { name: e.currentTarget.value, values: [] } : a)))}
          />
          <Values
            axis={axis}
            error={error(`sweep.${axis.name}`)}
            onChange={(values) => put(axes.map((a, n) => (n === i ? { ...a, values } : a)))}
          />
          <NativeSelect
            aria-label={t("experiments.movesWith.label")}
            title={t("experiments.movesWith.says")}
            data={[{ value: "", label: t("experiments.alone") }, ...leaders(axes, i).map((name) => ({ value: name, label: `↔ ${name}` }))]}
            value={axis.with ?? ""}
            onChange={(e) => put(axes.map((a, n) => (n === i ? joined(a, e.currentTarget.value) : a)))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("experiments.removeAxis", { name: axis.name })}
            onClick={() => put(axes.filter((_, n) => n !== i).map((a) => (a.with === axis.name ? joined(a, "") : a)))}
          >
            <Icon name="trash" />
          </ActionIcon>
        </div>
      ))}
      <div className="row">
        <Button
          variant="default"
          leftSection={<Icon name="add" size={14} />}
          disabled={free.length === 0}
          onClick={() => put([...axes, { name: free[0] ?? "", values: [] }])}
        >
          {t("experiments.addAxis")}
        </Button>
        {axes.length > 0 && <span className="soft">{t("experiments.combinations", { count: combinationCount(axes) })}</span>}
      </div>
      {axes.length > 0 && <LeftOut group={group} />}
      {axes.length > 0 && <SearchFirst group={group} />}
    </div>
  );
}

/** The axes before one that it can move along with: those that stand on their own. */
function leaders(axes: Axis[], at: number): string[] {
  if (axes.some((a) => a.with === axes[at]?.name)) return [];
  return axes.slice(0, at).flatMap((a) => (a.with ? [] : [a.name]));
}

function joined({ name, values }: Axis, leader: string): Axis {
  return leader ? { name, values, with: leader } : { name, values };
}

/** Combinations that a sweep leaves out. */
function LeftOut({ group: { definition, set, error } }: { group: Group }) {
  const { t } = useTranslation();
  const conditions = definition.except ?? [];
  const put = (next: Record<string, unknown>[]) => set("except", next.length > 0 ? next : undefined);
  return (
    <>
      {conditions.length > 0 && (
        <p className="soft small">
          <strong>{t("experiments.except.title")}</strong> {t("experiments.except.says")}
        </p>
      )}
      {conditions.map((condition, i) => (
        <div key={i} className={css.condition}>
          <Condition
            condition={condition}
            error={error(`except[${i}]`)}
            onChange={(next) => put(conditions.map((c, n) => (n === i ? next : c)))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("experiments.except.remove")}
            onClick={() => put(conditions.filter((_, n) => n !== i))}
          >
            <Icon name="trash" />
          </ActionIcon>
        </div>
      ))}
      <div className="row">
        <Button variant="default" size="xs" leftSection={<Icon name="add" size={14} />} onClick={() => put([...conditions, {}])}>
          {t("experiments.except.add")}
        </Button>
      </div>
    </>
  );
}

interface ConditionProps {
  condition: Record<string, unknown>;
  error: string | undefined;
  onChange: (condition: Record<string, unknown>) => void;
}

function Condition({ condition, error, onChange }: ConditionProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(writeCondition(condition));
  return (
    <TextInput
      aria-label={t("experiments.except.of")}
      placeholder={t("experiments.except.example")}
      value={text}
      error={error}
      onChange={(e) => {
        setText(e.currentTarget.value);
        onChange(readCondition(e.currentTarget.value));
      }}
    />
  );
}

/** Whether a sweep judges retrieval by the evidence first and answers with the best ways only. */
function SearchFirst({ group: { definition, set, error } }: { group: Group }) {
  const { t } = useTranslation();
  const best = definition.generate;
  return (
    <>
      <Checkbox
        size="xs"
        label={t("experiments.generate.label")}
        description={t("experiments.generate.says")}
        checked={best !== undefined}
        onChange={(e) => set("generate", e.currentTarget.checked ? { top: 8, by: "evidence_recall" } : undefined)}
      />
      {best && (
        <div className="fields">
          <NumberInput
            label={t("experiments.generate.top")}
            min={1}
            max={50}
            value={best.top}
            error={error("generate.top")}
            onChange={(v) => set("generate", { ...best, top: v === "" ? undefined : v })}
          />
          <NativeSelect
            label={t("experiments.generate.by")}
            data={["evidence_recall", "ndcg"].map((value) => ({ value, label: t(`experiments.generate.${value}`) }))}
            value={best.by}
            error={error("generate.by")}
            onChange={(e) => set("generate", { ...best, by: e.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

/** The values as a text, so that a comma can be typed before its value. */
function Values({ axis, error, onChange }: { axis: Axis; error: string | undefined; onChange: (values: unknown[]) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(writeValues(axis.values));
  return (
    <TextInput
      aria-label={t("experiments.valuesOf", { name: axis.name })}
      placeholder={t("experiments.valuesExample")}
      value={text}
      error={error}
      onChange={(e) => {
        setText(e.currentTarget.value);
        onChange(readValues(e.currentTarget.value));
      }}
    />
  );
}

import { ActionIcon, Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Axis } from "../../api/types_experiments";
import { Icon } from "../../parts/icon";
import css from "./experiments.module.css";
import { type Group, known } from "./fields";
import { combinationCount, readValues, sweepable, writeValues } from "./form";

/** The parameters that a sweep varies, each with its values. */
export function Axes({ group: { definition, set, error } }: { group: Group }) {
  const { t } = useTranslation();
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
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("experiments.removeAxis", { name: axis.name })}
            onClick={() => put(axes.filter((_, n) => n !== i))}
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
    </div>
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

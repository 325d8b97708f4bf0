import { NativeSelect, TextInput } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ModelName } from "../../api/types_experiments";
import css from "./experiments.module.css";
import { type Group, known } from "./fields";
import { useWords } from "../../parts/words";

/** A provider and one of its models. The offline provider's models are few and known; others are typed, and those that an added server serves are offered. */
export function ModelFields({ group, path, value, models }: { group: Group; path: string; value: ModelName; models: readonly string[] }) {
  const { t } = useTranslation();
  const words = useWords();
  const { names, set, error } = group;
  const label = (of: "provider" | "model") =>
    path === "judge" ? t(`experiments.judges.${of}`) : words.param(`${path.replace("base.", "")}.${of}`);
  const list = useId();
  const offline = value.provider === "offline";
  const offered = names.models[value.provider] ?? [];
  const provider = (to: string) => set(path, { ...value, provider: to, model: to === "offline" ? (models[0] ?? "") : "" });
  return (
    <div className={css.model}>
      <NativeSelect
        label={label("provider")}
        data={known(names.providers, value.provider)}
        value={value.provider}
        error={error(`${path}.provider`)}
        onChange={(e) => provider(e.currentTarget.value)}
      />
      {offline && models.length > 0 ? (
        <NativeSelect
          label={label("model")}
          data={known(models, value.model)}
          value={value.model}
          error={error(`${path}.model`) ?? error(path)}
          onChange={(e) => set(`${path}.model`, e.currentTarget.value)}
        />
      ) : (
        <div>
          <TextInput
            label={label("model")}
            required
            list={offered.length > 0 ? list : undefined}
            value={value.model}
            error={error(`${path}.model`) ?? error(path)}
            onChange={(e) => set(`${path}.model`, e.currentTarget.value)}
          />
          {offered.length > 0 && (
            <datalist id={list}>
              {offered.map((m) => (
                <option key={m} value={m} />
              ))}
            </datalist>
          )}
        </div>
      )}
    </div>
  );
}

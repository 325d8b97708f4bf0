import { NativeSelect, NumberInput, TextInput, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Definition } from "../../api/types_experiments";
import { Card } from "../../parts/page";
import { Axes } from "./axes";
import { withField } from "./form";
import { ModelFields } from "./modelfields";
import { type Names, useNames } from "./names";
import { SystemFields } from "./systemfields";

/** What every group of fields needs. */
export interface Group {
  definition: Definition;
  names: Names;
  /** Sets a field by its dotted name. */
  set: (path: string, value: unknown) => void;
  /** What is wrong with a field, if anything. */
  error: (path: string) => string | undefined;
}

interface FieldsProps {
  definition: Definition;
  fixed: boolean;
  wrong: string;
  message: string;
  onChange: (definition: Definition) => void;
}

/** The form of an experiment. Fields that it does not show stay as they are. */
export function Fields({ definition, fixed, wrong, message, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const names = useNames();
  const group: Group = {
    definition,
    names,
    set: (path, value) => onChange(withField(definition, path, value)),
    error: (path) => (wrong === path || wrong.startsWith(`${path}.`) || wrong.startsWith(`${path}[`) ? message : undefined),
  };
  return (
    <>
      <Card title={t("experiments.what")}>
        <What group={group} fixed={fixed} />
      </Card>
      <Card title={t("experiments.systemTitle")}>
        <SystemFields group={group} />
      </Card>
      <Card title={t("experiments.judgement")}>
        <Judgement group={group} />
      </Card>
      <Card title={t("experiments.sweepTitle")}>
        <Axes group={group} />
      </Card>
    </>
  );
}

function What({ group: { definition: d, names, set, error }, fixed }: { group: Group; fixed: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="fields">
      <TextInput
        label={t("experiments.name")}
        description={t("experiments.nameRule")}
        required
        value={d.name}
        disabled={fixed}
        error={error("name")}
        onChange={(e) => set("name", e.currentTarget.value)}
      />
      <NativeSelect
        label={t("experiments.dataset")}
        description={t("experiments.datasetRule")}
        data={known(names.datasets, d.dataset)}
        value={d.dataset}
        error={error("dataset")}
        onChange={(e) => set("dataset", e.currentTarget.value)}
      />
      <TextInput
        label={t("experiments.tags")}
        description={t("experiments.tagsRule")}
        value={(d.tags ?? []).join(", ")}
        error={error("tags")}
        onChange={(e) => set("tags", list(e.currentTarget.value))}
      />
      <Textarea
        label={t("experiments.notes")}
        autosize
        minRows={1}
        value={d.notes ?? ""}
        error={error("notes")}
        onChange={(e) => set("notes", e.currentTarget.value)}
      />
    </div>
  );
}

function Judgement({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { definition: d, names, set, error } = group;
  const suite = d.suite.join(", ");
  return (
    <div className="fields">
      <ModelFields group={group} path="judge" value={d.judge} models={["lexical"]} />
      <NativeSelect
        label={t("experiments.explain")}
        data={[
          { value: "", label: t("experiments.explainAsQuestion") },
          { value: "en", label: "English" },
          { value: "ja", label: "日本語" },
        ]}
        value={d.judge.explain_lang ?? ""}
        error={error("judge.explain_lang")}
        onChange={(e) => set("judge.explain_lang", e.currentTarget.value || undefined)}
      />
      <TextInput
        label={t("experiments.suite")}
        description={t("experiments.suiteRule", { names: names.suites.join(", ") })}
        value={suite}
        error={error("suite")}
        onChange={(e) => set("suite", list(e.currentTarget.value))}
      />
      <NumberInput
        label={t("experiments.lowScore")}
        description={t("experiments.lowScoreRule")}
        min={1}
        max={4.9}
        step={0.5}
        value={d.low_score}
        error={error("low_score")}
        onChange={(v) => set("low_score", v === "" ? undefined : v)}
      />
    </div>
  );
}

/** Choices, with the present one even where it is not among them. */
export function known(choices: readonly string[], present: string | undefined): string[] {
  const value = present ?? "";
  return choices.includes(value) ? [...choices] : [value, ...choices];
}

/** Words between commas. The comma being typed stays visible. */
export function list(text: string): string[] {
  const parts = text.split(/[,、，]/).map((p) => p.trimStart());
  return parts.length === 1 && parts[0] === "" ? [] : parts;
}

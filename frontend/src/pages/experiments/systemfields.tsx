import { Checkbox, NativeSelect, NumberInput, SegmentedControl, TextInput, Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWords } from "../../parts/words";
import { ChunkFields } from "./chunkfields";
import css from "./experiments.module.css";
import { type Group, known } from "./fields";
import { ModelFields } from "./modelfields";
import { RerankFields, SearchFields } from "./searchfields";

const kinds = ["pipeline", "endpoint", "answers"] as const;

/** What answers the questions: our pipeline, an endpoint, or answers that were logged. */
export function SystemFields({ group }: { group: Group }) {
  const { t } = useTranslation();
  const { definition: d, names, set, error } = group;
  const kind = d.endpoint !== undefined && d.endpoint !== "" ? "endpoint" : d.answers ? "answers" : "pipeline";
  const choose = (to: string) => {
    if (to === "pipeline") set("endpoint", undefined);
    if (to === "endpoint") set("endpoint", names.endpoints[0] ?? "");
  };
  return (
    <div className="stack">
      {kind !== "answers" && (names.endpoints.length > 0 || kind === "endpoint") && (
        <SegmentedControl
          size="xs"
          className={css.kinds ?? ""}
          aria-label={t("experiments.system")}
          value={kind}
          onChange={choose}
          data={kinds.filter((k) => k !== "answers").map((k) => ({ value: k, label: t(`experiments.systems.${k}`) }))}
        />
      )}
      {kind === "endpoint" && (
        <NativeSelect
          label={t("experiments.systems.endpoint")}
          data={known(names.endpoints, d.endpoint)}
          value={d.endpoint ?? ""}
          error={error("endpoint")}
          onChange={(e) => set("endpoint", e.currentTarget.value)}
        />
      )}
      {kind === "answers" && (
        <TextInput
          label={t("experiments.systems.answers")}
          value={d.answers ?? ""}
          error={error("answers")}
          onChange={(e) => set("answers", e.currentTarget.value)}
        />
      )}
      <NativeSelect
        className={css.half ?? ""}
        label={t("experiments.corpus")}
        description={t("experiments.corpusRule")}
        data={kind === "pipeline" ? known(names.corpora, d.corpus) : ["", ...names.corpora]}
        value={d.corpus}
        error={error("corpus")}
        onChange={(e) => set("corpus", e.currentTarget.value)}
      />
      {kind === "pipeline" && <Pipeline group={group} />}
    </div>
  );
}

function Pipeline({ group }: { group: Group }) {
  const { t } = useTranslation();
  const words = useWords();
  const { definition, names, set, error } = group;
  const b = definition.base;
  const steps = ["truncate", "strip_citations"];
  const number = (v: number | string) => (v === "" ? undefined : v);
  const toggle = (step: string) => {
    const present = b.post_process ?? [];
    set("base.post_process", present.includes(step) ? present.filter((s) => s !== step) : [...present, step]);
  };
  return (
    <div className={css.steps}>
      <fieldset>
        <legend>{t("experiments.chunk")}</legend>
        <ChunkFields group={group} />
      </fieldset>
      <fieldset>
        <legend>{t("experiments.search1")}</legend>
        <SearchFields group={group} />
      </fieldset>
      <fieldset>
        <legend>{t("experiments.order")}</legend>
        <RerankFields group={group} />
      </fieldset>
      <fieldset>
        <legend>{t("experiments.answer")}</legend>
        <div className="fields">
          <ModelFields group={group} path="base.generate" value={b.generate} models={names.generators} />
          <NumberInput
            label={words.param("generate.temperature")}
            min={0}
            max={2}
            step={0.1}
            value={b.generate.temperature}
            error={error("base.generate.temperature")}
            onChange={(v) => set("base.generate.temperature", number(v))}
          />
          <NumberInput
            label={words.param("generate.max_tokens")}
            min={0}
            value={b.generate.max_tokens ?? ""}
            error={error("base.generate.max_tokens")}
            onChange={(v) => set("base.generate.max_tokens", number(v))}
          />
        </div>
        <Textarea
          label={words.param("generate.prompt")}
          description={t("experiments.promptRule")}
          autosize
          minRows={2}
          value={b.generate.prompt}
          error={error("base.generate.prompt")}
          onChange={(e) => set("base.generate.prompt", e.currentTarget.value)}
        />
        <div className="row" role="group" aria-label={words.param("post_process")}>
          <span className="soft small">{words.param("post_process")}</span>
          {steps.map((step) => (
            <Checkbox
              key={step}
              size="xs"
              label={words.value("post_process", step)}
              checked={(b.post_process ?? []).includes(step)}
              onChange={() => toggle(step)}
            />
          ))}
        </div>
      </fieldset>
    </div>
  );
}

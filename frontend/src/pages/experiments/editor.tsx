import { Button, createTheme, MantineThemeProvider, SegmentedControl, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import type { Definition, Doubt } from "../../api/types_experiments";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card } from "../../parts/page";
import css from "./experiments.module.css";
import { Fields } from "./fields";
import { fieldOf, tidy } from "./form";

interface Preview {
  definition: Definition;
  yaml: string;
  /** Values that are possible and probably not meant. */
  doubts?: Doubt[];
}

interface EditorProps {
  definition: Definition;
  yaml?: string;
  /** The name that may not change; a new experiment has none yet. */
  fixed?: string;
  onSaved: (name: string) => void;
  onClose: () => void;
}

/** Explanations stand below their fields, so that the fields of a line stay in line whatever is said about one of them. */
const below = createTheme({
  components: { InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "error", "description"] } } },
});

/** An experiment as a form or as the text of its file. Changing the view carries everything over; a mistake stays in view. */
export function Editor(props: EditorProps) {
  const { t, i18n } = useTranslation();
  const [view, setView] = useState<"form" | "yaml">("form");
  const [definition, setDefinition] = useState(props.definition);
  const [yaml, setYaml] = useState(props.yaml ?? "");
  const [checked, setChecked] = useState(false);
  const client = useQueryClient();
  const editor = useRef<HTMLDivElement>(null);

  const sent = () => (view === "form" ? { definition: tidy(definition) } : { yaml });
  const preview = useMutation({ mutationFn: () => send<Preview>("POST", "/experiments/preview", sent()) });
  const save = useMutation({
    mutationFn: async () => {
      const seen = await send<Preview>("POST", "/experiments/preview", sent());
      const name = props.fixed ?? seen.definition.name;
      await send("PUT", `/experiments/${encodeURIComponent(name)}`, sent());
      return name;
    },
    onSuccess: async (name) => {
      await client.invalidateQueries();
      props.onSaved(name);
    },
  });
  const error = save.error ?? preview.error;
  const wrong = error instanceof ApiProblem && error.field ? fieldOf(error.field) : "";

  useEffect(() => {
    if (!error) return;
    const field = editor.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    field?.scrollIntoView({ block: "center" });
    field?.focus({ preventScroll: true });
  }, [error]);

  const forget = () => {
    setChecked(false);
    save.reset();
    preview.reset();
  };
  const change = (to: "form" | "yaml") => {
    forget();
    preview.mutate(undefined, {
      onSuccess: (seen) => {
        setDefinition(seen.definition);
        setYaml(seen.yaml);
        setView(to);
      },
    });
  };

  return (
    <div ref={editor} className="form">
      <div className="row apart">
        <SegmentedControl
          size="xs"
          aria-label={t("experiments.view")}
          value={view}
          onChange={(v) => change(v as "form" | "yaml")}
          data={[
            { value: "form", label: t("experiments.form") },
            { value: "yaml", label: t("experiments.file") },
          ]}
        />
        {checked && <span role="status">{t("experiments.right")}</span>}
      </div>
      {checked && (preview.data?.doubts ?? []).length > 0 && (
        <ul className="small" aria-label={t("experiments.doubts")}>
          {preview.data?.doubts?.map((d) => (
            <li key={d.field + d.en}>⚠ {i18n.language === "ja" ? d.ja : d.en}</li>
          ))}
        </ul>
      )}
      {view === "form" ? (
        <MantineThemeProvider theme={below}>
          <Fields
            definition={definition}
            fixed={props.fixed !== undefined}
            wrong={wrong}
            message={error?.message ?? ""}
            onChange={(d) => {
              setDefinition(d);
              forget();
            }}
          />
        </MantineThemeProvider>
      ) : (
        <Card>
          <Textarea
            aria-label={t("experiments.file")}
            className={css.yaml ?? ""}
            autosize
            minRows={18}
            spellCheck={false}
            value={yaml}
            error={wrong ? `${wrong}: ${error?.message}` : undefined}
            onChange={(e) => {
              setYaml(e.currentTarget.value);
              forget();
            }}
          />
        </Card>
      )}
      <div className={css.bar}>
        {error && <ProblemLine error={error} />}
        <div className="row">
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {props.fixed === undefined ? t("experiments.register") : t("experiments.saveRevision")}
          </Button>
          <Button
            variant="default"
            loading={preview.isPending}
            onClick={() => preview.mutate(undefined, { onSuccess: () => setChecked(true) })}
          >
            {t("experiments.check")}
          </Button>
          <Button variant="subtle" onClick={props.onClose}>
            {t("parts.cancel")}
          </Button>
          {props.fixed !== undefined && <span className="soft small">{t("experiments.revisionNote")}</span>}
        </div>
      </div>
    </div>
  );
}

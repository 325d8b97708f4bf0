import { Button, NumberInput, TextInput, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import type { AgreementView } from "../../api/types_agreement";
import { ProblemLine } from "../../parts/confirmdialog";
import { useProblemWords } from "../../parts/faces";
import { Icon } from "../../parts/icon";
import { Card, PageHead } from "../../parts/page";
import css from "./agreement.module.css";
import { bodyOf, type Draft, draftOf, faultsOf, newItem, newTarget, today } from "./form";
import { ItemFields } from "./itemfields";
import { TargetFields } from "./targetfields";

interface EditorProps {
  view: AgreementView;
  /** The run that is agreed on: the one that the page shows. */
  run: string;
  above: ReactNode;
  onClose: () => void;
}

/** What every row of the form needs. */
export interface FormPart {
  view: AgreementView;
  /** What is wrong with a field, if anything. */
  error: (field: string) => string | undefined;
}

/** Writes the next version of an agreement. Nothing is stored before the last button. */
export function Editor({ view, run, above, onClose }: EditorProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(view.newest, today(), run));
  const [tried, setTried] = useState(false);
  const basedOn = view.newest?.version ?? 0;
  const faults = faultsOf(draft);
  const store = useMutation({
    mutationFn: () => send<AgreementView>("PUT", `/datasets/${encodeURIComponent(view.dataset)}/agreement`, bodyOf(draft, basedOn)),
    onSuccess: async () => {
      await client.invalidateQueries();
      onClose();
    },
  });
  const refused = useProblemWords(store.error);
  const field = store.error instanceof ApiProblem ? store.error.field : "";
  const part: FormPart = {
    view,
    error: (name) => {
      const fault = tried ? faults.find((f) => f.field === name) : undefined;
      if (fault) return t(`agreement.faults.${fault.key}`);
      return field === name ? refused.title : undefined;
    },
  };
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const save = () => {
    setTried(true);
    if (faults.length === 0) store.mutate();
  };
  return (
    <>
      <PageHead
        name={t("agreement.editOf", { name: view.dataset })}
        title={t("agreement.editOf", { name: view.dataset })}
        above={above}
        below={<span className="soft">{t("agreement.editRule", { n: basedOn + 1 })}</span>}
        actions={
          <Button variant="default" onClick={onClose}>
            {t("parts.cancel")}
          </Button>
        }
      />
      <form
        className="stack"
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          save();
        }}
      >
        <Card title={t("agreement.threshold")}>
          <NumberInput
            size="xs"
            w={260}
            label={t("agreement.thresholdLabel")}
            description={t("agreement.thresholdRule")}
            min={1}
            max={4.9}
            step={0.5}
            value={draft.low_score}
            error={part.error("low_score")}
            onChange={(v) => set({ low_score: v === "" ? "" : Number(v) })}
          />
        </Card>
        <Card title={t("agreement.targets")}>
          <div className="stack">
            {draft.targets.map((target, i) => (
              <TargetFields
                key={i}
                n={i}
                part={part}
                target={target}
                onChange={(change) => set({ targets: draft.targets.map((o, at) => (at === i ? { ...o, ...change } : o)) })}
                onRemove={() => set({ targets: draft.targets.filter((_, at) => at !== i) })}
              />
            ))}
            <Add label={t("agreement.addTarget")} onClick={() => set({ targets: [...draft.targets, newTarget] })} />
          </div>
        </Card>
        <Card title={t("agreement.itemsTitle")}>
          <div className="stack">
            {draft.items.map((item, i) => (
              <ItemFields
                key={i}
                n={i}
                part={part}
                item={item}
                onChange={(change) => set({ items: draft.items.map((o, at) => (at === i ? { ...o, ...change } : o)) })}
                onRemove={() => set({ items: draft.items.filter((_, at) => at !== i) })}
              />
            ))}
            <Add label={t("agreement.addItem")} onClick={() => set({ items: [...draft.items, newItem] })} />
          </div>
        </Card>
        <Card title={t("agreement.who")}>
          <div className="stack">
            <div className={css.fields}>
              <TextInput
                size="xs"
                label={t("agreement.agreedBy")}
                description={t("agreement.betweenCommas")}
                required
                value={draft.agreed_by}
                error={part.error("agreed_by")}
                onChange={(e) => set({ agreed_by: e.currentTarget.value })}
              />
              <TextInput
                size="xs"
                type="date"
                label={t("agreement.agreedOn")}
                description={t("agreement.agreedOnRule")}
                required
                value={draft.agreed_on}
                error={part.error("agreed_on")}
                onChange={(e) => set({ agreed_on: e.currentTarget.value })}
              />
              <TextInput
                size="xs"
                label={t("agreement.onRun")}
                description={t("agreement.runRule")}
                value={draft.run}
                error={part.error("run")}
                onChange={(e) => set({ run: e.currentTarget.value })}
              />
            </div>
            <Textarea
              size="xs"
              label={t("agreement.note")}
              autosize
              minRows={1}
              value={draft.note}
              onChange={(e) => set({ note: e.currentTarget.value })}
            />
          </div>
        </Card>
        <div className="row">
          <Button type="submit" size="sm" loading={store.isPending}>
            {t("agreement.save", { n: basedOn + 1 })}
          </Button>
          {tried && faults.length > 0 && (
            <p role="alert" className={css.faulty}>
              {t("agreement.faulty", { count: faults.length })}
            </p>
          )}
          {store.error && <ProblemLine error={store.error} />}
        </div>
      </form>
    </>
  );
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button variant="default" leftSection={<Icon name="add" size={14} />} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

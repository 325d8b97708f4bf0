import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useList } from "../../api/queries";
import type { Ref } from "../../api/types";
import type { DatasetQuestion, LibraryRow } from "../../api/types_library";
import { useShortcuts } from "../../app/keys";
import { Badge } from "../../parts/badges";
import { ConfirmDialog, ProblemLine } from "../../parts/confirmdialog";
import { absent } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { Facts } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { SidePanel } from "../../parts/sidepanel";
import { changesOf, corpusFor, draftTag, type Edit, editOf } from "./edit";
import css from "./datasets.module.css";

interface QuestionPanelProps {
  question: DatasetQuestion;
  reference: string;
  newest: boolean;
  place: string;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** A question beside the list. Editing it stores the dataset as its next version; the version on screen stays as it is. */
export function QuestionPanel({ question: q, reference, newest, place, onPrevious, onNext, onClose }: QuestionPanelProps) {
  const { t } = useTranslation();
  const may = useMay("edit") && newest;
  const [editing, setEditing] = useState(false);
  const draft = (q.tags ?? []).includes(draftTag);
  useShortcuts(may && !editing ? [{ press: "e", label: "keys.edit", run: () => setEditing(true) }] : []);
  return (
    <SidePanel
      label={q.question_id}
      title={
        <div>
          <div className="row small soft">
            <span className="mono">{q.question_id}</span>
            {draft && <Badge tone="needs_check">{t("datasets.draft")}</Badge>}
            {q.critical && <Badge tone="worse">{t("datasets.critical")}</Badge>}
            {!q.answerable && <Badge>{t("datasets.unanswerable")}</Badge>}
          </div>
          <h2>{q.question}</h2>
        </div>
      }
      place={place}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
    >
      {editing ? (
        <Form q={q} reference={reference} onClose={() => setEditing(false)} />
      ) : (
        <div className="stack">
          <Shown q={q} reference={reference} />
          {may && (
            <div className="row no-print">
              {draft && <Accept q={q} reference={reference} />}
              <Button variant="default" leftSection={<Icon name="edit" size={14} />} onClick={() => setEditing(true)}>
                {t("datasets.edit")}
              </Button>
            </div>
          )}
          {!newest && <p className="soft small">{t("datasets.oldRule")}</p>}
        </div>
      )}
    </SidePanel>
  );
}

function Shown({ q, reference }: { q: DatasetQuestion; reference: string }) {
  const { t } = useTranslation();
  const [name = ""] = reference.split("@");
  const corpora = useList<LibraryRow>("/corpora", {}, 500);
  const corpus = corpusFor(
    name,
    corpora.rows.map((c) => c.name),
  );
  return (
    <>
      <section>
        <h3>{t("datasets.reference")}</h3>
        <p className="text">{q.reference || absent}</p>
        {(q.references ?? []).map((other) => (
          <p key={other} className="text soft">
            {other}
          </p>
        ))}
      </section>
      <section>
        <h3>{t("datasets.evidence")}</h3>
        {(q.evidence ?? []).length === 0 && <p className="soft">{t("datasets.noEvidence")}</p>}
        {(q.evidence ?? []).map((e) => (
          <blockquote key={`${e.doc_id} ${e.start}`} className={css.quote}>
            <p className="text">{e.quote}</p>
            {corpus ? (
              <PageLink
                className="small"
                to={`/corpora/${encodeURIComponent(corpus)}`}
                search={{ doc: e.doc_id, dataset: reference, at: String(e.start) }}
              >
                {e.doc_id} [{e.start}:{e.end}]
              </PageLink>
            ) : (
              <span className="small soft mono">
                {e.doc_id} [{e.start}:{e.end}]
              </span>
            )}
          </blockquote>
        ))}
      </section>
      <Facts
        facts={[
          [t("datasets.tags"), (q.tags ?? []).join(", ") || absent],
          [t("datasets.urls"), (q.expected_urls ?? []).join("\n") || absent],
          ...Object.entries(q.metadata ?? {}),
        ]}
      />
    </>
  );
}

/** Stores a changed question: the answer is the next version of the dataset. */
function useEdit(q: DatasetQuestion, reference: string, done: () => void) {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (edit: Edit) =>
      send<Ref>("PATCH", `/datasets/${encodeURIComponent(reference)}/questions/${encodeURIComponent(q.question_id)}`, edit),
    onSuccess: async (stored) => {
      await client.invalidateQueries();
      done();
      const search = new URLSearchParams(location.search).toString();
      router.history.push(`/datasets/${encodeURIComponent(stored.name)}${search ? `?${search}` : ""}`);
    },
  });
}

function Accept({ q, reference }: { q: DatasetQuestion; reference: string }) {
  const { t } = useTranslation();
  const accept = useEdit(q, reference, () => {});
  return (
    <>
      <Button loading={accept.isPending} onClick={() => accept.mutate({ tags: (q.tags ?? []).filter((tag) => tag !== draftTag) })}>
        {t("datasets.accept")}
      </Button>
      {accept.error && <ProblemLine error={accept.error} />}
    </>
  );
}

function Form({ q, reference, onClose }: { q: DatasetQuestion; reference: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [form, setForm] = useState(editOf(q));
  const [asked, setAsked] = useState(false);
  const save = useEdit(q, reference, onClose);
  const changes = changesOf(q, form);
  const nothing = Object.keys(changes).length === 0;
  return (
    <div className="stack">
      <Textarea
        label={t("datasets.question")}
        autosize
        minRows={2}
        value={form.question}
        onChange={(e) => setForm({ ...form, question: e.currentTarget.value })}
      />
      <Textarea
        label={t("datasets.reference")}
        autosize
        minRows={3}
        value={form.reference}
        onChange={(e) => setForm({ ...form, reference: e.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={t("datasets.tags")}
        description={t("datasets.tagsRule")}
        value={form.tags}
        onChange={(e) => setForm({ ...form, tags: e.currentTarget.value })}
      />
      <div className="row">
        <Checkbox
          label={t("datasets.critical")}
          checked={form.critical}
          onChange={(e) => setForm({ ...form, critical: e.currentTarget.checked })}
        />
        <Checkbox
          label={t("datasets.answerable")}
          checked={form.answerable}
          onChange={(e) => setForm({ ...form, answerable: e.currentTarget.checked })}
        />
      </div>
      <div className="row">
        <Button disabled={nothing} onClick={() => setAsked(true)}>
          {t("datasets.saveVersion")}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t("parts.cancel")}
        </Button>
      </div>
      <ConfirmDialog
        opened={asked}
        title={t("datasets.saveAsk")}
        action={t("datasets.saveVersion")}
        busy={save.isPending}
        error={save.error}
        onConfirm={() => save.mutate(changes)}
        onClose={() => setAsked(false)}
      >
        {t("datasets.saveMeans")}
      </ConfirmDialog>
    </div>
  );
}

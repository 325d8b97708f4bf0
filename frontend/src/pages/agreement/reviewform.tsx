import { Button, NativeSelect, SegmentedControl, TextInput, Textarea } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import type { ImportedReviews, ReviewsView } from "../../api/types_agreement";
import { ProblemLine } from "../../parts/confirmdialog";
import { Loading } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { useWords } from "../../parts/words";
import css from "./agreement.module.css";

interface ReviewFormProps {
  run: string;
  question: string;
}

/** What people say about one answer, and a form to say something. It is read only when somebody asks for it. */
export function ReviewForm(props: ReviewFormProps) {
  const { t } = useTranslation();
  const may = useMay("edit");
  const [open, setOpen] = useState(false);
  if (open) return <Open {...props} />;
  return (
    <Button
      className="no-print"
      variant="default"
      leftSection={<Icon name={may ? "edit" : "agreements"} size={14} />}
      onClick={() => setOpen(true)}
    >
      {t(may ? "agreement.review" : "agreement.readReviews")}
    </Button>
  );
}

function Open({ run, question }: ReviewFormProps) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const may = useMay("edit");
  const query = useGet<ReviewsView>(`/runs/${run}/reviews`);
  const said = query.data?.figures.labels.find((l) => l.question_id === question)?.reviews ?? [];
  if (query.isPending) return <Loading rows={2} />;
  return (
    <div className="stack">
      {query.error && <ProblemLine error={query.error} />}
      {said.length === 0 && <p className="soft small">{t("agreement.nobodySaid")}</p>}
      {said.map((r) => (
        <div key={r.reviewer} className={css.said}>
          <strong>{r.reviewer}</strong> <span className="soft small">{format.moment(r.at)}</span>
          <div>
            {[
              r.verdict && words.word("review_verdict", r.verdict),
              r.correctness !== undefined && `${words.metric("correctness")} ${r.correctness}`,
              r.trust !== undefined && `${words.metric("trust")} ${r.trust}`,
              r.priority && `${t("agreement.priorityWord")} ${words.word("priority", r.priority)}`,
            ]
              .filter(Boolean)
              .join(" · ") || absent}
          </div>
          {[r.comment, r.action, r.corrected_reference].filter(Boolean).map((text, i) => (
            <p key={i} className="text small">
              {text}
            </p>
          ))}
        </div>
      ))}
      {may && <Form run={run} question={question} />}
    </div>
  );
}

const empty = { verdict: "", correctness: "", trust: "", cause: "", corrected_reference: "", action: "", priority: "", comment: "" };

function Form({ run, question }: ReviewFormProps) {
  const { t } = useTranslation();
  const words = useWords();
  const client = useQueryClient();
  const [reviewer, setReviewer] = useLocalStorage({ key: "workbench-reviewer", defaultValue: "" });
  const [said, setSaid] = useState(empty);
  const set = (change: Partial<typeof empty>) => setSaid({ ...said, ...change });
  const store = useMutation({
    mutationFn: () => {
      const { correctness, trust, ...rest } = said;
      const texts = Object.fromEntries(Object.entries(rest).filter(([, v]) => v !== ""));
      return send<ImportedReviews>("POST", `/runs/${run}/reviews`, {
        question_id: question,
        reviewer,
        ...texts,
        ...(correctness ? { correctness: Number(correctness) } : {}),
        ...(trust ? { trust: Number(trust) } : {}),
      });
    },
    onSuccess: () => {
      setSaid(empty);
      return client.invalidateQueries({ queryKey: [`/runs/${run}/reviews`] });
    },
  });
  const nothing = Object.values(said).every((v) => v.trim() === "");
  const levels = [{ value: "", label: absent }, ...["1", "2", "3", "4", "5"].map((v) => ({ value: v, label: v }))];
  const causes = ["search_query", "database", "retriever", "generation_model", "system_prompt", "post_processing", "reference", "question"];
  return (
    <form
      className={`${css.entry} no-print`}
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        store.mutate();
      }}
    >
      <SegmentedControl
        size="xs"
        aria-label={t("agreement.verdictWord")}
        value={said.verdict}
        data={[
          { value: "", label: absent },
          ...["correct", "incorrect", "unsure"].map((v) => ({ value: v, label: words.word("review_verdict", v) })),
        ]}
        onChange={(verdict) => set({ verdict })}
      />
      <div className={css.fields}>
        <NativeSelect
          size="xs"
          label={words.metric("correctness")}
          data={levels}
          value={said.correctness}
          onChange={(e) => set({ correctness: e.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={words.metric("trust")}
          data={levels}
          value={said.trust}
          onChange={(e) => set({ trust: e.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={t("run.cause")}
          data={[{ value: "", label: absent }, ...causes.map((c) => ({ value: c, label: words.cause(c) }))]}
          value={said.cause}
          onChange={(e) => set({ cause: e.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={t("agreement.priorityWord")}
          data={[{ value: "", label: absent }, ...["high", "medium", "low"].map((p) => ({ value: p, label: words.word("priority", p) }))]}
          value={said.priority}
          onChange={(e) => set({ priority: e.currentTarget.value })}
        />
      </div>
      <Textarea
        size="xs"
        label={t("agreement.correctedReference")}
        autosize
        minRows={1}
        value={said.corrected_reference}
        onChange={(e) => set({ corrected_reference: e.currentTarget.value })}
      />
      <TextInput size="xs" label={t("agreement.action")} value={said.action} onChange={(e) => set({ action: e.currentTarget.value })} />
      <TextInput size="xs" label={t("agreement.comment")} value={said.comment} onChange={(e) => set({ comment: e.currentTarget.value })} />
      <TextInput size="xs" label={t("agreement.reviewer")} required value={reviewer} onChange={(e) => setReviewer(e.currentTarget.value)} />
      <div className="row">
        <Button type="submit" loading={store.isPending} disabled={nothing || reviewer.trim() === ""}>
          {t("agreement.storeReview")}
        </Button>
        <span role="status" className="soft small">
          {store.isSuccess && nothing ? t("agreement.stored") : ""}
        </span>
      </div>
      {store.error && <ProblemLine error={store.error} />}
    </form>
  );
}

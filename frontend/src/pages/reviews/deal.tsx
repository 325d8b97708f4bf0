import { Button, NumberInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import type { QueueView } from "../../api/types_reviews";
import { ConfirmDialog } from "../../parts/confirmdialog";

/** Deals answers of a run to reviewers. */
export function Deal({ run, names }: { run: string; names: string[] }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const may = useMay("edit");
  const [open, setOpen] = useState(false);
  const [reviewers, setReviewers] = useState(names.join(", "));
  const [answers, setAnswers] = useState(40);
  const [twice, setTwice] = useState(10);
  const deal = useMutation({
    mutationFn: () =>
      send<QueueView>("POST", `/runs/${run}/review-queue`, {
        reviewers: reviewers
          .split(/[,、，]/)
          .map((n) => n.trim())
          .filter(Boolean),
        answers,
        twice: twice === 0 ? -1 : Math.min(twice, answers),
      }),
    onSuccess: () => {
      setOpen(false);
      return client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith(`/runs/${run}/review-queue`) });
    },
  });
  if (!may) return null;
  return (
    <>
      <Button variant={names.length ? "default" : "filled"} onClick={() => setOpen(true)}>
        {t("reviews.dealOpen")}
      </Button>
      <ConfirmDialog
        opened={open}
        title={t("reviews.deal")}
        action={t("reviews.dealAction")}
        busy={deal.isPending}
        error={deal.error}
        onClose={() => setOpen(false)}
        onConfirm={() => deal.mutate()}
      >
        <div className="stack">
          <p>{t("reviews.dealText")}</p>
          <TextInput
            label={t("reviews.dealNames")}
            description={t("reviews.dealNamesHint")}
            value={reviewers}
            onChange={(e) => setReviewers(e.currentTarget.value)}
          />
          <NumberInput
            label={t("reviews.dealAnswers")}
            min={1}
            max={10000}
            allowDecimal={false}
            value={answers}
            onChange={(v) => setAnswers(Number(v) || 1)}
          />
          <NumberInput
            label={t("reviews.dealTwice")}
            description={t("reviews.dealTwiceHint")}
            min={0}
            max={10000}
            allowDecimal={false}
            value={twice}
            onChange={(v) => setTwice(Number(v) || 0)}
          />
        </div>
      </ConfirmDialog>
    </>
  );
}

import { TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { send, workKey } from "../../api/client";
import type { NotebookJob, NotebookPlan } from "../../api/types_notebook";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { Failed } from "../../parts/faces";
import { usePrice } from "./statechip";
import css from "./notebook.module.css";

/** What somebody wants to run: some cells, or all that is not up to date. */
export interface Wanted {
  cells: string[]; // empty: all
  upstream: boolean;
}

interface RunDialogProps {
  path: string;
  wanted: Wanted | null;
  params: string[];
  digest: string;
  onClose: () => void;
  /** free: it costs nothing, and nobody was asked. */
  onStarted: (job: NotebookJob, free: boolean) => void;
}

/** Says what each cell would cost before anything is bought, and starts the work under a budget. What costs nothing starts at once. */
export function RunDialog({ path, wanted, params, digest, onClose, onStarted }: RunDialogProps) {
  const { t } = useTranslation();
  const priced = usePrice();
  const [budget, setBudget] = useState("");
  const opened = wanted !== null;
  const key = useMemo(() => (opened ? workKey() : ""), [opened]);
  const work = { ...(wanted?.cells.length ? { cells: wanted.cells } : {}), upstream: wanted?.upstream ?? true, params };
  const plan = useQuery({
    queryKey: ["plan", path, work, digest],
    queryFn: () => send<NotebookPlan>("POST", `${path}/plan`, work),
    enabled: opened,
    staleTime: 0,
    gcTime: 0,
  });
  const p = plan.isFetching ? undefined : plan.data;
  const free = !!p && p.calls === 0 && p.micros === 0 && p.later.length === 0 && p.cells.length > 0;
  const start = useMutation({
    mutationFn: () => send<NotebookJob>("POST", `${path}/run`, { ...work, digest, ...(budget ? { budget } : {}) }, key),
    onSuccess: (job) => {
      onStarted(job, free);
      onClose();
    },
  });
  const { mutate, isIdle } = start;
  useEffect(() => {
    if (opened && free && isIdle) mutate();
  }, [opened, free, isIdle, mutate]);
  const { reset } = start;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other cells start without the error of the last ones
  useEffect(() => reset(), [wanted, reset]);
  // Until the price is known there is nothing to decide: a dialog that goes away by itself only frightens.
  if ((!p && !plan.error) || (free && !start.error)) return null;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t("notebook.runTitle")}
      action={t("notebook.start")}
      busy={start.isPending}
      disabled={!p || p.cells.length === 0}
      error={start.error}
      onConfirm={() => mutate()}
    >
      {plan.error ? (
        <Failed error={plan.error} retry={() => void plan.refetch()} />
      ) : !p || p.cells.length === 0 ? (
        <p>{t("notebook.nothingStale")}</p>
      ) : (
        <div className="stack">
          <ul className={css.plan}>
            {p.cells.map((c) => (
              <li key={c.name}>
                <strong className="mono">{c.name}</strong>
                <span>{c.price ? priced.price(c.price) : p.later.includes(c.name) ? t("notebook.pricedLater") : t("notebook.free")}</span>
              </li>
            ))}
          </ul>
          <p>
            <strong>{t(p.later.length > 0 ? "notebook.sumSoFar" : "notebook.sum", { price: priced.price(p) })}</strong>
          </p>
          {p.later.length > 0 && <p className="soft">{t("notebook.withoutBudget", { cells: p.later.join(", ") })}</p>}
          <TextInput
            data-autofocus
            onKeyDown={(e) => e.key === "Enter" && !start.isPending && mutate()}
            label={t("plan.budget", { currency: p.currency || "USD" })}
            description={t("notebook.budgetMeaning")}
            value={budget}
            onChange={(e) => setBudget(e.currentTarget.value)}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}

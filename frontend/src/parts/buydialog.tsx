import { TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { send, workKey } from "../api/client";
import type { DiagnosePlan, Job, Plan, TrialPlan, VerifyPlan } from "../api/types";
import { ConfirmDialog } from "./confirmdialog";
import { Failed, Loading } from "./faces";
import { useFormat } from "./format";
import { million } from "./runwords";

type AnyPlan = Plan | DiagnosePlan | TrialPlan | VerifyPlan;

/** What work costs, whatever kind of work it is. */
interface Price {
  calls: number;
  most?: number | undefined; // where it cannot be told before
  micros: number;
  known: boolean;
  currency: string;
}

/** The price in a plan; null where nothing is to be bought. */
export function priceOf(plan: AnyPlan): Price | null {
  if ("buy" in plan)
    return plan.buy === 0
      ? null
      : { calls: plan.expected_buy, most: plan.buy, micros: plan.expected_micros, known: plan.price_known, currency: plan.currency };
  if ("calls_typical" in plan) {
    if (plan.free) return null;
    return { calls: plan.calls_typical, most: plan.calls_most, micros: plan.micros, known: plan.price_known, currency: plan.currency };
  }
  if ("configurations" in plan) {
    if (plan.free || plan.calls === 0) return null;
    return { calls: plan.calls, most: plan.calls, micros: plan.micros, known: plan.price_known, currency: plan.currency };
  }
  const { price } = plan;
  return !price || price.calls === 0
    ? null
    : { calls: price.calls, micros: price.micros, known: price.price_known, currency: price.currency };
}

interface BuyDialogProps {
  opened: boolean;
  title: string;
  /** What it does, in a sentence or two. */
  text: string;
  action: string;
  path: string;
  body: Record<string, unknown>;
  /** What can be chosen before; body follows it, and waiting is true until it does. */
  fields?: ReactNode;
  waiting?: boolean;
  /** What has to be chosen before there is a price, as a sentence. */
  missing?: string;
  onClose: () => void;
  /** Gets the id of the job that was started; "" where everything was known already. */
  onStarted: (job: string) => void;
}

/** Says what work costs before anyone pays for it, and starts it with a budget. Twice the same click pays once. */
export function BuyDialog({
  opened,
  title,
  text,
  action,
  path,
  body,
  fields,
  waiting = false,
  missing = "",
  onClose,
  onStarted,
}: BuyDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [budget, setBudget] = useState("");
  const asked = JSON.stringify(body);
  const key = useMemo(() => (opened && asked ? workKey() : ""), [opened, asked]); // other choices are other work
  const plan = useQuery({
    queryKey: ["plan", path, body],
    queryFn: () => send<{ plan: AnyPlan }>("POST", path, { ...body, plan: true }),
    enabled: opened && !missing && !waiting,
    staleTime: 0,
  });
  const price = plan.data ? priceOf(plan.data.plan) : null;
  const start = useMutation({
    mutationFn: () => send<{ job?: Job }>("POST", path, { ...body, ...(price && budget ? { budget } : {}) }, key),
    onSuccess: (answer) => {
      if (!answer.job) void client.invalidateQueries();
      onStarted(answer.job?.id ?? "");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={title}
      action={action}
      busy={start.isPending}
      disabled={!plan.data || waiting || missing !== ""}
      error={start.error}
      onConfirm={() => start.mutate()}
    >
      <div className="stack">
        <p>{text}</p>
        {fields}
        {missing ? (
          <p role="status">{missing}</p>
        ) : plan.error ? (
          <Failed error={plan.error} retry={() => void plan.refetch()} />
        ) : plan.data ? (
          <PriceLine price={price} />
        ) : (
          <Loading rows={2} />
        )}
        {price && !missing && (
          <TextInput
            label={t("plan.budget", { currency: price.currency })}
            description={t("plan.budgetMeaning")}
            value={budget}
            onChange={(e) => setBudget(e.currentTarget.value)}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

/** A price in one sentence. */
function PriceLine({ price }: { price: Price | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!price) return <p>{t("plan.free")}</p>;
  const calls = format.count(price.calls);
  return (
    <p>
      <strong>
        {price.known
          ? t("plan.price", { calls, money: format.money(price.micros / million, price.currency) })
          : t("plan.unknown", { calls })}
      </strong>{" "}
      {price.most && price.most > price.calls ? <span className="soft">{t("plan.most", { calls: format.count(price.most) })}</span> : null}
    </p>
  );
}

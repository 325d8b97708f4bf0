import { Button, NumberInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { send, workKey } from "../../api/client";
import { Dialog } from "../../parts/dialog";
import type { Plan, RunRow } from "../../api/types";
import type { ExperimentDetail } from "../../api/types_experiments";
import { ProblemLine } from "../../parts/confirmdialog";
import { Loading } from "../../parts/faces";
import { PlanTable } from "./plan";

/** Starts a run or a sweep: first the price, then the work. */
export function StartDialog({ experiment, onClose }: { experiment: ExperimentDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const sweeps = (experiment.definition.sweep ?? []).length > 0;
  const [limit, setLimit] = useState<number | "">("");
  const [money, setMoney] = useState<number | "">("");
  const [asked] = useDebouncedValue(limit, 500);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other work has another key
  const key = useMemo(workKey, [limit, money]);

  const work = { experiment: experiment.name, ...(limit === "" ? {} : { limit }) };
  const plan = useQuery({
    queryKey: ["plan", experiment.name, experiment.revision, asked],
    queryFn: () =>
      send<Plan>("POST", sweeps ? "/sweeps/plan" : "/runs/plan", {
        experiment: experiment.name,
        ...(asked === "" ? {} : { limit: asked }),
      }),
    retry: false,
  });
  const start = useMutation({
    mutationFn: () =>
      send<RunRow>("POST", sweeps ? "/sweeps" : "/runs", { ...work, ...(money === "" ? {} : { budget: String(money) }) }, key),
    onSuccess: (started) => {
      void client.invalidateQueries();
      // a sweep that looks for its best first has a sweep of its own only once that is done
      router.history.push(!started.run_id ? "/runs" : sweeps ? `/sweeps/${started.run_id}` : `/runs/${started.run_id}`);
    },
  });
  const stale = asked !== limit;
  const ready = plan.data !== undefined && !stale && !plan.isFetching;
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t(sweeps ? "experiments.startSweepOf" : "experiments.startRunOf", { name: experiment.name })}
    >
      <div className="stack">
        <div className="row" style={{ alignItems: "flex-end" }}>
          <NumberInput
            w={220}
            label={t("experiments.limit")}
            description={t("experiments.limitRule")}
            min={1}
            value={limit}
            onChange={(v) => setLimit(typeof v === "number" ? v : "")}
          />
          <NumberInput
            w={290}
            label={t("experiments.budget", { currency: plan.data?.currency ?? "" })}
            description={t("experiments.budgetRule")}
            min={0}
            decimalScale={2}
            value={money}
            onChange={(v) => setMoney(typeof v === "number" ? v : "")}
          />
        </div>
        {plan.error ? <ProblemLine error={plan.error} /> : ready ? <PlanTable plan={plan.data} /> : <Loading rows={4} />}
        {start.error && <ProblemLine error={start.error} />}
        <div className="row apart">
          <Button variant="default" onClick={onClose}>
            {t("parts.cancel")}
          </Button>
          <Button loading={start.isPending} disabled={!ready} onClick={() => start.mutate()}>
            {t(plan.data && plan.data.buy > 0 ? "experiments.startAndPay" : "experiments.start")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

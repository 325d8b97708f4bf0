import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { get, send, workKey } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import type { CauseReport, Plan, Points, RunRow } from "../../api/types";
import { formatSearch } from "../../app/url";
import { PlanChart } from "../../parts/chart/chart";
import { Badge } from "../../parts/badges";
import { BuyDialog } from "../../parts/buydialog";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import css from "./run.module.css";

type Recommendation = NonNullable<CauseReport["recommendations"]>[number];

interface RecommendationsProps {
  run: string;
  points: Points;
  onCause: (component: string) => void;
  onStarted: (job: string) => void;
}

/** What to change first: configurations by what they repair, with what they put at risk. */
export function Recommendations({ run, points, onCause, onStarted }: RecommendationsProps) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const [trying, setTrying] = useState(false);
  const mayRun = useMay("run");
  const diagnosed = points.cause.some(Boolean);
  const report = useGet<CauseReport>(diagnosed ? `/runs/${run}/causes` : null).data;
  if (!report) return null;
  const say = (text: { en: string; ja: string }) => (i18n.language === "ja" ? text.ja : text.en);
  const untried = report.recommendations?.some((r) => r.applies && !r.outcome) ?? false;
  return (
    <Card
      title={t("run.recommendations")}
      aside={<Badge tone={report.method === "tested" ? "accent" : "neutral"}>{words.word("cause_method", report.method)}</Badge>}
    >
      <ul className={css.facts}>
        {report.facts_unlisted?.map((fact) => (
          <li key={fact.en}>{say(fact)}</li>
        ))}
      </ul>
      {(report.recommendations?.length ?? 0) > 0 && (
        <ol className={css.recommendations}>
          {report.recommendations?.slice(0, 5).map((r, i) => (
            <li key={i}>
              <span>{say(r.rationale)}</span>
              <Outcome run={run} nth={i + 1} r={r} onCause={onCause} />
            </li>
          ))}
        </ol>
      )}
      {report.doubt && <p className="soft small">{say(report.doubt)}</p>}
      {say(report.choice) && <p className="soft small">{say(report.choice)}</p>}
      {untried && mayRun && (
        <Button size="xs" variant="default" mt={8} onClick={() => setTrying(true)}>
          {t("run.try")}
        </Button>
      )}
      {report.chart && <PlanChart plan={report.chart} title={t("run.curve")} />}
      {report.needs_reference && <p className="soft small">{say(report.needs_reference.text)}</p>}
      {report.failed > 0 && <p className="soft small">{t("run.notDiagnosed", { n: report.failed })}</p>}
      <BuyDialog
        opened={trying}
        title={t("run.tryTitle")}
        text={t("run.tryText")}
        action={t("run.start")}
        path={`/runs/${run}/recommendations`}
        body={noBody}
        onClose={() => setTrying(false)}
        onStarted={onStarted}
      />
    </Card>
  );
}

const noBody = {};

interface OutcomeProps {
  run: string;
  nth: number;
  r: Recommendation;
  onCause: (component: string) => void;
}

/** What one configuration repairs and breaks, and the click that applies it. */
function Outcome({ run, nth, r, onCause }: OutcomeProps) {
  const { t } = useTranslation();
  const words = useWords();
  const apply = useApply(run, nth);
  const [mayEdit, mayRun] = [useMay("edit"), useMay("run")];
  return (
    <div className="row small" style={{ gap: 8 }}>
      <Badge tone="better">
        {r.outcome
          ? t(r.outcome.run_id ? "run.made" : "run.repaired", { n: r.outcome.repaired.length, of: r.outcome.tried_low })
          : t("run.heals", { n: r.heals.length, of: r.low_scores })}
      </Badge>
      {r.outcome && r.outcome.broken.length > 0 && (
        <Badge tone="worse">{t("run.broken", { n: r.outcome.broken.length, of: r.outcome.tried_good })}</Badge>
      )}
      {!r.outcome && r.at_risk.length > 0 && <Badge tone="needs_check">{t("run.atRisk", { n: r.at_risk.length })}</Badge>}
      <button type="button" className={css.link} onClick={() => onCause(r.repair.component)}>
        {t("run.showCause", { cause: words.cause(r.repair.component) })}
      </button>
      {r.outcome?.run_id && (
        <PageLink to="/compare" search={{ baseline: run, candidate: r.outcome.run_id }}>
          {t("run.madeIn", { run: r.outcome.run_id })}
        </PageLink>
      )}
      {r.applies && !r.outcome?.run_id && mayEdit && mayRun && (
        <Button size="compact-xs" title={t("run.applyTitle")} loading={apply.isPending} onClick={() => apply.mutate()}>
          {t("run.apply")}
        </Button>
      )}
      {apply.isPending && <span role="status">{t("run.applying")}</span>}
      {apply.error ? <ProblemLine error={apply.error} /> : null}
    </div>
  );
}

const patience = 600; // seconds that a run without paid models is waited for

/**
 * Registers the change as an experiment, runs it, and opens the comparison with this run. Where models are bought it stops at the
 * experiment, whose start says the price.
 */
function useApply(run: string, nth: number) {
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      const made = await send<{ experiment: { name: string } }>("POST", `/runs/${run}/recommendations/${nth}`);
      const plan = await send<Plan>("POST", "/runs/plan", { experiment: made.experiment.name });
      if (plan.buy > 0) return `/experiments/${encodeURIComponent(made.experiment.name)}`;
      const started = await send<RunRow>("POST", "/runs", { experiment: made.experiment.name }, workKey());
      for (let waited = 0; waited < patience; waited++) {
        const { row } = await get<{ row: RunRow }>(`/runs/${started.run_id}`, {});
        if (row.state === "finished") return `/compare${formatSearch({ baseline: run, candidate: started.run_id })}`;
        if (row.state === "failed" || row.state === "cancelled" || row.state === "paused") break;
        await new Promise((done) => setTimeout(done, 1000));
      }
      return `/runs/${started.run_id}`;
    },
    onSuccess: (path) => router.history.push(path),
  });
}

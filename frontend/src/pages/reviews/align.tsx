import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import type { AlignState } from "../../api/types_reviews";
import { Badge } from "../../parts/badges";
import { BuyDialog } from "../../parts/buydialog";
import { ProblemLine } from "../../parts/confirmdialog";
import { JobProgress } from "../../parts/jobprogress";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import css from "./reviews.module.css";

/** Examples for the judge's prompt: which, what they do on kept-back reviews, and applying them where they were offered. */
export function Align({ run, state }: { run: string; state: AlignState }) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const [mayRun, mayEdit] = [useMay("run"), useMay("edit")];
  const [buying, setBuying] = useState(false);
  const [job, setJob] = useState("");
  const change = useMutation({
    mutationFn: (what: "apply" | "take-back") =>
      what === "apply"
        ? send<{ revision: number }>("POST", `/runs/${run}/alignment/apply`)
        : send<{ revision: number }>("POST", `/runs/${run}/alignment/take-back`),
    onSuccess: () => client.invalidateQueries(),
  });
  const p = state.proposal;
  const said = (s: { en: string; ja: string }) => (i18n.language === "ja" ? s.ja : s.en);
  return (
    <Card
      title={t("reviews.align")}
      aside={state.applied ? <Badge tone="better">{t("reviews.applied", { experiment: state.experiment })}</Badge> : undefined}
    >
      <div className="stack">
        <p className="soft">{t(state.reads ? "reviews.alignText" : "reviews.unread")}</p>
        <p>
          {t("reviews.halves", { first: p.first, differs: p.differs, kept: p.kept })}{" "}
          {p.long + p.personal > 0 && t("reviews.leftOut", { long: p.long, personal: p.personal })}
        </p>
        {state.tested && (
          <div className={css.tested} data-decision={state.tested.decision}>
            <p>{said(state.says)}</p>
            {said(state.rates) && <p className="soft">{said(state.rates)}</p>}
          </div>
        )}
        {p.examples.length > 0 && <Examples state={state} />}
        <JobProgress id={job} />
        <div className="row no-print">
          {mayRun && p.examples.length > 0 && p.kept > 0 && (
            <Button variant={state.tested ? "default" : "filled"} onClick={() => setBuying(true)}>
              {t("reviews.testOpen")}
            </Button>
          )}
          {mayEdit && state.offered && !state.applied && (
            <Button loading={change.isPending} onClick={() => change.mutate("apply")}>
              {t("reviews.apply", { experiment: state.experiment })}
            </Button>
          )}
          {mayEdit && state.applied && (
            <Button variant="default" loading={change.isPending} onClick={() => change.mutate("take-back")}>
              {t("reviews.takeBack")}
            </Button>
          )}
        </div>
        {change.error && <ProblemLine error={change.error} />}
        <BuyDialog
          opened={buying}
          title={t("reviews.test")}
          text={t("reviews.testText", { n: p.kept })}
          action={t("reviews.testAction")}
          path={`/runs/${run}/alignment`}
          body={{}}
          onClose={() => setBuying(false)}
          onStarted={setJob}
        />
      </div>
    </Card>
  );
}

function Examples({ state }: { state: AlignState }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <details>
      <summary>{t("reviews.examples", { n: state.proposal.examples.length })}</summary>
      <div className={css.wide}>
        <table className={css.table} aria-label={t("reviews.align")}>
          <thead>
            <tr>
              {(["question", "answer", "reference", "people", "judge"] as const).map((h) => (
                <th key={h} scope="col">
                  {t(`reviews.${h}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {state.proposal.examples.map((x) => (
              <tr key={x.question_id}>
                <td>{x.question}</td>
                <td>{x.answer}</td>
                <td>{x.reference}</td>
                <td>{words.word("review_verdict", x.accepted ? "correct" : "incorrect")}</td>
                <td>{t(x.differs ? "reviews.contrary" : "reviews.same")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

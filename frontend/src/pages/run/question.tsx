import { Switch } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { AnswerDetail, Past } from "../../api/types";
import { AnswerText } from "../../parts/answer/answertext";
import { Contexts } from "../../parts/answer/contexts";
import { Evidence } from "../../parts/answer/evidence";
import { Rationale } from "../../parts/answer/rationale";
import { Scores } from "../../parts/answer/scores";
import { Section } from "../../parts/answer/section";
import { AnswerDiff } from "../../parts/answerdiff";
import { Badge, OfflineBadge, ScoreBadge } from "../../parts/badges";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { CopyLink } from "../../parts/tools";
import { PageLink } from "../../parts/pagelink";
import { runTitle } from "../../parts/runwords";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { SidePanel } from "../../parts/sidepanel";
import { useWords } from "../../parts/words";
import { ReviewForm } from "../agreement/reviewform";
import css from "./run.module.css";

interface QuestionPanelProps {
  run: string;
  question: string;
  /** The run whose answer is put beside it; "" for none. */
  baseline: string;
  place: string;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/** Everything about one question of a run, beside the list it was opened from. */
export function QuestionPanel({ run, question, baseline, ...rest }: QuestionPanelProps) {
  const { t } = useTranslation();
  const query = useGet<AnswerDetail>(`/runs/${run}/questions/${encodeURIComponent(question)}`, { baseline });
  return (
    <SidePanel
      {...rest}
      label={t("question.panel", { id: question })}
      title={<Title id={question} detail={query.data} />}
      actions={
        <>
          <SendToNotebook brief cells={[{ type: "question", body: `of: run:${run}\nid: ${JSON.stringify(question)}\n` }]} />
          <CopyLink />
        </>
      }
    >
      <Await query={query}>{(detail) => <Question key={question} detail={detail} />}</Await>
    </SidePanel>
  );
}

function Title({ id, detail }: { id: string; detail: AnswerDetail | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="row" style={{ gap: 8 }}>
        <span className="soft mono">{id}</span>
        {detail?.question.critical && <Badge tone="worse">{t("question.critical")}</Badge>}
        {detail?.question.answerable === false && <Badge>{t("question.unanswerable")}</Badge>}
        {detail?.offline && <OfflineBadge />}
      </div>
      <div className={css.panelTitle} lang={detail?.question.lang}>
        {detail?.question.question}
      </div>
    </>
  );
}

function Question({ detail }: { detail: AnswerDetail }) {
  const { t } = useTranslation();
  const [beside, setBeside] = useState(false);
  const { question, baseline } = detail;
  return (
    <div lang={question.lang}>
      <Section title={t("question.reference")}>
        <p className="text">{question.reference || <span className="soft">{t("question.noReference")}</span>}</p>
      </Section>
      <Section title={t("question.answer")}>
        {baseline && (
          <Switch
            size="xs"
            className="no-print"
            label={t("question.beside")}
            checked={beside}
            onChange={(e) => setBeside(e.currentTarget.checked)}
          />
        )}
        {beside && baseline ? (
          <AnswerDiff
            title={t("diff.answers")}
            before={baseline.result.answer?.text ?? ""}
            after={detail.result.answer?.text ?? ""}
            language={question.lang}
          />
        ) : (
          <AnswerText detail={detail} />
        )}
      </Section>
      {detail.diagnosis && (
        <Section title={t("question.cause")}>
          <Rationale diagnosis={detail.diagnosis} />
        </Section>
      )}
      <Section title={t("question.evidence")}>
        <Evidence after={detail} sameCorpus />
      </Section>
      <Section title={t("question.scores")}>
        <Scores after={detail} before={beside ? baseline : null} />
      </Section>
      <Section title={t("question.contexts", { n: detail.contexts.length })}>
        <Contexts detail={detail} />
      </Section>
      <Section title={t("agreement.reviews")}>
        <ReviewForm run={detail.run_id} question={question.question_id} />
      </Section>
      {detail.votes.length > 1 && (
        <Section title={t("question.votes", { n: detail.votes.length })}>
          <Votes detail={detail} />
        </Section>
      )}
      <History run={detail.run_id} question={question.question_id} />
      {detail.labels && (
        <Section title={t("question.labels")}>
          <QuestionLabelLine labels={detail.labels} theme={detail.theme_name} />
        </Section>
      )}
      {question.tags && question.tags.length > 0 && (
        <Section title={t("question.tags")}>
          <div className="row" style={{ gap: 6 }}>
            {question.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </div>
        </Section>
      )}
    </div>
  );
}

/** What the question analysis says of the question. */
function QuestionLabelLine({ labels, theme }: { labels: NonNullable<AnswerDetail["labels"]>; theme: AnswerDetail["theme_name"] }) {
  const words = useWords();
  return (
    <div className="row" style={{ gap: 6 }}>
      <Badge tone="accent">{words.category(labels.category)}</Badge>
      <Badge>{words.theme(labels.theme, theme)}</Badge>
      <span className="soft small">{labels.keywords.join(" · ")}</span>
    </div>
  );
}

/** Every vote on the question: how far repetitions agree. */
function Votes({ detail }: { detail: AnswerDetail }) {
  const value = (vote: AnswerDetail["result"], metric: string) =>
    vote.scores.find((s) => s.metric === metric && s.state === "scored")?.value;
  return (
    <ol>
      {detail.votes.map((vote) => (
        <li key={vote.replicate}>
          <ScoreBadge value={value(vote, "correctness")} /> · <ScoreBadge value={value(vote, "trust")} />
          <div className="text soft small">{vote.answer?.text}</div>
        </li>
      ))}
    </ol>
  );
}

/** What other runs said to the same question. */
function History({ run, question }: { run: string; question: string }) {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  const past = useGet<{ items: Past[] }>(`/runs/${run}/questions/${encodeURIComponent(question)}/history`).data?.items ?? [];
  if (past.length < 2) return null;
  return (
    <Section title={t("question.history")}>
      <table className={css.history} aria-label={t("question.history")}>
        <thead>
          <tr>
            <th scope="col">{t("question.when")}</th>
            <th scope="col">{t("question.run")}</th>
            <th scope="col">{words.metric("correctness")}</th>
            <th scope="col">{words.metric("trust")}</th>
            <th scope="col">{t("question.answer")}</th>
          </tr>
        </thead>
        <tbody>
          {past.map((p) => (
            <tr key={p.run.run_id}>
              <td className="small figures">{format.brief(p.run.created_at)}</td>
              <td>
                <PageLink to={`/runs/${p.run.run_id}`}>{runTitle(p.run)}</PageLink>
              </td>
              <td className="figures">{format.score(p.correctness)}</td>
              <td className="figures">{format.score(p.trust)}</td>
              <td className="small">
                {p.same ? <span className="soft">{t("question.sameAnswer")}</span> : <span className={css.brief}>{p.answer}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

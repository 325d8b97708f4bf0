import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { ChangeDetail, ComparisonView } from "../../api/types";
import { AnswerText } from "../../parts/answer/answertext";
import { Evidence } from "../../parts/answer/evidence";
import { Rationale } from "../../parts/answer/rationale";
import { Scores } from "../../parts/answer/scores";
import { Section } from "../../parts/answer/section";
import { AnswerDiff } from "../../parts/answerdiff";
import { Badge, OfflineBadge } from "../../parts/badges";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { LabelBadge } from "../../parts/labelbadge";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { SidePanel } from "../../parts/sidepanel";
import { CopyLink } from "../../parts/tools";
import { useWords } from "../../parts/words";
import { Remark, VotesOf } from "./changes";
import { ContextChanges } from "./contextchanges";
import css from "./compare.module.css";

interface ChangePanelProps {
  comparison: ComparisonView;
  question: string;
  place: string;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/** One question in both runs: why it changed, evidence, answers, scores and contexts. */
export function ChangePanel({ comparison: c, question, ...rest }: ChangePanelProps) {
  const { t } = useTranslation();
  const query = useGet<ChangeDetail>(`/comparisons/questions/${encodeURIComponent(question)}`, {
    baseline: c.baseline.run_id,
    candidate: c.candidate.run_id,
  });
  const row = query.data?.row;
  return (
    <SidePanel
      {...rest}
      label={t("question.panel", { id: question })}
      actions={
        <>
          <SendToNotebook brief cells={[{ type: "question", body: `of: run:${c.candidate.run_id}\nid: ${JSON.stringify(question)}\n` }]} />
          <CopyLink />
        </>
      }
      title={
        <>
          <div className="row" style={{ gap: 8 }}>
            {row?.label ? <LabelBadge label={row.label} /> : row && <Badge>{t(`match.${row.match}`)}</Badge>}
            <span className="soft mono">{question}</span>
            {row?.critical && <Badge tone="worse">{t("question.critical")}</Badge>}
            {(c.baseline.offline || c.candidate.offline) && <OfflineBadge />}
          </div>
          <div className={css.panelTitle}>{row?.question}</div>
          {row && <Remark row={row} />}
        </>
      }
    >
      <Await query={query}>
        {(detail) => <Change key={question} detail={detail} sameCorpus={c.baseline.corpus.digest === c.candidate.corpus.digest} />}
      </Await>
    </SidePanel>
  );
}

function Change({ detail, sameCorpus }: { detail: ChangeDetail; sameCorpus: boolean }) {
  const { t } = useTranslation();
  const { before, after } = detail;
  const one = after ?? before;
  if (!one) return null;
  const { question } = one;
  return (
    <div lang={question.lang}>
      {detail.why && (
        <Section title={t("compare.why")}>
          <Why detail={detail} />
        </Section>
      )}
      <Section title={t("question.reference")}>
        <p className="text">{question.reference || <span className="soft">{t("question.noReference")}</span>}</p>
      </Section>
      <Section title={t("question.evidence")}>
        <Evidence after={one} before={after ? before : null} sameCorpus={sameCorpus} />
      </Section>
      {before && after ? (
        <Section title={t("question.answer")}>
          {detail.row.same_answer ? (
            <>
              <p className="soft">{t("compare.sameAnswer")}</p>
              <AnswerText detail={after} />
            </>
          ) : (
            <AnswerDiff
              title={t("diff.answers")}
              before={before.result.answer?.text ?? ""}
              after={after.result.answer?.text ?? ""}
              language={question.lang}
            />
          )}
        </Section>
      ) : (
        <Section title={after ? t("compare.onlyAfter") : t("compare.onlyBefore")}>
          <AnswerText detail={one} />
        </Section>
      )}
      <Causes detail={detail} />
      <Section title={t("question.scores")}>
        <VotesOf row={detail.row} />
        <Scores after={one} before={after ? before : null} changes={detail.changes ?? []} />
      </Section>
      {before && after && (
        <Section title={t("compare.contexts")}>
          <ContextChanges detail={detail} />
        </Section>
      )}
    </div>
  );
}

/** The mechanical reason of the change, with the share of the evidence that the contexts hold. */
function Why({ detail }: { detail: ChangeDetail }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const { why } = detail;
  if (!why) return null;
  return (
    <div className={css.why}>
      <strong>{(i18n.language === "ja" ? detail.why_ja : detail.why_en) ?? words.class(why.class)}</strong>
      {why.facts.covered && (
        <span>{t("compare.covered", { before: format.share(why.facts.covered[0]), after: format.share(why.facts.covered[1]) })}</span>
      )}
      {why.facts.truncated && <span>{t("answer.cut")}</span>}
      {detail.row.detail && detail.row.metric && (
        <span className="soft small">
          {words.metric(detail.row.metric)}: {words.detail(detail.row.detail)}
        </span>
      )}
    </div>
  );
}

function Causes({ detail: { before, after } }: { detail: ChangeDetail }) {
  const { t } = useTranslation();
  if (!before?.diagnosis && !after?.diagnosis) return null;
  return (
    <Section title={t("compare.causes")}>
      {before?.diagnosis && (
        <div>
          <span className="soft small">{t("words.before")}</span>
          <Rationale diagnosis={before.diagnosis} />
        </div>
      )}
      {after?.diagnosis && (
        <div>
          <span className="soft small">{t("words.after")}</span>
          <Rationale diagnosis={after.diagnosis} />
        </div>
      )}
    </Section>
  );
}

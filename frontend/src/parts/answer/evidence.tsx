import { useTranslation } from "react-i18next";
import type { AnswerDetail, Span } from "../../api/types";
import { Badge } from "../badges";
import { Icon } from "../icon";
import css from "./answer.module.css";

/** The share of a piece of evidence that the contexts hold. Nothing is known where the run has no such contexts. */
export function held(evidence: Span, contexts: Span[]): number {
  const covered = new Set<number>();
  for (const c of contexts) {
    if (c.doc_id !== evidence.doc_id) continue;
    for (let i = Math.max(c.start, evidence.start); i < Math.min(c.end, evidence.end); i++) covered.add(i);
  }
  return evidence.end > evidence.start ? covered.size / (evidence.end - evidence.start) : 0;
}

/** The marked evidence of a question, and whether the contexts hold it: before and after, where there are two. */
export function Evidence({
  after,
  before,
  sameCorpus,
}: {
  after: AnswerDetail;
  before?: AnswerDetail | null | undefined;
  sameCorpus: boolean;
}) {
  const { t } = useTranslation();
  const evidence = after.question.evidence ?? [];
  if (evidence.length === 0) return <p className="soft small">{t("answer.noEvidence")}</p>;
  return (
    <ul className={css.evidence}>
      {evidence.map((e) => (
        <li key={`${e.doc_id}:${e.start}`}>
          <blockquote className="text">{e.quote}</blockquote>
          <div className="row small" style={{ gap: 8 }}>
            <span className="soft mono">{e.doc_id}</span>
            {before && sameCorpus && <Found word={t("words.before")} share={held(e, before.contexts)} />}
            {sameCorpus && <Found word={before ? t("words.after") : ""} share={held(e, after.contexts)} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Found({ word, share }: { word: string; share: number }) {
  const { t } = useTranslation();
  const state = share >= 0.999 ? "found" : share > 0 ? "part" : "missing";
  return (
    <Badge tone={state === "found" ? "better" : state === "part" ? "needs_check" : "worse"}>
      <Icon name={state === "found" ? "better" : state === "part" ? "check" : "close"} size={10} />
      {word} {state === "found" ? t("evidence.found") : state === "part" ? t("evidence.part") : t("evidence.missing")}
    </Badge>
  );
}

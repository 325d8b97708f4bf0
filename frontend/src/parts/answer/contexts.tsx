import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AnswerDetail, ContextDetail } from "../../api/types";
import { Badge } from "../badges";
import { useFormat } from "../format";
import { MarkedText, MarkLegend, type Range } from "../markedtext";
import css from "./answer.module.css";

/** The retrieved contexts in their order, with the words that the judge rests on and the marked evidence. */
export function Contexts({ detail }: { detail: AnswerDetail }) {
  const { t } = useTranslation();
  if (detail.contexts.length === 0) return <p className="soft">{t("answer.noContexts")}</p>;
  const kinds = [
    ...(detail.contexts.some((c) => c.evidence.length) ? (["evidence"] as const) : []),
    ...(detail.contexts.some((c) => c.marks.length) ? (["quote"] as const) : []),
  ];
  return (
    <div className="stack" style={{ gap: 8 }}>
      <MarkLegend kinds={kinds} words={(kind) => t(kind === "evidence" ? "answer.evidence" : "answer.quote")} />
      {detail.contexts.map((context) => (
        <Context key={context.rank} context={context} />
      ))}
    </div>
  );
}

function Context({ context }: { context: ContextDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(context.evidence.length > 0 || context.rank === 1);
  const ranges: Range[] = [
    ...context.evidence.map((m) => ({ start: m.start, end: m.end, kind: "evidence" as const, title: t("answer.evidence") })),
    ...context.marks.map((m) => ({
      start: m.start,
      end: m.end,
      kind: m.verdict === "contradicted" ? ("conflict" as const) : ("quote" as const),
      title: t(m.of === "reference" ? "answer.quoteReference" : "answer.quoteAnswer", { n: m.claim }),
    })),
  ];
  return (
    <details className={css.context} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        <span className={css.rank}>{context.rank}</span>
        <span className="clip">{context.title || context.doc_id}</span>
        {context.evidence.length > 0 && <Badge tone="accent">{t("answer.holdsEvidence")}</Badge>}
        <span className="soft small figures">{t("answer.similarity", { score: format.mean(context.score) })}</span>
      </summary>
      {open && (
        <>
          <p className="soft small mono">
            {context.doc_id} {context.end > context.start ? `[${context.start}–${context.end}]` : t("answer.placeUnknown")}
          </p>
          <MarkedText text={context.text} ranges={ranges} />
        </>
      )}
    </details>
  );
}

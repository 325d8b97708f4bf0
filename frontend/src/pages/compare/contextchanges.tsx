import { useTranslation } from "react-i18next";
import type { ChangeDetail, ContextPiece, Span } from "../../api/types";
import { Badge } from "../../parts/badges";
import { MarkedText, MarkLegend, type Range } from "../../parts/markedtext";
import css from "./compare.module.css";

/** How the retrieved contexts changed, in pieces: lost and gained first, because they explain; kept pieces last. */
export function ContextChanges({ detail }: { detail: ChangeDetail }) {
  const { t } = useTranslation();
  const { contexts } = detail;
  const evidence = detail.after?.question.evidence ?? detail.before?.question.evidence ?? [];
  const groups = [
    { name: t("contexts.lost"), pieces: contexts.lost, tone: "worse", open: true },
    { name: t("contexts.gained"), pieces: contexts.gained, tone: "better", open: true },
    { name: t("contexts.moved"), pieces: contexts.moved, tone: "needs_check", open: false },
    { name: t("contexts.kept"), pieces: contexts.kept, tone: "neutral", open: false },
  ] as const;
  const some = groups.filter((g) => g.pieces?.length > 0);
  if (some.length === 0) return <p className="soft">{t("answer.noContexts")}</p>;
  return (
    <div className="stack" style={{ gap: 8 }}>
      {evidence.length > 0 && <MarkLegend kinds={["evidence"]} words={() => t("answer.evidence")} />}
      {some.map((g) => (
        <details key={g.name} open={g.open} className={css.pieces}>
          <summary>
            <Badge tone={g.tone}>{g.name}</Badge> <span className="soft small">{t("contexts.pieces", { count: g.pieces.length })}</span>
          </summary>
          {g.pieces.map((p, i) => (
            <Piece
              key={`${p.doc_id}:${p.start}:${p.end}:${p.text ? i : ""}`}
              piece={p}
              text={p.text ?? detail.pieces[`${p.doc_id}[${p.start}:${p.end}]`] ?? ""}
              evidence={evidence}
            />
          ))}
        </details>
      ))}
    </div>
  );
}

function Piece({ piece, text, evidence }: { piece: ContextPiece; text: string; evidence: Span[] }) {
  const { t } = useTranslation();
  const ranges: Range[] = evidence
    .filter((e) => e.doc_id === piece.doc_id && e.start < piece.end && e.end > piece.start)
    .map((e) => ({ start: e.start - piece.start, end: e.end - piece.start, kind: "evidence", title: t("answer.evidence") }));
  const ranks = [
    piece.rank_before ? t("contexts.rankBefore", { rank: piece.rank_before }) : "",
    piece.rank_after ? t("contexts.rankAfter", { rank: piece.rank_after }) : "",
  ].filter(Boolean);
  return (
    <div className={css.piece}>
      <p className="soft small">
        <span className="mono">
          {piece.doc_id} {piece.end > piece.start ? `[${piece.start}–${piece.end}]` : t("answer.placeUnknown")}
        </span>{" "}
        {ranks.join(" → ")}
      </p>
      <MarkedText text={text} ranges={ranges} />
    </div>
  );
}

import { useTranslation } from "react-i18next";
import type { AnswerDetail } from "../../api/types";
import { MarkedText, MarkLegend, type Range } from "../markedtext";
import css from "./answer.module.css";

/** An answer with what no context supports, and what contradicts the reference, marked in it. */
export function AnswerText({ detail }: { detail: AnswerDetail }) {
  const { t } = useTranslation();
  const { answer, failure } = detail.result;
  if (failure) {
    return (
      <p role="alert" className={css.failure}>
        {t("answer.failed", { cause: t(`failure.${failure.cause}`, { defaultValue: failure.cause }) })}
      </p>
    );
  }
  if (!answer) return <p className="soft">{t("answer.pending")}</p>;
  const ranges: Range[] = detail.claims.flatMap((claim): Range[] => {
    if (!claim.place) return [];
    const { start, end } = claim.place;
    if (claim.reference === "contradicted") return [{ start, end, kind: "conflict", title: t("answer.conflict") }];
    return claim.supported ? [] : [{ start, end, kind: "unsupported", title: t("answer.unsupported") }];
  });
  const unplaced = detail.claims.filter((c) => !c.place && !c.supported);
  const kinds = [...new Set(ranges.map((r) => r.kind))];
  return (
    <div className="stack" style={{ gap: 6 }}>
      <MarkedText text={answer.text} ranges={ranges} />
      {answer.finish_reason === "length" && <p className={css.failure}>{t("answer.cut")}</p>}
      {kinds.length > 0 && <MarkLegend kinds={kinds} words={(kind) => t(kind === "conflict" ? "answer.conflict" : "answer.unsupported")} />}
      {unplaced.length > 0 && (
        <div className="small">
          <span className="soft">{t("answer.unplaced")}</span>
          <ul className={css.list}>
            {unplaced.map((c) => (
              <li key={c.number}>{c.text}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

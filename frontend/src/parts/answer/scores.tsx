import { useTranslation } from "react-i18next";
import type { AnswerDetail, ChangeDetail, Score } from "../../api/types";
import { absent, useFormat } from "../format";
import { DeltaBadge, LowerIsBetter, ScoreBadge } from "../badges";
import { useWords, type Words } from "../words";
import css from "./answer.module.css";

/**
 * Every score of an answer with its reason, and the baseline's beside it where there is one. What a comparison calls a change is in
 * "changes"; a score that is not there did not change, and without it nothing was compared.
 */
export function Scores({
  after,
  before,
  changes,
}: {
  after: AnswerDetail;
  before?: AnswerDetail | null | undefined;
  changes?: ChangeDetail["changes"];
}) {
  const { t } = useTranslation();
  const words = useWords();
  const was = new Map(before?.result.scores.map((s) => [s.metric, s]));
  return (
    <table className={css.scores} aria-label={t("question.scores")}>
      <thead>
        <tr>
          <th scope="col">{t("answer.metric")}</th>
          {before && <th scope="col">{t("words.before")}</th>}
          <th scope="col">{before ? t("words.after") : t("answer.score")}</th>
          {before && <th scope="col">{t("answer.change")}</th>}
          <th scope="col">{t("answer.reason")}</th>
        </tr>
      </thead>
      <tbody>
        {after.result.scores.map((score) => (
          <Row
            key={score.metric}
            score={score}
            was={was.get(score.metric)}
            compare={Boolean(before)}
            label={changes && (changes.find((c) => c.metric === score.metric)?.label ?? "no_change")}
            words={words}
            threshold={after.threshold}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  score,
  was,
  compare,
  label,
  words,
  threshold,
}: {
  score: Score;
  was: Score | undefined;
  compare: boolean;
  label: string | undefined;
  words: Words;
  threshold: number;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const spec = words.spec(score.metric);
  const [now, then] = [scoredValue(score), scoredValue(was)];
  const diff = now !== undefined && then !== undefined ? now - then : undefined;
  const said = (reason: string) => {
    const [found, all] = evidenceFound(score.metric, reason) ?? [];
    return found ? t("answer.evidenceFound", { found, all }) : reason;
  };
  const coded = (reason: string) => t(`reason.${reason}`, { defaultValue: reason });
  const why = score.reason && (score.state === "scored" ? said : coded)(score.reason);
  return (
    <tr>
      <th scope="row" title={words.meaning(score.metric)}>
        {words.metric(score.metric)} {spec?.lower_is_better && <LowerIsBetter />}
      </th>
      {compare && <td className="figures">{was ? <One score={was} threshold={threshold} /> : absent}</td>}
      <td className="figures">
        <One score={score} threshold={threshold} />
      </td>
      {compare && (
        <td>
          {diff !== undefined ? (
            <DeltaBadge diff={diff} said={{ label, word: label ? words.label(label) : t("delta.unjudged") }} />
          ) : (
            absent
          )}
        </td>
      )}
      <td className={`small ${css.why}`}>
        {why}
        {compare && was?.reason && was.reason !== score.reason && Number.isFinite(then) && then !== now && (
          <span className="soft">
            <br />
            {t("answer.reasonBefore", { reason: said(was.reason), score: format.score(then) })}
          </span>
        )}
      </td>
    </tr>
  );
}

/** The characters of the evidence that were found, and all of them, where the reason of a score is these two counts. */
export function evidenceFound(metric: string, reason: string): string[] | undefined {
  if (metric !== "span_coverage" && metric !== "fully_covered") return undefined;
  return /^(\d+)\/(\d+)$/.exec(reason)?.slice(1);
}

/** The value of a score; nothing where it was not scored. */
function scoredValue(score: Score | undefined): number | undefined {
  return score?.state === "scored" ? score.value : undefined;
}

/** One score of a table with reasons of its own. */
function One({ score, threshold }: { score: Score; threshold: number }) {
  const rubric = score.metric === "correctness" || score.metric === "trust";
  const value = scoredValue(score);
  return (
    <ScoreBadge
      value={value}
      unscored={value === undefined ? score.state : undefined}
      low={rubric && value !== undefined && value <= threshold}
    />
  );
}

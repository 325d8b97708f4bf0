import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { AgreementItem, Target } from "../../api/types_agreement";
import { absent, useFormat } from "../../parts/format";
import { useWords } from "../../parts/words";
import { lowScoreShare } from "./form";

/** Targets and groups in the words of the page. */
export function useAgreementNames() {
  const { t } = useTranslation();
  const words = useWords();
  const format = useFormat();
  return useMemo(() => {
    const metric = (id: string) => (id === lowScoreShare ? t("agreement.lowShare") : words.metric(id));
    const atMost = (id: string) => id === lowScoreShare || words.spec(id)?.lower_is_better === true;
    const value = (id: string, v: number | undefined) => (id === lowScoreShare ? format.share(v) : format.score(v));
    const reach = (theme: string | undefined, category: string | undefined) =>
      [theme, category && words.category(category)].filter(Boolean).join(" · ");
    const questions = (ids: string[]) =>
      ids.length <= 3
        ? t("agreement.questionIds", { ids: ids.join(", ") })
        : t("agreement.questionsMore", { ids: ids.slice(0, 3).join(", "), n: ids.length - 3 });
    return {
      metric,
      value,
      /** What a target is about: all questions where it says nothing. */
      reach: (target: Target) => reach(target.theme, target.category) || t("agreement.allQuestions"),
      target: (target: Target) => [metric(target.metric), reach(target.theme, target.category)].filter(Boolean).join(" · "),
      goal: (target: Target) => `${atMost(target.metric) ? "≤" : "≥"} ${value(target.metric, target.target)}`,
      /** Which low-score answers an item is about. */
      group: (item: AgreementItem) =>
        [
          item.component && words.cause(item.component),
          item.data && words.data(item.data),
          item.param,
          reach(item.theme, item.category),
          item.questions && item.questions.length > 0 && questions(item.questions),
        ]
          .filter(Boolean)
          .join(" · "),
      priority: (p: string | undefined) => (p ? words.word("priority", p) : absent),
    };
  }, [t, words, format]);
}

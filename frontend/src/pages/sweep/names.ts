import type { TFunction } from "i18next";
import type { Words } from "../../parts/words";

/** The name of a measure. The share of good answers is none of the catalogue: it is what a sweep is won by. */
export function metricName(words: Words, t: TFunction, id: string): string {
  return id === "good_answers" ? t("sweep.goodAnswers") : words.metric(id);
}

/** A number to two decimals, so that what would be shown as "-0.00" is a zero. */
export function tidy(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}

import { useTranslation } from "react-i18next";
import type { Label } from "../api/types";
import css from "./badges.module.css";
import { Icon, type IconName } from "./icon";
import { useWords } from "./words";

/** The five words for a question in a comparison, in the order in which people should read them. */
export const labels: readonly Label[] = ["worse", "mixed", "needs_check", "better", "no_change"];

const icons: Record<Label, IconName> = { worse: "worse", mixed: "mixed", needs_check: "check", no_change: "same", better: "better" };

/** One of the five words, with its sign. */
export function LabelBadge({ label }: { label: Label }) {
  const words = useWords();
  return (
    <span className={`${css.badge} ${css[label]}`}>
      <Icon name={icons[label]} size={11} />
      {words.label(label)}
    </span>
  );
}

/** The counts of the five words, as buttons that filter by them. */
export function LabelCounts({
  counts,
  chosen,
  onChoose,
}: {
  counts: Record<Label, number>;
  chosen: string;
  onChoose: (label: Label | "") => void;
}) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <div className={css.counts} role="group" aria-label={t("label.filter")}>
      {labels.map((label) => (
        <button
          key={label}
          type="button"
          className={`${css.count} ${css[label]}`}
          aria-pressed={chosen === label}
          onClick={() => onChoose(chosen === label ? "" : label)}
        >
          <span className={css.number}>{counts[label]}</span>
          <span className={css.word}>
            <Icon name={icons[label]} size={12} /> {words.label(label)}
          </span>
        </button>
      ))}
    </div>
  );
}

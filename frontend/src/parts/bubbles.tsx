import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Chosen, isChosen, steps } from "./bubblegrid";
import { type Choice, PlanChart } from "./chart/chart";
import type { Mark, Plan } from "./chart/plan";

/** Correctness and trust of a bubble; its key holds both. */
function squareOf(mark: Mark): [correctness: number, trust: number] {
  const [correctness = 0, trust = 0] = (mark.key ?? "").split(" ").map(Number);
  return [correctness, trust];
}

interface BubblesProps {
  plan: Plan;
  lang?: string;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}

/**
 * Answers by correctness and trust. Dragging over bubbles, a bubble, or a number of an axis filters; every one of them can be
 * reached by keyboard.
 */
export function Bubbles({ plan, lang, chosen, onChoose }: BubblesProps) {
  const { t } = useTranslation();
  const some = chosen.correctness.length + chosen.trust.length > 0;
  const own = useMemo(() => (some ? (m: Mark) => isChosen(chosen, ...squareOf(m)) : undefined), [some, chosen]);
  const axisOf = (axis: "x" | "y") => (axis === "x" ? "correctness" : "trust");
  const stepAt = (axis: "x" | "y", at: number) => (axis === "x" ? at + 1 : steps.length - at);
  const choose: Choice = {
    chosen: own,
    pick: (mark) => {
      const [c, r] = squareOf(mark);
      const only = chosen.correctness.length === 1 && chosen.trust.length === 1 && isChosen(chosen, c, r);
      onChoose(only ? { correctness: [], trust: [] } : { correctness: [c], trust: [r] });
    },
    brush: (marks) => {
      const all = marks.map(squareOf);
      const among = (at: 0 | 1) => steps.filter((s) => all.some((square) => square[at] === s));
      onChoose({ correctness: among(0), trust: among(1) });
    },
    axes: {
      name: (axis, at) => t(axis === "x" ? "bubble.column" : "bubble.row", { step: stepAt(axis, at) }),
      chosen: (axis, at) => chosen[axisOf(axis)].includes(stepAt(axis, at)),
      pick: (axis, at) => {
        const [list, step] = [chosen[axisOf(axis)], stepAt(axis, at)];
        onChoose({ ...chosen, [axisOf(axis)]: list.includes(step) ? list.filter((s) => s !== step) : [...list, step].sort() });
      },
    },
  };
  return <PlanChart plan={plan} {...(lang && { lang })} choose={choose} />;
}

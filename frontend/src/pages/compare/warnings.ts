import type { ComparisonView } from "../../api/types";

type Told = Pick<ComparisonView, "warnings">;

/** The warnings of a comparison that its sentences do not tell: how many questions were counted by a grade alone stands beside the counts. */
export function warningsBeside(c: Told): NonNullable<Told["warnings"]> {
  return (c.warnings ?? []).filter((w) => {
    const { n = 0, votes = 0 } = w.params ?? {}; // where votes decide all of them no sentence tells
    return w.code !== "warn.by_grade_alone" || Number(n) <= Number(votes);
  });
}

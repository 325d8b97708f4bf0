import type { Diagnosis } from "../../api/types";

/** How the badge of a cause names what it rests on: what was shown where that is known, else the method. Only a tested one stands out. */
export function standingOf(d: Pick<Diagnosis, "method" | "stands">) {
  const rests = d.stands || d.method;
  return {
    vocabulary: d.stands ? ("cause_standing" as const) : ("cause_method" as const),
    code: rests,
    tone: rests === "tested" ? ("accent" as const) : ("neutral" as const),
  };
}

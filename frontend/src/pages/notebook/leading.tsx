import { PlanChart } from "../../parts/chart/chart";
import type { Plan } from "../../parts/chart/plan";
import css from "./output.module.css";

/** A chart whose marks lead to the answers of a run. */
export function Leading({ plan, run, lang, brief = false }: { plan: Plan; run: string | undefined; lang?: string; brief?: boolean }) {
  const leads = (key: string) => {
    const [c, t] = key.split(" ");
    return { to: `/runs/${run}`, search: plan.mark === "bubble" ? { c, t } : { cause: key } };
  };
  return (
    <div className={css.bubbles}>
      <PlanChart plan={plan} brief={brief} {...(lang && { lang })} {...(run && { leads })} />
    </div>
  );
}

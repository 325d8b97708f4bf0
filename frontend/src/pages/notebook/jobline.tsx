import { useTranslation } from "react-i18next";
import type { NotebookJob } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { Faults } from "./cell";
import { usePrice } from "./statechip";
import css from "./notebook.module.css";

/** Work that is under way, or what stopped it. */
export function JobLine({ job }: { job: NotebookJob }) {
  const { t } = useTranslation();
  const priced = usePrice();
  if (job.state === "done") return null;
  return (
    <div className={`row ${css.job}`} role="status">
      <Badge tone={job.state === "running" ? "accent" : "needs_check"}>{t(`notebook.job.${job.state}`)}</Badge>
      {job.spend.calls > 0 && <span className="soft small">{priced.spent(job.spend)}</span>}
      {job.problem && <Faults problems={[job.problem]} />}
    </div>
  );
}

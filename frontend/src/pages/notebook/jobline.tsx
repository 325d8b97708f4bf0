import { useTranslation } from "react-i18next";
import type { NotebookJob } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { Faults } from "./cell";
import { usePrice } from "./statechip";
import css from "./notebook.module.css";

/** Work that is under way, or what stopped it; free work began without a question. */
export function JobLine({ job, free }: { job: NotebookJob; free: boolean }) {
  const { t } = useTranslation();
  const priced = usePrice();
  if (job.state === "done" && !free) return null;
  return (
    <div className={`row ${css.job}`} role="status">
      {job.state !== "done" && <Badge tone={job.state === "running" ? "accent" : "needs_check"}>{t(`notebook.job.${job.state}`)}</Badge>}
      {free && <span className="soft small">{t("notebook.startedFree")}</span>}
      {job.spend.calls > 0 && <span className="soft small">{priced.spent(job.spend)}</span>}
      {job.problem && <Faults problems={[job.problem]} />}
    </div>
  );
}

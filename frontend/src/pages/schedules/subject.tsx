import { useTranslation } from "react-i18next";
import type { ScheduleRow } from "../../api/types_schedules";
import { PageLink } from "../../parts/pagelink";

/** What a schedule runs, with a link to it. */
export function Subject({ schedule: s }: { schedule: ScheduleRow }) {
  const { t } = useTranslation();
  if (s.notebook) {
    return (
      <>
        {t("schedules.notebook")} <PageLink to={`/notebooks/${encodeURIComponent(s.notebook)}`}>{s.notebook}</PageLink>
      </>
    );
  }
  return (
    <>
      {t("schedules.experiment")} <PageLink to={`/experiments/${encodeURIComponent(s.experiment)}`}>{s.experiment}</PageLink>
    </>
  );
}

import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import type { Slot, TimetablePreview } from "../../api/types_schedules";
import { ProblemLine } from "../../parts/confirmdialog";
import { Loading } from "../../parts/faces";
import { useCronWords } from "./data";
import { faultWords } from "./fault";
import { cutAt } from "./form";
import css from "./schedules.module.css";
import { relativeApart, useClock } from "./times";

/** How long after the last key a timetable is asked after, in milliseconds. */
const pause = 350;

/** What a timetable means while it is written: words, its next ten slots, or what is wrong with it and where. */
export function Preview({ cron, zone }: { cron: string; zone: string }) {
  const { t } = useTranslation();
  const words = useCronWords()(cron);
  const [asked] = useDebouncedValue(`${zone}\n${cron}`, pause);
  const [at = "", text = ""] = asked.split("\n");
  const query = useQuery({
    queryKey: ["preview of a timetable", text, at],
    queryFn: () => send<TimetablePreview>("POST", "/schedules/preview", { cron: text, zone: at }),
    placeholderData: (before) => before,
    retry: false,
  });
  const problem = query.data?.problem;
  return (
    <section aria-label={t("schedules.preview")}>
      <h3>{t("schedules.preview")}</h3>
      <p role="status">{problem ? "" : words}</p>
      {query.error ? (
        <ProblemLine error={query.error} />
      ) : !query.data ? (
        <Loading rows={4} />
      ) : problem ? (
        <Wrong problem={problem} />
      ) : (
        <Slots slots={query.data.slots} zone={at} />
      )}
    </section>
  );
}

function Wrong({ problem }: { problem: NonNullable<TimetablePreview["problem"]> }) {
  const { t } = useTranslation();
  const { cron, field, position, reason } = (problem.params ?? {}) as { cron?: string; field?: string; position?: number; reason?: string };
  const told = reason ? { reason: faultWords(reason, (key, values) => t(`schedules.fault.${key}`, values)) } : {};
  const error = new ApiProblem(
    { code: problem.code, detail: problem.message, hint: problem.hint ?? "", params: { ...problem.params, ...told }, status: 422 },
    422,
  );
  const cut = field === "cron" && cron && position !== undefined ? cutAt(cron, position) : undefined;
  return (
    <>
      {cut && (
        <p className={css.fault}>
          {cut.before}
          <mark>
            {cut.fault || "▲"}
            <span className="hidden-text"> {t("schedules.here")}</span>
          </mark>
          {cut.after}
        </p>
      )}
      <ProblemLine error={error} />
    </>
  );
}

/** Slots to come, by the clock of their zone, and how far they are where that tells them apart. */
export function Slots({ slots, zone }: { slots: Slot[]; zone: string }) {
  const { i18n } = useTranslation();
  const clock = useClock(zone);
  const far = relativeApart(
    i18n.language,
    slots.map((s) => s.utc),
    Date.now(),
  );
  return (
    <ol className={css.slots}>
      {slots.map((s, i) => (
        <li key={s.utc}>
          <span>
            <time dateTime={s.local}>{clock.full(s.utc)}</time> <span className="soft small">{s.zone}</span>
          </span>
          {far[i] && <span className="soft small">{far[i]}</span>}
        </li>
      ))}
    </ol>
  );
}

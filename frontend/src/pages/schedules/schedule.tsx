import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { get } from "../../api/client";
import { useMay } from "../../api/me";
import type { ScheduleRow, Slot } from "../../api/types_schedules";
import { usePathPart, useUrlState } from "../../app/url";
import { Await } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Card, Facts, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { Actions } from "./actions";
import { Arrived } from "./arrived";
import { Channels } from "./channels";
import { pathOf, useBudgetWords, useCronWords, useReason, useSchedule } from "./data";
import { EditSchedule } from "./editor";
import { Fires } from "./fires";
import { hoursOf } from "./form";
import { Notices } from "./notices";
import { Slots } from "./preview";
import css from "./schedules.module.css";
import { PausedChip } from "./statechip";
import { Subject } from "./subject";
import { relative, useClock } from "./times";
import { Trend } from "./trend/trend";

/** One schedule: what it does, what became of its slots, and who was told. */
export default function SchedulePage() {
  const query = useSchedule(usePathPart("schedule"));
  return (
    <Await page query={query}>
      {(s) => <Shown key={s.name} schedule={s} />}
    </Await>
  );
}

function Shown({ schedule: s }: { schedule: ScheduleRow }) {
  const { t, i18n } = useTranslation();
  const [url, setUrl] = useUrlState(["edit"]);
  const editing = useMay("run") && url.edit !== "";
  const words = useCronWords()(s.cron);
  const reason = useReason(s.zone);
  const clock = useClock(s.zone);
  return (
    <>
      <PageHead
        title={editing ? t("schedules.editOf", { name: s.name }) : s.name}
        name={editing ? t("schedules.editOf", { name: s.name }) : s.name}
        above={<PageLink to="/schedules">{t("nav.schedules")}</PageLink>}
        below={
          <>
            <span>
              {words || <span className="mono">{s.cron}</span>} <span className="soft">({s.zone})</span>
            </span>
            {s.paused ? (
              <span className="row">
                <PausedChip /> <span>{reason(s.paused_why)}</span>
              </span>
            ) : (
              s.next_at && (
                <span className="soft">
                  {t("schedules.nextIn", { at: clock.full(s.next_at), in: relative(i18n.language, s.next_at, Date.now()) })}
                </span>
              )
            )}
          </>
        }
        actions={editing ? null : <Actions schedule={s} onEdit={() => setUrl({ edit: "1" }, { push: true })} />}
      />
      {editing ? (
        <EditSchedule schedule={s} onClose={() => setUrl({ edit: "" })} />
      ) : (
        <div className="stack">
          <Trend schedule={s.name} />
          <Fires schedule={s} />
          <div className={css.two}>
            <About schedule={s} />
            <Coming schedule={s} />
          </div>
          <Notices schedule={s} />
          <Channels />
        </div>
      )}
    </>
  );
}

function About({ schedule: s }: { schedule: ScheduleRow }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language === "ja" ? "ja" : "en";
  const format = useFormat();
  const budget = useBudgetWords(s.currency);
  const catchUp = t(`schedules.catchUps.${s.catch_up}`, { defaultValue: s.catch_up });
  return (
    <Card title={t("schedules.facts")}>
      <Facts
        facts={[
          [t("schedules.runs"), <Subject key="s" schedule={s} />],
          ...(s.recent
            ? ([
                [t("schedules.askedWhat"), t("schedules.askedLast", { count: s.recent.last, days: s.recent.days })],
                [t("schedules.askedSeed"), s.recent.seed ? <span className="mono">{s.recent.seed}</span> : t("schedules.askedNoSeed")],
                [t("schedules.traces"), <Arrived key="t" zone={s.zone} />],
              ] as [string, ReactNode][])
            : []),
          ...(s.params.length > 0
            ? [
                [
                  t("schedules.params"),
                  <span key="p" className="mono">
                    {s.params.join(" ")}
                  </span>,
                ] as [string, ReactNode],
              ]
            : []),
          [
            t("schedules.timetable"),
            <span key="c" className="mono">
              {s.cron}
            </span>,
          ],
          [t("schedules.zone"), s.zone],
          [t("schedules.outage"), s.catch_up === "skip" ? catchUp : t("schedules.within", { what: catchUp, n: hoursOf(s.window) })],
          [t("schedules.underWay"), t(`schedules.overlaps.${s.overlap}`, { defaultValue: s.overlap })],
          ...(s.limits ? [[t("schedules.check"), s.limits_said?.[language]] as [string, ReactNode]] : []),
          [t("schedules.budget"), budget(s.budget) || t("schedules.noBound")],
          [t("schedules.monthly"), budget(s.monthly) || t("schedules.noBound")],
          [t("schedules.month"), budget(s.month) || t("schedules.nothingBought")],
          [t("schedules.pauses"), s.pause_after === 0 ? t("schedules.neverPauses") : t("schedules.failures", { count: s.pause_after })],
          [t("schedules.tells"), s.notify.join(", ") || t("schedules.nobody")],
          [t("schedules.pings"), s.ping || t("schedules.noPing")],
          [t("schedules.lang"), { en: "English", ja: "日本語" }[s.lang] ?? absent],
          [t("schedules.created"), format.moment(s.created_at)],
        ]}
      />
    </Card>
  );
}

function Coming({ schedule: s }: { schedule: ScheduleRow }) {
  const { t } = useTranslation();
  const path = `${pathOf(s.name)}/next`;
  const query = useQuery({
    queryKey: [path, s.cron, s.zone, s.next_at],
    queryFn: ({ signal }) => get<{ items: Slot[] }>(path, { n: 10 }, signal),
  });
  return (
    <Card title={t("schedules.nextTen")}>
      {s.paused && <p className="soft small">{t("schedules.nextPaused")}</p>}
      <Await query={query}>{({ items }) => <Slots slots={items} zone={s.zone} />}</Await>
    </Card>
  );
}

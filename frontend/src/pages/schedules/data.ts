import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { get, send } from "../../api/client";
import type { Budget, Fire, FireRows, ScheduleRow } from "../../api/types_schedules";
import { useFormat } from "../../parts/format";
import { million } from "../../parts/runwords";
import { cronWords } from "./cronwords";
import { reasonWords } from "./reason";
import { useClock } from "./times";

/** How often what is under way is asked after, and what is not, in milliseconds. */
const [often, seldom] = [1500, 30_000];

/** Whether something is still to come of a slot. */
export function isOpen(fire: Fire | undefined): boolean {
  return fire?.state === "due" || fire?.state === "running";
}

/** All schedules, by name. They are read again while fires are under way. */
export function useSchedules() {
  return useQuery({
    queryKey: ["/schedules", {}],
    queryFn: ({ signal }) => get<{ items: ScheduleRow[] }>("/schedules", {}, signal),
    refetchInterval: (query) => (query.state.data?.items.some((s) => isOpen(s.last)) ? often : seldom),
  });
}

/** Where a schedule is in the API. */
export function pathOf(name: string): string {
  return `/schedules/${encodeURIComponent(name)}`;
}

/** One schedule, read again while a fire is under way. */
export function useSchedule(name: string) {
  return useQuery({
    queryKey: [pathOf(name), {}],
    queryFn: ({ signal }) => get<ScheduleRow>(pathOf(name), {}, signal),
    refetchInterval: (query) => (isOpen(query.state.data?.last) ? often : seldom),
  });
}

/** The fires of a schedule, newest first, read again while one is under way. */
export function useFires(name: string, limit: number) {
  return useQuery({
    queryKey: [`${pathOf(name)}/fires`, { limit }],
    queryFn: ({ signal }) => get<FireRows>(`${pathOf(name)}/fires`, { limit }, signal),
    refetchInterval: (query) => (query.state.data?.items.some(isOpen) ? often : seldom),
    placeholderData: (before) => before,
  });
}

/** Changes a schedule and reads everything again that shows it. */
export function useChange<T = unknown>(work: () => Promise<T>, then?: (answer: T) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: async (answer: T) => {
      await client.invalidateQueries({
        predicate: ({ queryKey: [path] }) => typeof path === "string" && /^\/(schedules|notices)/.test(path),
      });
      then?.(answer);
    },
  });
}

/** One of the verbs of a schedule: pause, resume, run-now. */
export function useVerb(name: string, verb: "pause" | "resume" | "run-now", then?: () => void) {
  return useChange(() => send("POST", `${pathOf(name)}/${verb}`), then);
}

/** A timetable in words of the page; "" where there are no short ones. */
export function useCronWords(): (cron: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (cron) => cronWords(cron, i18n.language, (key, values) => t(`schedules.cron.${key}`, values ?? {})),
    [t, i18n.language],
  );
}

/** Why a slot ended as it did, or a schedule is paused, in words of the page and by the clock of the zone. */
export function useReason(zone: string): (reason: string) => string {
  const { t } = useTranslation();
  const clock = useClock(zone);
  return useCallback(
    (reason) => reasonWords(reason, (key, values) => t(`schedules.why.${key}`, values), clock.brief, t("schedules.joint")),
    [t, clock],
  );
}

/** A budget or a bill in words: "" where it is neither. */
export function useBudgetWords(currency: string): (b: Budget) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (b) =>
    [b.micros && format.money(b.micros / million, currency), b.calls && t("schedules.nCalls", { count: b.calls, n: format.count(b.calls) })]
      .filter(Boolean)
      .join(" · ");
}

import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { absent } from "../../parts/format";

type When = string | undefined | null;

/** How moments are written by the clock of a time zone. */
export interface Clock {
  /** With day of the week and year. */
  full: (iso: When) => string;
  /** Without both. */
  brief: (iso: When) => string;
}

/** The clock of a zone. One that this browser does not know is told in UTC, and says so. */
export function clockOf(language: string, zone: string): Clock {
  const usual: Intl.DateTimeFormatOptions = {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
  };
  const make = (more: Intl.DateTimeFormatOptions) => {
    try {
      return new Intl.DateTimeFormat(language, { ...usual, ...more });
    } catch {
      return new Intl.DateTimeFormat(language, { ...usual, ...more, timeZone: "UTC", timeZoneName: "short" });
    }
  };
  const say = (format: Intl.DateTimeFormat) => (iso: When) => {
    const at = iso ? new Date(iso) : undefined;
    return at && !Number.isNaN(at.getTime()) ? format.format(at) : absent;
  };
  return { full: say(make({ weekday: "short", year: "numeric" })), brief: say(make({})) };
}

/** The clock of a zone in the language of the page. */
export function useClock(zone: string): Clock {
  const { i18n } = useTranslation();
  return useMemo(() => clockOf(i18n.language, zone || "UTC"), [i18n.language, zone]);
}

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 365 * 86400],
  ["month", 30 * 86400],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** How far a moment is from now, in the largest unit of which it is at least one and a half: "in 3 days". */
export function relative(language: string, iso: string, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return absent;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const [unit, size] = units.find(([, s]) => Math.abs(seconds) >= 1.5 * s) ?? (["minute", 60] as const);
  return format.format(Math.round(seconds / size), unit);
}

/** How far each of several moments is from now; empty where another moment would be told by the same words. */
export function relativeApart(language: string, moments: string[], now: number): string[] {
  const told = moments.map((iso) => relative(language, iso, now));
  return told.map((words) => (told.filter((other) => other === words).length > 1 ? "" : words));
}

/** The zone of this browser, where it says so. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

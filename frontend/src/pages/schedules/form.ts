import type { Budget, ScheduleBody, ScheduleRow } from "../../api/types_schedules";
import { asShare, inPercent, type Limits, limitsSent } from "../../parts/gatedialog";
import { million } from "../../parts/runwords";

/** A budget while it is typed: an amount of money, or a number of calls. Empty: no bound. */
export interface BudgetText {
  amount: string;
  unit: "money" | "calls";
}

/** A schedule while it is edited. */
export interface ScheduleForm {
  name: string;
  kind: "experiment" | "notebook";
  experiment: string;
  notebook: string;
  /** Of the notebook: name=value, one to a line. */
  params: string;
  /** Of the questions that users asked, so many in so many days, instead of the dataset; empty: the dataset. */
  last: string;
  days: string;
  seed: string;
  cron: string;
  zone: string;
  catchUp: string;
  overlap: string;
  /** How late a slot may be caught up, in hours. */
  window: string;
  budget: BudgetText;
  monthly: BudgetText;
  pauseAfter: string;
  /** Of the release check, the allowance in per cent; empty: the usual ones. */
  limits: Limits;
  notify: string[];
  ping: string;
  lang: string;
}

export const catchUps = ["latest", "all", "skip"] as const;
export const overlaps = ["skip", "queue", "cancel", "allow"] as const;

/** Timetables that people often want. */
export const presets = ["0 6 * * *", "0 6 * * 1-5", "0 6 * * 1", "0 6 1 * *", "0 */6 * * *"];

/** A schedule that nobody has filled in yet. */
export function emptySchedule(zone: string, lang: string): ScheduleForm {
  const none: BudgetText = { amount: "", unit: "money" };
  return {
    name: "",
    kind: "experiment",
    experiment: "",
    notebook: "",
    params: "",
    last: "",
    days: "7",
    seed: "",
    cron: "0 6 * * 1",
    zone,
    catchUp: "latest",
    overlap: "skip",
    window: "24",
    budget: none,
    monthly: none,
    pauseAfter: "3",
    limits: { min: "", margin: "", allowance: "" },
    notify: [],
    ping: "",
    lang,
  };
}

/** A schedule as the form shows it. */
export function formOf(s: ScheduleRow): ScheduleForm {
  return {
    name: s.name,
    kind: s.notebook ? "notebook" : "experiment",
    experiment: s.experiment,
    notebook: s.notebook,
    params: s.params.join("\n"),
    last: s.recent ? String(s.recent.last) : "",
    days: s.recent ? String(s.recent.days) : "7",
    seed: s.recent?.seed ?? "",
    cron: s.cron,
    zone: s.zone,
    catchUp: s.catch_up,
    overlap: s.overlap,
    window: String(hoursOf(s.window)),
    budget: budgetText(s.budget),
    monthly: budgetText(s.monthly),
    pauseAfter: String(s.pause_after),
    limits: limitsOf(s),
    notify: s.notify,
    ping: s.ping,
    lang: s.lang,
  };
}

/** The limits of a schedule's release check as people write them; empty where it goes by the usual ones. */
export function limitsOf({ limits }: Pick<ScheduleRow, "limits">): Limits {
  const { min, margin, allowance } = limits ?? {};
  return { min: (min ?? []).join(", "), margin: String(margin ?? ""), allowance: inPercent(String(allowance ?? "")) };
}

/** The schedule as it is sent: all of it, since what is left out would fall back to what is usual. */
export function bodyOf(f: ScheduleForm): ScheduleBody {
  const lines = f.params
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return {
    ...(f.kind === "experiment"
      ? { experiment: f.experiment, ...askedSent(f), ...limitsSent({ ...f.limits, allowance: asShare(f.limits.allowance) }) }
      : { notebook: f.notebook, params: lines }),
    cron: f.cron.trim(),
    zone: f.zone.trim() || "UTC",
    catch_up: f.catchUp as NonNullable<ScheduleBody["catch_up"]>,
    overlap: f.overlap as NonNullable<ScheduleBody["overlap"]>,
    window: f.window.trim() === "" ? "24h" : `${Math.round(Number(f.window) * 60)}m`,
    budget: budgetSent(f.budget),
    monthly: budgetSent(f.monthly),
    pause_after: f.pauseAfter.trim() === "" ? 3 : Number(f.pauseAfter),
    notify: f.notify,
    ping: f.ping,
    lang: f.lang as NonNullable<ScheduleBody["lang"]>,
  };
}

/** What users asked, where the schedule evaluates that. */
function askedSent(f: ScheduleForm): Pick<ScheduleBody, "last" | "days" | "seed"> {
  if (f.last.trim() === "") return {};
  return { last: Number(f.last), days: f.days.trim() === "" ? 7 : Number(f.days), ...(f.seed === "" ? {} : { seed: f.seed }) };
}

/** What keeps the form from being sent, as the name of a field; "" where nothing does. The server checks the rest. */
export function missing(f: ScheduleForm): "" | "name" | "experiment" | "notebook" | "cron" {
  if (f.name.trim() === "") return "name";
  if (f.kind === "experiment" && f.experiment === "") return "experiment";
  if (f.kind === "notebook" && f.notebook === "") return "notebook";
  return f.cron.trim() === "" ? "cron" : "";
}

/** A duration as Go writes it ("24h0m0s"), in hours. */
export function hoursOf(duration: string): number {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?$/.exec(duration);
  const [h = 0, m = 0, s = 0] = (parts ?? []).slice(1).map((p) => Number(p ?? 0));
  return Math.round((h + m / 60 + s / 3600) * 10_000) / 10_000;
}

function budgetText(b: Budget): BudgetText {
  if (b.calls) return { amount: String(b.calls), unit: "calls" };
  return { amount: b.micros ? String(b.micros / million) : "", unit: "money" };
}

/** A budget as the server reads it: 2.50, or 500calls. */
function budgetSent(b: BudgetText): string {
  const amount = b.amount.trim();
  return amount === "" ? "" : amount + (b.unit === "calls" ? "calls" : "");
}

/** A text with a fault, cut where the fault is. The place is counted in bytes, as the server does. */
export function cutAt(text: string, bytes: number): { before: string; fault: string; after: string } {
  const encoder = new TextEncoder();
  let at = 0;
  let place = 0;
  for (const letter of text) {
    if (at >= bytes) break;
    at += encoder.encode(letter).length;
    place += letter.length;
  }
  const fault = /^\S*/.exec(text.slice(place))?.[0] ?? "";
  return { before: text.slice(0, place), fault, after: text.slice(place + fault.length) };
}

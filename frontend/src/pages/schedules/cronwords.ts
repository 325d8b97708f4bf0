/** Says a text of the page: the part of a key below schedules.cron, and what is filled in. */
export type SayCron = (key: string, values?: Record<string, string | number>) => string;

/** What the words of the timetable language stand for. */
const named: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};

/** More times of a day than these are not listed. */
const mostTimes = 4;

const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const months = ["", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** A common timetable in words; "" for one that has no short ones, or that is wrong. */
export function cronWords(text: string, language: string, say: SayCron): string {
  const cron = text.trim();
  if (cron.startsWith("@every ")) return everyWords(cron.slice("@every ".length).trim(), language, say);
  const fields = (named[cron] ?? cron).split(/\s+/).map((f) => (f === "?" ? "*" : f));
  if (fields.length !== 5) return "";
  const [minute = "", hour = "", dom = "", month = "", dow = ""] = fields;
  const days = dayWords(dom, month, dow, language, say);
  const times = timeWords(minute, hour, language, say);
  if (!days || !times) return "";
  if (times.within) return dom === "*" && dow === "*" && month === "*" ? times.text : say("during", { days, times: times.text });
  return say("at", { days, times: times.text });
}

function everyWords(duration: string, language: string, say: SayCron): string {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration);
  if (!parts || duration === "") return "";
  const words = (["hour", "minute", "second"] as const).flatMap((unit, i) => {
    const n = Number(parts[i + 1] ?? 0);
    return n > 0 ? [amount(n, unit, language)] : [];
  });
  return words.length > 0 ? say("every", { duration: words.join(" ") }) : "";
}

function amount(n: number, unit: string, language: string): string {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(n);
}

function dayWords(dom: string, month: string, dow: string, language: string, say: SayCron): string {
  if (month !== "*") {
    const [m, d] = [numbers(month, 1, 12, months), numbers(dom, 1, 31)];
    if (dow !== "*" || m?.length !== 1 || d?.length !== 1) return "";
    const day = new Intl.DateTimeFormat(language, { month: "long", day: "numeric", timeZone: "UTC" });
    return say("yearly", { day: day.format(new Date(Date.UTC(2024, (m[0] as number) - 1, d[0]))) });
  }
  if (dom === "*" && dow === "*") return say("daily");
  if (dow === "*") {
    const days = numbers(dom, 1, 31);
    return days && days.length <= mostTimes ? say("monthly", { days: list(days.map(String), language) }) : "";
  }
  if (dom !== "*") return ""; // either decides: hard to say briefly
  const days = numbers(dow, 0, 6, weekdays);
  if (!days) return "";
  if (days.length === 7) return say("daily");
  if (days.join() === "1,2,3,4,5") return say("workdays");
  const name = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  const week = days.map((d) => (d + 6) % 7).sort((a, b) => a - b); // from Monday
  return say("weekly", {
    days: list(
      week.map((d) => name.format(new Date(Date.UTC(2024, 0, 1 + d)))),
      language,
    ),
  });
}

/** The times of a day. within: they stand for a stretch of the day instead of single times. */
function timeWords(minute: string, hour: string, language: string, say: SayCron): { text: string; within: boolean } | undefined {
  const step = /^\*\/(\d+)$/.exec(minute);
  if (step && hour === "*" && 60 % Number(step[1]) === 0) {
    return { text: say("every", { duration: amount(Number(step[1]), "minute", language) }), within: true };
  }
  const minutes = numbers(minute, 0, 59);
  if (!minutes || minutes.length > mostTimes) return undefined;
  const [first = 0] = minutes;
  if (hour === "*") {
    return minutes.length === 1 ? { text: say("hourly", { minute: first }), within: true } : undefined;
  }
  const hours = numbers(hour, 0, 23);
  if (!hours) return undefined;
  if (hours.length * minutes.length <= mostTimes) {
    return {
      text: list(
        hours.flatMap((h) => minutes.map((m) => time(h, m))),
        language,
      ),
      within: false,
    };
  }
  const [from = 0, next = 0] = hours;
  const even = hours.every((h, i) => h === from + i * (next - from));
  if (minutes.length !== 1 || !even) return undefined;
  const values = { from: time(from, first), to: time(hours.at(-1) ?? 0, first) };
  return { text: say("between", { ...values, duration: amount(next - from, "hour", language) }), within: true };
}

const time = (hour: number, minute: number) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

const list = (words: string[], language: string) => new Intl.ListFormat(language, { type: "conjunction" }).format(words);

/** The numbers that a field allows, in order; undefined where it is not understood. */
function numbers(field: string, from: number, to: number, words: string[] = []): number[] | undefined {
  const out = new Set<number>();
  const read = (text: string) => {
    const at = words.indexOf(text.toUpperCase());
    return at >= 0 ? at : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  };
  for (const part of field.split(",")) {
    const [range = "", step = "1"] = part.split("/");
    const [low, high] =
      range === "*" ? [from, to] : range.includes("-") ? range.split("-").map(read) : [read(range), part.includes("/") ? to : read(range)];
    const by = /^\d+$/.test(step) ? Number(step) : 0;
    if (low === undefined || high === undefined || !(low >= from && high <= to && low <= high) || by < 1) return undefined;
    for (let n = low; n <= high; n += by) out.add(n);
  }
  return [...out].sort((a, b) => a - b);
}

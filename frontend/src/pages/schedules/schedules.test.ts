import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import en from "../../locales/en.json";
import ja from "../../locales/ja.json";
import { cronWords } from "./cronwords";
import { faultWords } from "./fault";
import { bodyOf, cutAt, emptySchedule, formOf, hoursOf, missing } from "./form";
import { reasonWords } from "./reason";
import { clockOf, relative, relativeApart } from "./times";
import { failKey, newlyKey } from "./statechip";
import type { ScheduleRow } from "../../api/types_schedules";

/** Fills the words of a group in, as the pages do. */
const say =
  (words: Record<string, string>) =>
  (key: string, values: Record<string, string | number> = {}) =>
    (words[key] ?? `no words for ${key}`).replace(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? `no ${name}`));

const inEnglish = (cron: string) => cronWords(cron, "en", say(en.schedules.cron));
const inJapanese = (cron: string) => cronWords(cron, "ja", say(ja.schedules.cron));

describe("the first fire of a schedule", () => {
  it("calls nothing newly worse, and says what it is held against", () => {
    expect(newlyKey({ previous: "4f21" })).toBe("schedules.newlyWorse");
    expect(newlyKey({ previous: "" })).toBe("schedules.worseFirst");
    expect(en.schedules.worseFirst).toContain("than the baseline, no earlier evaluation");
    expect(ja.schedules.worseFirst).toContain("比較の基準より悪化");
  });
});

describe("how far the next times are", () => {
  it("is said only where no two of them are told by the same words", () => {
    const now = Date.UTC(2026, 10, 30);
    for (const language of ["en", "ja"])
      for (const days of [1, 7, 30]) {
        const slots = Array.from({ length: 10 }, (_, i) => new Date(now + (i + 1) * days * 86_400_000).toISOString());
        const told = relativeApart(language, slots, now).filter(Boolean);
        expect(new Set(told).size).toBe(told.length);
        expect(told.length).toBeGreaterThan(0);
        if (days === 1) expect(told).toHaveLength(10);
        if (days === 7) expect(told.length).toBeLessThan(10);
      }
    expect(relativeApart("en", [], now)).toEqual([]);
  });
});

describe("a gate that failed beside a count of newly worse answers", () => {
  it("says what is worse and whether it is new, in every state", () => {
    const fire = (gate: string, baseline: string, previous: string, worse: string[], newly_worse: string[]) =>
      failKey({ gate, baseline, previous, worse, newly_worse });
    for (const gate of ["PASS", "INCONCLUSIVE", ""]) expect(fire(gate, "b", "p", ["q"], [])).toBeUndefined();
    expect(fire("FAIL", "", "", [], [])).toBeUndefined();
    expect(fire("FAIL", "b", "", ["q"], ["q"])).toBe("failedFirst");
    expect(fire("FAIL", "b", "p", ["q", "r"], [])).toBe("failedStill");
    expect(fire("FAIL", "b", "p", ["q", "r"], ["r"])).toBe("failedNewly");
    for (const previous of ["", "p"]) expect(fire("FAIL", "b", previous, [], [])).toBe("failedNone");
    expect(en.schedules.failedStill_other).toContain("nothing is newly worse");
    expect(ja.schedules.failedStill_other).toContain("今回新たに悪化したものはありません");
  });
});

describe("a timetable in words", () => {
  it("says the common ones in both languages", () => {
    const told = [
      "0 6 * * *",
      "@weekly",
      "30 2 * * 1-5",
      "0 6 * * MON,THU",
      "0 0 1 * *",
      "0 0 1 1 *",
      "0 */6 * * *",
      "15 * * * *",
      "*/15 * * * *",
      "0 8-18 * * 1-5",
      "@every 12h",
      "@every 1h30m",
    ];
    expect(told.map((c) => [inEnglish(c), inJapanese(c)])).toEqual([
      ["every day at 06:00", "毎日 06:00"],
      ["every Sunday at 00:00", "毎週日曜日 00:00"],
      ["Monday to Friday at 02:30", "平日 02:30"],
      ["every Monday and Thursday at 06:00", "毎週月曜日、木曜日 06:00"],
      ["on day 1 of every month at 00:00", "毎月1日 00:00"],
      ["every year on January 1 at 00:00", "毎年1月1日 00:00"],
      ["every day at 00:00, 06:00, 12:00, and 18:00", "毎日 00:00、06:00、12:00、18:00"],
      ["every hour at minute 15", "毎時15分"],
      ["every 15 minutes", "15 分ごと"],
      ["Monday to Friday, every 1 hour from 08:00 to 18:00", "平日、08:00から18:00まで1 時間ごと"],
      ["every 12 hours", "12 時間ごと"],
      ["every 1 hour 30 minutes", "1 時間 30 分ごと"],
    ]);
  });
  it("says nothing about others, and about wrong ones", () => {
    for (const cron of [
      "",
      "0 6 * *",
      "0 25 * * *",
      "60 6 * * *",
      "0 6 13 * 5",
      "7,19 3 1-7 */2 *",
      "1-20 6 * * *",
      "@often",
      "@every",
      "@every soon",
      "TZ=UTC 0 6 * * *",
      "0 6 * * 7",
      "0 6 * * x",
      "*/7 * * * *",
    ]) {
      expect([cron, inEnglish(cron)]).toEqual([cron, ""]);
    }
  });
});

describe("why a slot ended", () => {
  const clock = clockOf("en", "Asia/Tokyo");
  const why = (reason: string, words: Record<string, string> = en.schedules.why, joint = "; ") =>
    reasonWords(reason, say(words), clock.brief, joint);
  it("is told by the clock of the schedule, part by part", () => {
    expect(why("down from 2026-11-01 20:10 UTC to 2026-11-02 07:30 UTC; a newer slot is caught up")).toBe(
      "down from Nov 2, 05:10 to Nov 2, 16:30; a newer one is caught up instead",
    );
    expect(why("340 slots from 2026-09-25 21:00 UTC to 2026-10-20 21:00 UTC: nothing was running until 2026-10-24 08:00 UTC")).toBe(
      "340 times from Sep 26, 06:00 to Oct 21, 06:00: nothing was running until Oct 24, 17:00",
    );
    expect(why("it was cancelled: the next slot came", ja.schedules.why, "；")).toBe("中止されました：次の予定時刻になりました");
    expect(why("the budget of the month is spent: 10.02 USD of 10.00 USD", ja.schedules.why)).toContain("10.00 USDのうち10.02 USD");
    expect(why("it failed 3 times in a row; the last time: no; really not")).toBe(
      "it failed 3 times in a row; the last time: no; really not",
    );
  });
  it("has words for whatever the program notes of a fire", () => {
    const sources = ["fire", "fire_judge"].map((name) =>
      readFileSync(join(import.meta.dirname, `../../../../internal/app/schedules/${name}.go`), "utf8"),
    );
    const notes = sources.flatMap((text) => [...text.matchAll(/\bnote\("([^"]+)"/g)].map((found) => found[1] ?? ""));
    // Those that begin with the causes of cells have nothing else to say.
    const own = notes
      .filter((note) => !/^%s(, and the budget was spent)?$/.test(note))
      .flatMap((note) => (note.startsWith("%s") ? [note.replace("%s", "causes"), note.replace("%s", "questions")] : [note]));
    expect(own.length).toBeGreaterThan(10);
    for (const note of own) {
      const said = note.replace("%d", "3").replace("%s", "x");
      expect(why(said, ja.schedules.why), note).not.toBe(said);
    }
  });
  it("stays as it is where others wrote it", () => {
    const asked =
      "49 questions arrived in 7 days; evaluated 48 questions as asked-asked@1; 44 of them have a right answer, the others are scored by metrics that need none";
    expect(why(asked, ja.schedules.why, "。")).toBe(
      "7日間に届いた質問は49件。48件を asked-asked@1 として評価。うち44件には正解があり、ほかは正解の要らない指標だけで評価",
    );
    for (const reason of ["", "provider x: connection refused", "a; b"]) expect(why(reason, ja.schedules.why, "; ")).toBe(reason);
  });
});

describe("what is wrong with a timetable", () => {
  const inJa = (reason: string) => faultWords(reason, say(ja.schedules.fault));
  it("is told in the language of the page, with the field and its bounds", () => {
    expect(inJa('its hour "25" is wrong: it takes numbers from 0 to 23, with * , - and /')).toBe(
      "時「25」：0〜23 の数字と * , - / で指定します",
    );
    expect(inJa('its day of week "7" is wrong: days are 0 to 6 from Sunday, or SUN to SAT')).toContain("曜日「7」");
    expect(inJa("it has 6 fields in the place of five: there is no field for seconds, and none for a year")).toBe(
      "欄が6個あります（秒や年の欄はありません）",
    );
    expect(inJa("something new")).toBe("something new");
  });
});

describe("the form of a schedule", () => {
  const row: ScheduleRow = {
    name: "w",
    experiment: "",
    notebook: "study",
    params: ["k=6"],
    cron: "0 6 * * 1",
    zone: "Asia/Tokyo",
    catch_up: "all",
    overlap: "queue",
    window: "1h30m0s",
    budget: { micros: 2_500_000 },
    monthly: { calls: 500 },
    month: {},
    pause_after: 0,
    notify: ["ops"],
    ping: "ops",
    lang: "ja",
    paused: false,
    paused_why: "",
    created_at: "",
    currency: "USD",
  };
  it("sends back what it was given", () => {
    expect(bodyOf(formOf(row))).toEqual({
      notebook: "study",
      params: ["k=6"],
      cron: "0 6 * * 1",
      zone: "Asia/Tokyo",
      catch_up: "all",
      overlap: "queue",
      window: "90m",
      budget: "2.5",
      monthly: "500calls",
      pause_after: 0,
      notify: ["ops"],
      ping: "ops",
      lang: "ja",
    });
  });
  it("sends back the limits of a release check", () => {
    const own = {
      ...row,
      experiment: "faq",
      notebook: "",
      limits: { min: ["correctness >= 4", "trust >= 4"], margin: 0.1, allowance: 0.07 },
    };
    expect(bodyOf(formOf(own))).toMatchObject({ ...own.limits, margin: "0.1" });
    expect(bodyOf(formOf({ ...own, limits: undefined }))).toMatchObject({ min: [], margin: "" });
    expect(bodyOf(formOf(row))).not.toHaveProperty("margin"); // of a notebook
  });
  it("says what is missing, and sends what is usual for what is empty", () => {
    const empty = emptySchedule("UTC", "en");
    expect([
      missing(empty),
      missing({ ...empty, name: "x" }),
      missing({ ...empty, name: "x", experiment: "e" }),
      missing({ ...empty, name: "x", kind: "notebook" }),
    ]).toEqual(["name", "experiment", "", "notebook"]);
    expect(bodyOf({ ...empty, zone: " ", window: "", pauseAfter: "" })).toMatchObject({
      zone: "UTC",
      window: "24h",
      pause_after: 3,
      budget: "",
    });
    expect([hoursOf("24h0m0s"), hoursOf("0s"), hoursOf("20m0s")]).toEqual([24, 0, 0.3333]);
  });
  it("finds a fault at its byte", () => {
    expect(cutAt("0 25 * * *", 2)).toEqual({ before: "0 ", fault: "25", after: " * * *" });
    expect(cutAt("毎日 6時", 7)).toEqual({ before: "毎日 ", fault: "6時", after: "" });
    expect(cutAt("0 6", 3)).toEqual({ before: "0 6", fault: "", after: "" });
  });
});

describe("times", () => {
  it("are those of the zone, and of UTC where there is no such zone", () => {
    expect(clockOf("en", "Asia/Tokyo").full("2026-11-15T21:00:00Z")).toBe("Mon, Nov 16, 2026, 06:00");
    expect(clockOf("en", "Mars/Olympus").brief("2026-11-15T21:00:00Z")).toBe("Nov 15, 21:00 UTC");
    expect(clockOf("en", "UTC").full("")).toBe("–");
  });
  it("are told from now", () => {
    const now = Date.parse("2026-11-15T21:00:00Z");
    const far = ["2026-11-15T21:00:20Z", "2026-11-15T22:00:00Z", "2026-11-17T21:00:00Z", "2026-11-15T20:30:00Z"];
    expect(far.map((at) => relative("en", at, now))).toEqual(["this minute", "in 60 minutes", "in 2 days", "30 minutes ago"]);
  });
});

it("is told without the program's own noun for an evaluation", () => {
  const texts: string[] = [];
  const walk = (tree: object) => {
    for (const value of Object.values(tree)) {
      if (typeof value === "string") texts.push(value);
      else walk(value as object);
    }
  };
  walk(en);
  expect(texts.filter((text) => /\bfires?\b/i.test(text))).toEqual([]);
});

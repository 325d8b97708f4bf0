/** Says a text of the page: the part of a key below schedules.fault, and what is filled in. */
export type SayFault = (key: string, values: Record<string, string>) => string;

/** The fields of a timetable as the program names them, and their keys. */
const fields: Record<string, string> = { minute: "minute", hour: "hour", "day of month": "dom", month: "month", "day of week": "dow" };

/** What the program writes about a timetable that it cannot follow. */
const known: [pattern: RegExp, key: string, values: string[]][] = [
  [/^it is (\d+) bytes long, and (\d+) are allowed$/, "long", ["n", "most"]],
  [/^it is empty$/, "empty", []],
  [/^"(.*)" is no such word; .*$/, "word", ["text"]],
  [/^"(.*)" is no duration such as .*$/, "duration", ["text"]],
  [/^(\S+) is longer than a year$/, "year", ["text"]],
  [/^it has (\d+) fields in the place of five$/, "count", ["n"]],
  [/^it has (\d+) fields in the place of five: .*$/, "six", ["n"]],
  [/^its ([a-z ]+) "(.*)" is wrong: it takes numbers from (\d+) to (\d+), .*$/, "range", ["field", "text", "from", "to"]],
  [/^its ([a-z ]+) "(.*)" is wrong: days are 0 to 6 .*$/, "days", ["field", "text"]],
  [/^its ([a-z ]+) "(.*)" is wrong: .*$/, "field", ["field", "text"]],
];

/** What is wrong with a timetable, in the language of the page; what is not known stays as the program wrote it. */
export function faultWords(reason: string, say: SayFault): string {
  for (const [pattern, key, names] of known) {
    const found = pattern.exec(reason);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? ""]));
    const field = values.field ? fields[values.field] : undefined;
    return say(key, field ? { ...values, field: say(field, {}) } : values);
  }
  return reason;
}

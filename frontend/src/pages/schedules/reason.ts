/** Says a text of the page: the part of a key below schedules.why, and what is filled in. */
export type SayWhy = (key: string, values: Record<string, string>) => string;

/** How a moment is written, from its time in ISO form. */
export type SayMoment = (iso: string) => string;

const moment = String.raw`(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?(?: UTC|Z))`;

/** What the program writes about a slot or a pause, and the words for it. A value that begins with @ is a moment, one with = a reason itself. */
const known: [pattern: RegExp, key: string, values: string[]][] = [
  [new RegExp(`^(\\d+) slots from ${moment} to ${moment}: (.*)$`), "many", ["n", "@from", "@to", "=why"]],
  [new RegExp(`^nothing was running until ${moment}$`), "idle", ["@to"]],
  [new RegExp(`^down from ${moment} to ${moment}$`), "down", ["@from", "@to"]],
  [/^a newer slot is caught up$/, "newer", []],
  [new RegExp(`^the fire of ${moment} was still (?:due|running)$`), "still", ["@at"]],
  [new RegExp(`^nothing began it until ${moment}$`), "late", ["@at"]],
  [/^the budget of the month is spent: (.+) of (.+?)( calls)?$/, "month", ["spent", "budget"]],
  [/^the schedule was removed$/, "removed", []],
  [/^it was cancelled: (.*)$/, "cancelled", ["=why"]],
  [/^the next slot came$/, "next", []],
  [/^somebody asked for another one$/, "another", []],
  [/^(\d+) questions? arrived in (\d+) days?$/, "arrived", ["n", "days"]],
  [/^(\d+) traces? with a question that was asked before or after: its newest answer counts$/, "askedTwice", ["n"]],
  [/^a sample of (\d+) of (\d+) questions?$/, "sampled", ["n", "of"]],
  [/^evaluated (\d+) questions? as (\S+)$/, "evaluated", ["n", "dataset"]],
  [/^(\d+) of them have a right answer, the others are scored by metrics that need none$/, "referenced", ["n"]],
  [/^compared with the baseline: (\d+) of (\d+) questions? that it was asked too$/, "comparedOf", ["n", "of"]],
  [/^nothing is compared: the baseline (\S+) was asked none of these questions$/, "comparedNone", ["baseline"]],
  [/^no baseline is locked: .*$/, "noBaseline", []],
  [/^(\d+) answers are still in doubt: the budget was spent$/, "doubt", ["n"]],
  [/^nothing in doubt was checked: the budget was spent$/, "unchecked", []],
  [/^the judge was not checked: the budget was spent$/, "judgeUnchecked", []],
  [/^the judge could not be checked: (.*)$/, "judgeFailed", ["why"]],
  [/^causes were not looked into: the budget was spent$/, "noCauses", []],
  [/^causes were looked into in part: the budget was spent$/, "someCauses", []],
  [/^questions were not looked into: the budget was spent$/, "noQuestions", []],
  [/^questions were looked into in part: the budget was spent$/, "someQuestions", []],
  [/^causes could not be looked into: (.*)$/, "causesFailed", ["why"]],
  [/^questions could not be looked into: (.*)$/, "questionsFailed", ["why"]],
  [/^it could not be compared with the fire before: (.*)$/, "noComparison", ["why"]],
  [/^the fire before could not be compared with the new baseline: (.*)$/, "noKnown", ["why"]],
  [/^questions with errors could not be asked again: (.*)$/, "noRetry", ["why"]],
  [/^somebody paused it$/, "person", []],
  [/^it needs what is not there: (.*)$/, "needs", ["why"]],
  [/^it failed (\d+) times in a row; the last time: (.*)$/, "failures", ["n", "why"]],
  [new RegExp(`^the clock jumped by (\\S+) to ${moment}; resume the schedule when it is right$`), "jumped", ["by", "@at"]],
];

/**
 * What the program wrote about a slot or a pause, in the language of the page, with moments by the clock of the schedule. What it took from
 * elsewhere, such as the words of a provider, stays as it is.
 */
export function reasonWords(reason: string, say: SayWhy, at: SayMoment, joint: string): string {
  const whole = known1(reason, say, at, joint);
  if (whole !== undefined) return whole;
  return reason
    .split("; ")
    .map((part) => known1(part, say, at, joint) ?? part)
    .join(joint);
}

function known1(text: string, say: SayWhy, at: SayMoment, joint: string): string | undefined {
  for (const [pattern, key, names] of known) {
    const found = pattern.exec(text);
    if (!found) continue;
    const values = names.map((name, i) => {
      const value = found[i + 1] ?? "";
      if (name.startsWith("@")) return [name.slice(1), at(iso(value))];
      return name.startsWith("=") ? [name.slice(1), reasonWords(value, say, at, joint)] : [name, value];
    });
    return say(key, Object.fromEntries(values) as Record<string, string>);
  }
  return undefined;
}

/** "2026-11-16 06:00 UTC" as a browser reads it. */
function iso(text: string): string {
  return text.replace(" UTC", "Z").replace(" ", "T");
}

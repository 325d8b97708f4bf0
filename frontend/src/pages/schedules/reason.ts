import reasons from "./reasons.json";

/** Says a text of the page: the part of a key below schedules.why, and what is filled in. */
export type SayWhy = (key: string, values: Record<string, string>) => string;

/** How a moment is written, from its time in ISO form. */
export type SayMoment = (iso: string) => string;

/**
 * What the program writes about a slot or a pause, and the words for it: a pattern, the key below schedules.why, and the names of its parts. A
 * part that begins with @ is a moment, one with = a reason itself. The command line reads the same list.
 */
const known = reasons.known.map(
  ([pattern = "", key = "", ...names]) => [new RegExp(pattern.replaceAll("{moment}", reasons.moment)), key, names] as const,
);

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

import type { Check, JudgeCard, Protocol } from "../../api/types_judges";
import type { Words } from "../../parts/words";

/** The standings, best first. What was not measured says nothing. */
export const lights = ["GREEN", "AMBER", "RED", "UNMEASURED"] as const;
export type Light = (typeof lights)[number];

/** A standing as the server names it; anything else counts as not measured. */
export function lightOf(text: string): Light {
  return (lights as readonly string[]).includes(text) ? (text as Light) : "UNMEASURED";
}

/** The protocols in the order in which people should read them. */
export const protocolOrder = ["J1", "J2", "J4", "J6", "J7"];

/** The protocols of a card, in order. */
export function protocolsOf(card: JudgeCard): Protocol[] {
  return protocolOrder.flatMap((id) => card.protocols[id] ?? []);
}

/** A figure that keeps a card from being green. */
export interface Reason {
  protocol: string;
  check: Check;
}

/** What keeps the card from being green: red figures first, then amber ones. */
export function reasonsOf(card: JudgeCard): Reason[] {
  const all = protocolsOf(card).flatMap((p) => p.checks.map((check) => ({ protocol: p.id, check })));
  return [...all.filter((r) => r.check.light === "RED"), ...all.filter((r) => r.check.light === "AMBER")];
}

/** The protocols that were not measured: they keep a card from being better than amber. */
export function unmeasured(card: JudgeCard): string[] {
  return protocolOrder.filter((id) => !card.protocols[id] || card.protocols[id].light === "UNMEASURED");
}

/** Why items were left out, in words: the check or metric that it is about, and the reason. */
export function lostText(why: string, words: Pick<Words, "word" | "metric">, ja: boolean): string {
  const [, of, reason] = /^(.+): (.+)$/.exec(why) ?? /^(\w+) of (.+)$/.exec(why) ?? [];
  if (!of || !reason) return words.word("judge_lost", why);
  const check = words.word("judge_check", of);
  const name = (check === of.replaceAll("_", " ") ? words.metric(of) : check).split(" → ")[0];
  return name + (ja ? "：" : ": ") + words.word("judge_lost", reason);
}

/** The right end of the scale that a figure is drawn on: 1 for shares, more where a shift exceeds it. */
export function reach(check: Check): number {
  return Math.max(1, check.value, check.goal, check.floor, check.high ?? 0);
}

/** Whether a level lies in a band, which is given by its ends. */
export function inBand(band: number[], level: number): boolean {
  return level >= Math.min(...band) && level <= Math.max(...band);
}

/** Whether a figure reaches its goal. One that does and is not green all the same lost too many of its items. */
export function reached(check: Check): boolean {
  return check.at_most ? check.value <= check.goal + 1e-9 : check.value >= check.goal - 1e-9;
}

import { entriesOf, setField, textOf } from "./fields";
import { blocksOf, cellText, freeName, insert } from "./text";

/** What of a run cell a second run takes over: who asks, what and how it is judged; not what is shown and spent. */
const own = ["configs", "title", "pin", "budget"];

/**
 * Writes below a diagnosis what follows from it: the repaired configuration, a run of it that asks and judges as the diagnosed one did,
 * and the comparison of both. Returns the text and the place of the first of the three; null where nothing can be written.
 */
export function withRepair(source: string, at: number, take: string): { source: string; at: number } | null {
  const blocks = blocksOf(source);
  const cause = blocks[at]?.cell;
  const of = cause ? textOf(cause.body, "of") : "";
  if (cause?.type !== "cause" || !of) return null;
  const diagnosed = blocks.find((b) => b.cell?.type === "run" && b.cell.name === of.split(".")[0])?.cell;
  const dataset = blocks.findLast((b, i) => i < at && b.cell?.type === "dataset")?.cell?.name ?? "";
  const repair = freeName(source, "repair");
  const run = freeName(source, "repaired");
  const asked = diagnosed?.body ?? `dataset: ${dataset}\n`;
  const kept = (entriesOf(asked) ?? []).map((e) => e.key).filter((key) => own.includes(key) && key !== "configs");
  const body = setField(
    kept.reduce((text, key) => setField(text, key, null), asked),
    "configs",
    `[${repair}]`,
  );
  let text = source;
  let where = at;
  let first = -1;
  for (const [type, name, written] of [
    ["repair", repair, `of: ${cause.name}\ntake: ${take}\n`],
    ["run", run, body],
    ["compare", freeName(source, "change"), `baseline: ${of}\ncandidate: ${run}\n`],
  ] as const) {
    const made = insert(text, where + 1, cellText(type, name, written));
    text = made.source;
    where = made.at;
    if (first < 0) first = where;
  }
  return { source: text, at: first };
}

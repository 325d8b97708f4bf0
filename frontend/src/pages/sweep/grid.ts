import { valueText } from "../../parts/runwords";
import type { Words } from "../../parts/words";
import type { ParetoPoint, SweepMap, SweepPoint, SweepView } from "../../api/types_sweep";

/** A swept parameter with its values as texts, in their order. */
export interface Axis {
  name: string;
  values: string[];
}

/** The values that a configuration has, by parameter. */
export function valuesOf(point: SweepPoint): Map<string, string> {
  return new Map((point.run.params ?? []).map((p) => [p.name, valueText(p.value)]));
}

/** A configuration in a few words: the values of all parameters that differ within the sweep. */
export function nameOf(point: SweepPoint, axes: Axis[], words: Pick<Words, "param" | "value">): string {
  const values = valuesOf(point);
  const telling = axes.filter((a) => a.values.length > 1);
  return (telling.length > 0 ? telling : axes)
    .map((a) => {
      const value = values.get(a.name);
      return `${words.param(a.name)} ${value === undefined ? "–" : words.value(a.name, value)}`;
    })
    .join(" · ");
}

/** The lines that a table needs so that each has one combination of values, the last parameter changing fastest. */
export function combinations(axes: Axis[]): string[][] {
  return axes.reduce<string[][]>((lines, axis) => lines.flatMap((line) => axis.values.map((v) => [...line, v])), [[]]);
}

/** The table of a sweep: which parameters run down and which across. */
export interface Layout {
  down: Axis[];
  across: Axis[];
}

/** Lays a sweep out: the parameters named run across, the others down. Without a choice the last half runs across. */
export function layout(axes: Axis[], chosen: string[]): Layout {
  const telling = axes.filter((a) => a.values.length > 1);
  const usable = telling.length > 0 ? telling : axes;
  const known = chosen.filter((name) => usable.some((a) => a.name === name));
  const across = known.length > 0 ? known : usable.slice(Math.ceil(usable.length / 2)).map((a) => a.name);
  return { down: usable.filter((a) => !across.includes(a.name)), across: usable.filter((a) => across.includes(a.name)) };
}

/** Finds the configuration of a cell. */
export function finder(points: SweepPoint[], { down, across }: Layout): (line: string[], column: string[]) => SweepPoint | undefined {
  const axes = [...down, ...across];
  const at = new Map(
    points.map((p) => {
      const values = valuesOf(p);
      return [JSON.stringify(axes.map((a) => values.get(a.name) ?? "")), p];
    }),
  );
  return (line, column) => at.get(JSON.stringify([...line, ...column]));
}

/** The measure of low scores, beside the ids of metrics. */
export const lowScores = "low_score_count";

/** The value of a configuration: a count of low scores, or the mean of a metric. Undefined where it has none. */
export function measure(point: SweepPoint, metric: string): { value: number; n: number } | undefined {
  const totals = point.run.totals;
  if (!totals) return undefined;
  if (metric === lowScores) return { value: totals.low_score_count, n: totals.questions };
  const mean = totals.scores[metric];
  return mean && mean.n > 0 ? { value: mean.mean, n: mean.n } : undefined;
}

/** What intervals allow to say of the cells of a measure: low scores are the answers that are not good. */
export function mapOf(view: SweepView, metric: string): SweepMap | undefined {
  return view.maps.find((m) => m.metric === (metric === lowScores ? "good_answers" : metric));
}

/** Where a value lies between the worst (0) and the best (1) of a table; 0.5 where all are equal. */
export function goodness(value: number, all: number[], lowerIsBetter: boolean): number {
  const low = Math.min(...all);
  const high = Math.max(...all);
  if (high === low) return 0.5;
  const share = (value - low) / (high - low);
  return lowerIsBetter ? 1 - share : share;
}

/** One step of a repair: the configuration that repairs most of what is still low, and what it breaks. */
export interface Step {
  point: SweepPoint;
  adds: number;
  breaks: number;
  /** Repaired by this configuration and the ones before it. */
  sum: number;
}

/** The configurations that together repair most low scores, each chosen for what it adds; fewer broken ones win a tie. */
export function cover(points: SweepPoint[]): Step[] {
  const steps: Step[] = [];
  const repaired = new Set<string>();
  const left = points.filter((p) => p.repaired.length > 0);
  while (left.length > 0) {
    const adds = (p: SweepPoint) => p.repaired.filter((id) => !repaired.has(id)).length;
    left.sort((a, b) => adds(b) - adds(a) || a.broken.length - b.broken.length);
    const best = left.shift() as SweepPoint;
    const n = adds(best);
    if (n === 0) break;
    for (const id of best.repaired) repaired.add(id);
    steps.push({ point: best, adds: n, breaks: best.broken.length, sum: repaired.size });
  }
  return steps;
}

/** What the configurations did to one question that some of them repair or break. */
export interface RepairRow {
  question: string;
  repaired: number;
  broken: number;
  /** By configuration, in their order: 1 repaired, -1 broken, 0 as in the baseline. */
  marks: number[];
}

/** Every question that some configuration repairs or breaks; those that few repair come first, then those that many break. */
export function repairRows(points: SweepPoint[]): RepairRow[] {
  const rows = new Map<string, RepairRow>();
  points.forEach((point, i) => {
    const mark = (ids: string[], sign: 1 | -1) => {
      for (const question of ids) {
        const row = rows.get(question) ?? { question, repaired: 0, broken: 0, marks: points.map(() => 0) };
        row.marks[i] = sign;
        row[sign === 1 ? "repaired" : "broken"]++;
        rows.set(question, row);
      }
    };
    mark(point.repaired, 1);
    mark(point.broken, -1);
  });
  return [...rows.values()].sort(
    (a, b) =>
      Number(a.repaired === 0) - Number(b.repaired === 0) ||
      a.repaired - b.repaired ||
      b.broken - a.broken ||
      a.question.localeCompare(b.question),
  );
}

/** What a configuration costs: money where every one has a price, else the size of its contexts. */
export function costOf(points: ParetoPoint[]): { money: boolean; cost: (p: ParetoPoint) => number } {
  const money = points.length > 0 && points.every((p) => typeof p.micros === "number");
  return { money, cost: (p) => (money ? (p.micros ?? 0) / 1e6 : p.context_tokens) };
}

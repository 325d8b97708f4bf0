import type { Agreement, AgreementBody, AgreementItem, Target } from "../../api/types_agreement";

/** The metric of a target that bounds the share of low-score answers. People write it in per cent. */
export const lowScoreShare = "low_score_share";

/** A target as it stands in the form. */
export interface DraftTarget {
  theme: string;
  category: string;
  metric: string;
  /** In per cent where the metric is the share of low scores. */
  target: number | "";
  owner: string;
  due: string;
  agreed_on: string;
}

/** What is done about a group, as it stands in the form. */
export interface DraftItem {
  data: string;
  component: string;
  param: string;
  theme: string;
  category: string;
  /** Ids between commas. */
  questions: string;
  action: string;
  priority: string;
  owner: string;
  due: string;
  out_of_scope: boolean;
  why: string;
}

/** An agreement that is being written. */
export interface Draft {
  low_score: number | "";
  targets: DraftTarget[];
  items: DraftItem[];
  /** Names between commas. */
  agreed_by: string;
  agreed_on: string;
  note: string;
  run: string;
}

export const newTarget: DraftTarget = { theme: "", category: "", metric: lowScoreShare, target: "", owner: "", due: "", agreed_on: "" };
export const newItem: DraftItem = {
  data: "",
  component: "",
  param: "",
  theme: "",
  category: "",
  questions: "",
  action: "",
  priority: "",
  owner: "",
  due: "",
  out_of_scope: false,
  why: "",
};

const rounded = (value: number) => Number(value.toPrecision(12));

/** The form of the next version: what was agreed before, but not by whom, when, and on which run. */
export function draftOf(a: Agreement | undefined, today: string, run: string): Draft {
  return {
    low_score: a?.low_score ?? 2,
    targets: (a?.targets ?? []).map((t) => ({
      ...newTarget,
      ...pick(t, ["theme", "category", "metric", "owner", "due", "agreed_on"]),
      target: t.metric === lowScoreShare ? rounded(t.target * 100) : t.target,
    })),
    items: (a?.items ?? []).map((i) => ({
      ...newItem,
      ...pick(i, ["data", "component", "param", "theme", "category", "action", "priority", "owner", "due", "why"]),
      questions: (i.questions ?? []).join(", "),
      out_of_scope: i.out_of_scope ?? false,
    })),
    agreed_by: "",
    agreed_on: today,
    note: "",
    run,
  };
}

function pick<T extends object, K extends keyof T>(from: T, names: K[]): Record<K, string> {
  return Object.fromEntries(names.map((n) => [n, from[n] ?? ""])) as Record<K, string>;
}

/** What stands between commas, of any language. */
export function names(text: string): string[] {
  return text
    .split(/[,、，]/)
    .map((s) => s.trim())
    .filter(Boolean);
}

/** Leaves out what is empty. */
function filled<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, v]) => v !== "" && v !== false && !(Array.isArray(v) && v.length === 0)),
  ) as Partial<T>;
}

/** The form as the server takes it. */
export function bodyOf(d: Draft, basedOn: number): AgreementBody {
  return {
    low_score: Number(d.low_score),
    targets: d.targets.map((t) => {
      const value = Number(t.target);
      return { ...filled(t), metric: t.metric, target: t.metric === lowScoreShare ? rounded(value / 100) : value };
    }),
    items: d.items.map(
      (i) => filled({ ...i, questions: names(i.questions), action: i.out_of_scope ? "" : i.action, why: i.why }) as AgreementItem,
    ),
    agreed_by: names(d.agreed_by),
    agreed_on: d.agreed_on,
    note: d.note,
    run: d.run,
    based_on: basedOn,
  };
}

/** A field that is not right, and the key of what to do about it. */
export interface Fault {
  field: string;
  key: "needName" | "needDate" | "needThreshold" | "needTarget" | "needGroup" | "needAction" | "needWhy";
}

/** Everything in the form that the server would refuse for being empty. It knows the rest. */
export function faultsOf(d: Draft): Fault[] {
  const out: Fault[] = [];
  if (d.low_score === "") out.push({ field: "low_score", key: "needThreshold" });
  d.targets.forEach((t, n) => {
    if (t.target === "") out.push({ field: `targets[${n}].target`, key: "needTarget" });
  });
  d.items.forEach((i, n) => {
    const at = `items[${n}]`;
    if (![i.data, i.component, i.param, i.theme, i.category, ...names(i.questions)].some((s) => s.trim() !== ""))
      out.push({ field: at, key: "needGroup" });
    if (i.out_of_scope ? i.why.trim() === "" : i.action.trim() === "") {
      out.push(i.out_of_scope ? { field: `${at}.why`, key: "needWhy" } : { field: `${at}.action`, key: "needAction" });
    }
  });
  if (names(d.agreed_by).length === 0) out.push({ field: "agreed_by", key: "needName" });
  if (d.agreed_on === "") out.push({ field: "agreed_on", key: "needDate" });
  return out;
}

/** One thing in which two versions differ. */
export type Change =
  | { kind: "threshold"; before: number; after: number }
  | { kind: "note"; after: string }
  | { kind: "target"; how: "added" | "removed" | "changed"; target: Target; fields: FieldChange[] }
  | { kind: "item"; how: "added" | "removed" | "changed"; item: AgreementItem; fields: FieldChange[] };

/** A field with its old and its new value. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

const targetKey = (t: Target) => JSON.stringify([t.theme ?? "", t.metric, t.category ?? ""]);
const itemKey = (i: AgreementItem) =>
  JSON.stringify([i.data ?? "", i.component ?? "", i.param ?? "", i.theme ?? "", i.category ?? "", [...(i.questions ?? [])].sort()]);

/** What changed from one version to the next. What the first version says is all new. */
export function changesOf(before: Agreement | undefined, after: Agreement): Change[] {
  const out: Change[] = [];
  if (before && before.low_score !== after.low_score) out.push({ kind: "threshold", before: before.low_score, after: after.low_score });
  for (const [how, target, fields] of matched(before?.targets ?? [], after.targets ?? [], targetKey, ["target", "owner", "due"])) {
    out.push({ kind: "target", how, target, fields });
  }
  for (const [how, item, fields] of matched(before?.items ?? [], after.items ?? [], itemKey, [
    "out_of_scope",
    "action",
    "why",
    "priority",
    "owner",
    "due",
  ])) {
    out.push({ kind: "item", how, item, fields });
  }
  if (after.note) out.push({ kind: "note", after: after.note });
  return out;
}

function matched<T extends object>(before: T[], after: T[], key: (one: T) => string, fields: (keyof T & string)[]) {
  const out: ["added" | "removed" | "changed", T, FieldChange[]][] = [];
  const old = new Map(before.map((one) => [key(one), one]));
  for (const one of after) {
    const was = old.get(key(one));
    old.delete(key(one));
    if (!was) {
      out.push(["added", one, []]);
      continue;
    }
    const changed = fields.filter((f) => (was[f] || "") !== (one[f] || "")).map((f) => ({ field: f, before: was[f], after: one[f] }));
    if (changed.length > 0) out.push(["changed", one, changed]);
  }
  for (const gone of old.values()) out.push(["removed", gone, []]);
  return out;
}

/** The filter of a run's questions for a theme: the tag of the dataset that it is counted by, else the theme of the question analysis. */
export const themeSearch = (theme: string | undefined, counted: { by?: string; tag?: string }) =>
  counted.by === "tags" ? { tag: counted.tag } : { theme };

/** The day of today where the person is. */
export function today(): string {
  const now = new Date();
  return [now.getFullYear(), String(now.getMonth() + 1).padStart(2, "0"), String(now.getDate()).padStart(2, "0")].join("-");
}

/** Whether a day, if there is one, has passed. */
export function passed(day: string | undefined, now: string): boolean {
  return day !== undefined && day < now;
}

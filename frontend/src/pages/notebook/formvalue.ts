import type { SchemaField } from "../../api/types_notebook";
import { entriesOf, isYaml, printText, setField, setPath } from "./fields";
import { parseFlow, printFlow, printScalar, type Value } from "./yamltext";

/** A body as a form shows it: the value of each field that is set; null where the field is shown as it is written. */
export function formOf(body: string): Map<string, Value | null> | null {
  const entries = isYaml(body) ? entriesOf(body) : null;
  return entries ? new Map(entries.map((e) => [e.key, e.value])) : null;
}

/** How a field is shown. */
export type Shape = "text" | "long" | "list" | "group" | "words" | "raw";

/** How a field with a value is shown: as one text, as names in a row, as fields of its own, in two languages, or as written. */
export function shapeOf(field: SchemaField, value: Value | null | undefined): Shape {
  if (value === null) return "raw";
  const inside = value?.kind === "list" ? value.items : value?.kind === "map" ? value.entries.map(([, v]) => v) : [];
  if (field.type === "words") return value?.kind === "list" ? "raw" : "words";
  if (field.type === "list" || field.type === "refs") {
    return value?.kind === "map" || inside.some((v) => v.kind !== "scalar") ? "raw" : "list";
  }
  if (field.type === "mapping" || field.type === "mode") {
    if (value?.kind === "list") return "raw";
    if (value?.kind === "scalar" && value.text !== "") return "text";
    return "group";
  }
  return value && value.kind !== "scalar" ? "raw" : "text";
}

/** What a field of one text shows. */
export function shownText(value: Value | null | undefined): string {
  if (!value) return "";
  if (value.kind === "scalar") return value.text;
  return value.kind === "list" ? value.items.map((v) => (v.kind === "scalar" ? v.text : printFlow(v))).join(", ") : printFlow(value);
}

/** Whether a field's numbers and words are texts to the notebook, so that YAML must not read them as something else. */
const asText = (field: SchemaField) => field.type === "text" || field.type === "words";

/** Writes one text into a field; empty takes it out. */
export function writeText(body: string, field: SchemaField, text: string): string {
  return setField(body, field.name, text === "" ? null : printText(text, asText(field) && field.name !== "source"));
}

/** Writes names that commas part. */
export function writeList(body: string, field: SchemaField, text: string): string {
  const items = text.split(/[,、]/).map((s) => s.trim());
  const named = items.filter(Boolean);
  if (named.length === 0) return setField(body, field.name, null);
  if (named.length === 1) return setField(body, field.name, printScalar(named[0] ?? ""));
  return setField(body, field.name, `[${named.map((s) => printScalar(s)).join(", ")}]`);
}

/** Writes one name of a mapping, which may be below others. What is typed is YAML: [400, 800] is a list. */
export function writeInside(body: string, path: string[], text: string): string {
  return setPath(body, path, text === "" ? null : parseFlow(text) ? text : JSON.stringify(text));
}

/** Writes one language of a heading. */
export function writeWords(body: string, field: SchemaField, now: { en: string; ja: string }): string {
  if (!now.en && !now.ja) return setField(body, field.name, null);
  const entries = (["en", "ja"] as const).filter((l) => now[l]);
  const parts = entries.map((l) => `${l}: ${printInFlow(now[l])}`);
  return setField(body, field.name, `{${parts.join(", ")}}`);
}

const printInFlow = (text: string) => printScalar(text, true);

/** The two languages of a heading; a single text stands for both. */
export function wordsOf(value: Value | null | undefined): { en: string; ja: string } {
  if (value?.kind === "scalar") return { en: value.text, ja: value.text };
  const get = (lang: string) => (value?.kind === "map" ? shownText(value.entries.find(([k]) => k === lang)?.[1]) : "");
  return { en: get("en"), ja: get("ja") };
}

import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../api/queries";
import type { Catalogue, CatalogueMetric } from "../api/types";

/** A code with its name. */
export interface Word {
  code: string;
  name: string;
}

/** The names of metrics, causes and classes in the language of the page. The server knows them all. */
export interface Words {
  metric: (id: string) => string;
  meaning: (id: string) => string;
  spec: (id: string) => CatalogueMetric | undefined;
  metrics: CatalogueMetric[];
  suites: { name: string; metrics: string[] }[];
  class: (code: string) => string;
  detail: (code: string) => string;
  cause: (code: string) => string;
  data: (code: string) => string;
  category: (code: string) => string;
  /** How low-score answers fail, and which of their scores are low, in the order of every table. */
  patterns: Word[];
  corners: Word[];
  chunkUnit: (code: string) => string;
  /** What chunk.by can be, the usual one first, and a size that each begins with. */
  chunkUnits: string[];
  usualSize: (unit: string) => number;
  /** What became of a question in a comparison, in one word. */
  label: (code: string) => string;
  /** A code of one of the small vocabularies that the catalogue names. */
  word: (
    vocabulary:
      | "answer_kind"
      | "cause_method"
      | "cause_standing"
      | "judge_check"
      | "judge_lost"
      | "judge_light"
      | "judge_light_says"
      | "review_verdict"
      | "priority"
      | "notebook_state",
    code: string,
  ) => string;
  /** A parameter of a setup, such as retrieve.k, and a value of it; one that has no words stands for itself. */
  param: (id: string) => string;
  value: (param: string, value: string) => string;
  /** A parameter with the values that it has, as experiments.SetText says it. */
  set: (param: string, values: string[]) => string;
  /** Several of them in one line. */
  sets: (said: string[]) => string;
  /** A theme: its name in the language of the page where it has one, else its id. */
  theme: (id: string, name?: { en: string; ja: string }) => string;
}

/** Reads the catalogue once and names things from it; a code that it does not know stands for itself. */
export function useWords(): Words {
  const { i18n } = useTranslation();
  const catalogue = useGet<Catalogue>("/catalogue").data;
  return useMemo(() => wordsOf(catalogue, i18n.language === "ja"), [catalogue, i18n.language]);
}

/** The words of a catalogue in one language. */
export function wordsOf(c: Catalogue | undefined, ja: boolean): Words {
  const specs = new Map(c?.metrics.map((m) => [m.id, m]));
  const named = (list: { code: string; en: string; ja: string }[] | undefined) => {
    const names = new Map(list?.map((w) => [w.code, ja ? w.ja : w.en]));
    return (code: string) => names.get(code) ?? plain(code);
  };
  const listed = (list: { code: string; en: string; ja: string }[] | undefined) =>
    list?.map((w) => ({ code: w.code, name: ja ? w.ja : w.en })) ?? [];
  const param = (id: string) => exactly(c?.names.param, id, ja);
  const value = (of: string, is: string) => exactly(c?.names[of], is, ja);
  const comma = ja ? "、" : ", ";
  return {
    metric: (id) => (ja ? specs.get(id)?.title_ja : specs.get(id)?.title_en) ?? plain(id),
    meaning: (id) => (ja ? specs.get(id)?.meaning_ja : specs.get(id)?.meaning_en) ?? "",
    spec: (id) => specs.get(id),
    metrics: c?.metrics ?? [],
    suites: c?.suites ?? [],
    class: named(c?.classes),
    detail: named(c?.details),
    cause: named(c?.cause_names),
    data: named(c?.data_causes),
    category: named(c?.category_names),
    patterns: listed(c?.pattern_names),
    corners: listed(c?.corner_names),
    chunkUnit: named(c?.chunk_units),
    chunkUnits: c?.chunk_units.map((u) => u.code) ?? [],
    usualSize: (unit) => c?.chunk_units.find((u) => u.code === unit)?.usual_size ?? 1000,
    label: named(c?.labels),
    word: (vocabulary, code) => named(c?.names[vocabulary])(code),
    param,
    value,
    set: (of, values) => param(of) + (ja ? "：" : ": ") + values.map((is) => value(of, is)).join(comma),
    sets: (said) => said.join(comma),
    theme: (id, name) => (ja ? name?.ja : name?.en) || id,
  };
}

function exactly(list: { code: string; en: string; ja: string }[] | undefined, code: string, ja: boolean): string {
  const word = list?.find((w) => w.code === code);
  return (ja ? word?.ja : word?.en) ?? code;
}

function plain(code: string): string {
  return code.replaceAll("_", " ");
}

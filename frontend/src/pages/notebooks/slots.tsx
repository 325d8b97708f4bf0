import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet, useList } from "../../api/queries";
import type { ExperimentRow } from "../../api/types_experiments";
import type { LibraryRow } from "../../api/types_library";
import { type GalleryEntry, type TemplateSlot, said } from "../../api/types_notebook";

export type Slots = ReturnType<typeof useSlots>;

/** The slots of a template with what is chosen for them: at first the newest data, and the corpus that belongs to the dataset. */
export function useSlots(entry: GalleryEntry | undefined) {
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const [demo, setDemo] = useState<boolean | null>(null);
  const corpora = useNames(entry ? "/corpora" : null);
  const datasets = useNames(entry ? "/datasets" : null);
  const experiments = useList<ExperimentRow>(entry ? "/experiments" : null, { archived: true }, 500).rows;
  const endpoints = useGet<{ items: { name: string }[] }>(entry ? "/endpoints" : null).data?.items.map((e) => e.name) ?? [];
  const id = entry?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another template has other slots
  useEffect(() => {
    setChosen({});
    setDemo(null);
  }, [id]);
  const all = entry?.slots ?? [];
  const data = all.filter(isData);
  const canDemo = data.length > 0 && data.every((s) => s.optional || s.default);
  const missing = corpora.none ? "/corpora" : datasets.none ? "/datasets" : "";
  const onDemo = canDemo && (demo ?? missing !== "");
  const names = (s: TemplateSlot) => (s.type === "corpus" ? corpora.names : s.type === "dataset" ? datasets.names : endpoints);
  const chosenOf = (s: TemplateSlot): string => {
    const v = chosen[s.name];
    if (v !== undefined) return v;
    if (s.optional) return "";
    if (!isData(s)) return s.default ?? s.choices?.[0] ?? "";
    const question = data.find((d) => d.name === "dataset");
    return (s.name === "corpus" && question ? corpusOf(chosenOf(question), names(s), experiments) : names(s)[0]) ?? "";
  };
  const shown = all.filter((s) => !(onDemo && isData(s)));
  const values: Record<string, string> = {};
  for (const s of shown) if (chosenOf(s) !== "") values[s.name] = chosenOf(s);
  return {
    shown,
    values,
    names,
    chosenOf,
    canDemo,
    demo: onDemo,
    setDemo,
    none: data.length > 0 ? missing : "",
    filled: shown.every((s) => s.optional || chosenOf(s) !== ""),
    set: (s: TemplateSlot, value: string) => setChosen((now) => ({ ...now, [s.name]: value })),
  };
}

/** The corpus for a dataset: the one of its name, else the one that experiments ask its questions of, else the newest. */
export function corpusOf(dataset: string, corpora: string[], experiments: Pick<ExperimentRow, "dataset" | "corpus">[]): string | undefined {
  const named = (ref: string | undefined) => ref?.split("@")[0] ?? "";
  const asked = experiments.filter((e) => named(e.dataset) === dataset).map((e) => named(e.corpus));
  return [dataset, ...asked].find((name) => corpora.includes(name)) ?? corpora[0];
}

const isData = (s: TemplateSlot) => s.type === "corpus" || s.type === "dataset";

/** What is registered of a kind, the newest first. */
function useNames(path: string | null) {
  const list = useList<LibraryRow>(path, {}, 500);
  const names = [...list.rows].sort((a, b) => b.created_at.localeCompare(a.created_at)).map((r) => r.name);
  return { names, none: list.isSuccess && names.length === 0 };
}

/** One slot: a list where it has choices, else a line of text. */
export function SlotField({ slot: s, slots }: { slot: TemplateSlot; slots: Slots }) {
  const { t, i18n } = useTranslation();
  const number = /_(\d+)$/.exec(s.name)?.[1];
  const known = s.type === "corpus" || s.type === "dataset" || s.type === "endpoint";
  const common = {
    mt: "sm",
    label: known ? `${t(`notebooks.${s.type}`)}${number ? ` ${number}` : ""}` : s.name,
    description: said(s.doc, i18n.language),
    value: slots.chosenOf(s),
  };
  if (!known && s.type !== "choice")
    return (
      <TextInput
        {...common}
        {...(s.type === "integer" ? { inputMode: "numeric" as const } : {})}
        onChange={(e) => slots.set(s, e.currentTarget.value)}
      />
    );
  const options = s.type === "choice" ? (s.choices ?? []) : slots.names(s);
  return (
    <NativeSelect
      {...common}
      data={[...(s.optional ? [{ value: "", label: t("notebooks.without") }] : []), ...options]}
      onChange={(e) => slots.set(s, e.currentTarget.value)}
    />
  );
}

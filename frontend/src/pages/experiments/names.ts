import { useMemo } from "react";
import { useGet, useList } from "../../api/queries";
import type { Catalogue } from "../../api/types";
import type { Settings } from "../../api/types_settings";

/** What an experiment can name. */
export interface Names {
  ready: boolean;
  datasets: string[];
  corpora: string[];
  endpoints: string[];
  providers: string[];
  /** Models by provider, of providers that people added. */
  models: Record<string, string[]>;
  suites: string[];
  /** Models of the offline provider, which need no account. */
  embedders: string[];
  generators: string[];
  /** Where pipelines of other libraries begin. */
  presets: Catalogue["presets"];
  /** What makers say of their embedding models. */
  known: Catalogue["known_embedders"]["embedders"];
}

/** Reads the names of everything that a definition can refer to. */
export function useNames(): Names {
  const datasets = useList<{ name: string }>("/datasets", {}, 500);
  const corpora = useList<{ name: string }>("/corpora", {}, 500);
  const endpoints = useGet<{ items: { name: string }[] }>("/endpoints");
  const catalogue = useGet<Catalogue>("/catalogue");
  const settings = useGet<Settings>("/settings");
  const ready = !datasets.isPending && !corpora.isPending && !catalogue.isPending;
  return useMemo(
    () => ({
      ready,
      datasets: datasets.data?.pages.flatMap((p) => p.items.map((d) => d.name)) ?? [],
      corpora: corpora.data?.pages.flatMap((p) => p.items.map((c) => c.name)) ?? [],
      endpoints: endpoints.data?.items.map((e) => e.name) ?? [],
      providers: catalogue.data?.providers ?? ["offline"],
      models: Object.fromEntries(settings.data?.providers.map((p) => [p.name, p.added?.models ?? []]) ?? []),
      suites: catalogue.data?.suites.map((s) => s.name) ?? ["standard"],
      embedders: catalogue.data?.offline_embedders ?? [],
      generators: catalogue.data?.offline_generators ?? [],
      presets: catalogue.data?.presets ?? [],
      known: catalogue.data?.known_embedders.embedders ?? [],
    }),
    [ready, datasets.data, corpora.data, endpoints.data, catalogue.data, settings.data],
  );
}

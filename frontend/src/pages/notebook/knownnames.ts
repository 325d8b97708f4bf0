import { useMemo } from "react";
import { useGet } from "../../api/queries";
import type { CellSchema, QueryTable } from "../../api/types_notebook";
import type { Settings } from "../../api/types_settings";
import type { Catalogue, RunRow } from "../../api/types";
import { useFormat } from "../../parts/format";
import { runTitle } from "../../parts/runwords";
import { useNames } from "../experiments/names";

/** A model that a field can name, with its price where it has one. */
export interface ModelOffer {
  name: string;
  price: string; // "0.15 / 0.60": of a million tokens that are sent and received; "" is not known
}

/** What can be named: registered things, models by provider, tables and functions of queries. */
export interface Names {
  registered: Record<string, string[]>; // by what a field of a schema picks
  models: (provider: string, place: string) => ModelOffer[]; // place: "generate", "judge"
  tables: QueryTable[];
  functions: string[];
  runs: PastRun[]; // that are finished, the newest first
}

/** A run that no cell of the notebook made. */
export interface PastRun {
  id: string;
  title: string;
  sweep: boolean;
}

/** How many finished runs and sweeps are offered. */
const mostRuns = 60;

/** Reads everything that the cells of a notebook can name. */
export function useKnownNames(): { schemas: CellSchema[]; names: Names } {
  const kinds = useGet<{ items: CellSchema[]; tables: QueryTable[]; functions: string[] }>("/notebooks/schemas").data;
  const prices = useGet<Settings>("/settings").data?.prices;
  const catalogue = useGet<Catalogue>("/catalogue").data;
  const names = useNames();
  const format = useFormat();
  const past = useGet<{ items: RunRow[] }>("/runs", { state: "finished", group: "sweep", limit: mostRuns }).data?.items;
  return useMemo(() => {
    const offline: Record<string, string[]> = { embedding: names.embedders, judge: ["lexical"] };
    const priced = new Map((prices ?? []).map((p) => [p.model, `${p.input} / ${p.output}`]));
    const models = (provider: string, place: string): ModelOffer[] => {
      if (provider === "offline") return (offline[place] ?? names.generators).map((name) => ({ name, price: "" }));
      const known = (prices ?? []).flatMap((p) => (p.model.startsWith(`${provider}/`) ? [p.model.slice(provider.length + 1)] : []));
      const all = new Set([...(names.models[provider] ?? []), ...known]);
      return [...all].map((name) => ({ name, price: priced.get(name) ?? priced.get(`${provider}/${name}`) ?? "" }));
    };
    return {
      schemas: (kinds?.items ?? []).map((s) => ({ ...s, fields: s.fields ?? [], outputs: s.outputs ?? [] })), // params has no fields of its own
      names: {
        registered: {
          corpus: names.corpora,
          dataset: names.datasets,
          endpoint: names.endpoints,
          provider: names.providers,
          metric: [...names.suites, ...(catalogue?.metrics?.map((m) => m.id) ?? [])],
        },
        models,
        tables: kinds?.tables ?? [],
        functions: kinds?.functions ?? [],
        runs: (past ?? [])
          .filter((r) => r.kind === "evaluate" || r.kind === "sweep")
          .map((r) => ({ id: r.run_id, title: `${runTitle(r)} · ${format.brief(r.created_at)}`, sweep: r.kind === "sweep" })),
      },
    };
  }, [kinds, prices, names, catalogue, past, format]);
}

import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

export type EndpointRow = Sent<Schemas["EndpointRow"]>;
export type Settings = Sent<Schemas["Settings"]>;
export type ProviderSetting = Sent<Schemas["ProviderSetting"]>;

/** What one question to an endpoint brought. */
export type EndpointTest = Sent<Schemas["EndpointTest"]>;
/** What one small request to a provider brought. */
export type ProviderTest = Sent<Schemas["ProviderTest"]>;

/** What computing a study again found: the result of its job. */
export interface Verification {
  sealed: boolean;
  equal: boolean;
  complete: boolean;
  other_version: number;
  runs: {
    run_id: string;
    questions: number;
    verified: number;
    cells: number;
    recomputed: number;
    errors: number;
    measured: number;
    missing: string[] | null;
    different: string[] | null;
    other_version: { part: string; why: string }[] | null;
    kept: number;
  }[];
  vectors: { different: string[] | null };
  findings: { subject: string; message: string }[] | null;
  /** English sentence or subject → the same in Japanese */
  ja: Record<string, string>;
}

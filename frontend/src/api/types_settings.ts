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

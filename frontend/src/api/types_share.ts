import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** A link that shows one page to whoever has it. */
export type Share = Sent<Schemas["Share"]>;
/** All links, and whether there may be more. */
export type Shares = Sent<Schemas["Shares"]>;
/** A new link with its path, which holds the secret. */
export type MadeShare = Sent<Schemas["MadeShare"]>;
/** What is to be shared. */
export type Shared = Omit<Sent<Schemas["AddShareInputBody"]>, "texts" | "comments" | "days">;

import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** Somebody who can sign in. */
export type Account = Sent<Schemas["Account"]>;
/** An account with the link that sets its password. */
export type MadeAccount = Sent<Schemas["MadeAccount"]>;
/** A browser that signed in. */
export type WebSession = Sent<Schemas["WebSession"]>;
/** What a program shows instead of signing in. */
export type TokenRow = Sent<Schemas["TokenRow"]>;
/** A new token with its secret. */
export type MadeToken = Sent<Schemas["MadeToken"]>;
/** One line of the audit log. */
export type AuditEntry = Sent<Schemas["AuditEntry"]>;

/** What people and tokens may do, the least first. */
export const roles = ["viewer", "editor", "admin"] as const;

import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createPort } from "node:net";

/** An OpenID provider on this machine, at which somebody is signed in already. */
export interface Identity {
  /** On another host than the workbench, as providers are: cookies are those of another site. */
  issuer: string;
  close: () => void;
}

const client = { id: "workbench", secret: "not-a-secret-of-anybody" };

/** What the configuration file of a workbench says of the provider. */
export function identityConfig(issuer: string, workbench: string): string {
  const oidc = {
    issuer,
    client_id: client.id,
    client_secret_env: "TEAM_OIDC_SECRET",
    public_url: workbench,
    allowed_domains: "[team.example]",
    default_role: "viewer",
    name: "Team login",
  };
  const lines = Object.entries(oidc).map(([key, value]) => `  ${key}: ${value}\n`);
  return `share_links: true\noidc:\n${lines.join("")}`;
}

export const identityEnv = { TEAM_OIDC_SECRET: client.secret };

const base64 = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Starts the provider. It lets in whoever comes: eve@elsewhere.example while the browser has the cookie other, else kim@team.example. */
export async function startIdentity(): Promise<Identity> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const asked = new Map<string, { query: URLSearchParams; email: string }>();
  let issuer = "";
  const token = (form: URLSearchParams) => {
    const code = form.get("code") ?? "";
    const of = asked.get(code);
    asked.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!of || challenge !== of.query.get("code_challenge") || form.get("redirect_uri") !== of.query.get("redirect_uri")) return null;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      sub: of.email,
      aud: client.id,
      iat: now,
      exp: now + 600,
      nonce: of.query.get("nonce"),
      email: of.email,
      email_verified: true,
    };
    const text = `${base64({ alg: "RS256", kid: "k1", typ: "JWT" })}.${base64(claims)}`;
    return {
      access_token: "a",
      token_type: "Bearer",
      id_token: `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`,
    };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/.well-known/openid-configuration")
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        token_endpoint_auth_methods_supported: ["client_secret_post"],
      });
    else if (url.pathname === "/keys") json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg: "RS256", use: "sig" }] });
    else if (url.pathname === "/authorize") {
      const code = randomUUID();
      const email = /\bother=1/.test(request.headers.cookie ?? "") ? "eve@elsewhere.example" : "kim@team.example";
      asked.set(code, { query: url.searchParams, email });
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = String(new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" }));
      response.writeHead(302, { Location: back.href }).end();
    } else if (url.pathname === "/token") {
      let body = "";
      for await (const part of request) body += String(part);
      const form = new URLSearchParams(body);
      const known = form.get("client_id") === client.id && form.get("client_secret") === client.secret;
      const given = known ? token(form) : null;
      json(given ?? { error: "invalid_grant" }, given ? 200 : 400);
    } else json({ error: "not_found" }, 404);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { issuer, close: () => server.close() };
}

/**
 * A port that nobody listens on: a provider has to know beforehand where it sends people back to. It lies below those that systems give to
 * connections, so that none takes it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 10_000);
    const taken = createPort();
    const free = await new Promise<boolean>((known) => {
      taken.once("error", () => known(false));
      taken.listen(port, "127.0.0.1", () => known(true));
    });
    await new Promise((closed) => taken.close(closed));
    if (free) return port;
  }
}

import { ApiProblem, problemOf } from "./problem";

/** Where the API lives, on the same origin as the page. */
export const base = "/api/v1";

/** Values of a query string. Empty ones are left out. */
export type Params = Record<string, string | number | boolean | undefined | null>;

/** The address of something below the API, for requests and for links to downloads. */
export function address(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) query.set(name, String(value));
  }
  const tail = query.toString();
  return base + path + (tail ? `?${tail}` : "");
}

async function ask<T>(method: string, url: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    const headers = { ...init.headers, "Accept-Language": document.documentElement.lang || "en" }; // problems are said in it
    answer = await fetch(url, { method, credentials: "same-origin", ...init, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiProblem({ code: "unreachable" }, 0);
  }
  if (!answer.ok) throw await problemOf(answer);
  if (answer.status === 204) return undefined as T;
  return (await answer.json()) as T;
}

/** Reads something. */
export function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  return ask<T>("GET", address(path, params), signal ? { signal } : {});
}

/** Changes something. Work that costs money carries a key, so that a repeated click pays once. */
export function send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (key) headers["Idempotency-Key"] = key;
  if (body instanceof FormData) return ask<T>(method, base + path, { headers, body });
  if (body === undefined) return ask<T>(method, base + path, { headers });
  headers["Content-Type"] = "application/json";
  return ask<T>(method, base + path, { headers, body: JSON.stringify(body) });
}

/** A key that makes a repeated click pay once. Also works where the page is not on a safe origin. */
export function workKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

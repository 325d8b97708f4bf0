import { afterEach, expect, it, vi } from "vitest";
import { get, send } from "./client";

afterEach(() => vi.unstubAllGlobals());

it("asks for problems in the language of the page", async () => {
  const asked: RequestInit[] = [];
  vi.stubGlobal("document", { documentElement: { lang: "ja" } });
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    asked.push(init);
    return Promise.resolve(new Response("{}"));
  });
  await get("/runs");
  await send("POST", "/runs", {}, "once");
  expect(asked.map((init) => init.headers)).toEqual([
    { "Accept-Language": "ja" },
    { "Idempotency-Key": "once", "Content-Type": "application/json", "Accept-Language": "ja" },
  ]);
});

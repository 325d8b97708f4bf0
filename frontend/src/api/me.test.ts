import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { meetAfter } from "./me";
import { ApiProblem } from "./problem";

const me = ["/me", { lang: "en" }];

describe("who is there", () => {
  it.each([
    ["token_missing", 401, true],
    ["permission", 403, true],
    ["sign_in_failed", 401, false],
    ["not_found", 404, false],
  ])("is asked again after %s: %j", (code, status, again) => {
    const client = new QueryClient();
    client.setQueryData(me, { role: "editor" });
    meetAfter(new ApiProblem({ code }, status), client);
    expect(client.getQueryState(me)?.isInvalidated).toBe(again);
  });
});

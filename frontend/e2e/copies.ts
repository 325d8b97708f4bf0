import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copied } from "./folders.ts";
import { freePort, identityConfig, identityEnv } from "./identity.ts";
import { pricedConfig, type Served, serve } from "./program.ts";
import { noted, test } from "./watch.ts";

/** How copies of a world are served. */
interface Copy {
  /** The address of the provider that has a price; default the one that all tests share. */
  provider?: () => Promise<string>;
  /** The server follows timetables, too. */
  schedules?: boolean;
}

/**
 * Serves the tests of a file a copy of a world that nobody else sees, so that they may change it. A test that is tried again has a new
 * copy: tests that follow each other stand in a serial group and begin again together.
 */
export function ownCopy(world: "work" | "doubt", copy: Copy = {}) {
  serveOwn(world, async (data) => {
    if (world === "work") writeFileSync(join(data, "workbench.yaml"), pricedConfig((await copy.provider?.()) ?? noted().provider ?? ""));
    const judge = JSON.parse(noted().judge ?? "{}") as Record<string, string>;
    return serve(data, { HOSTILE_KEY: "not-a-secret", ...(world === "doubt" ? judge : {}) }, copy.schedules ? [] : ["--no-schedules"]);
  });
}

/** Serves a copy of the demo to a team that has nobody in it yet: who has the link on the console becomes its first administrator. */
export function ownTeam() {
  serveOwn("team", async (data) => {
    for (let tries = 1; ; tries++) {
      const port = await freePort();
      writeFileSync(join(data, "workbench.yaml"), identityConfig(process.env.E2E_AT_IDENTITY ?? "", `http://127.0.0.1:${port}`));
      try {
        return await serve(data, identityEnv, ["--addr", `127.0.0.1:${port}`, "--require-sign-in", "--no-schedules"]);
      } catch (error) {
        if (tries === 5) throw error; // somebody else took the port, five times
      }
    }
  });
}

/** What the server of this file's copy printed before it listened. */
export function saidByOwn(): string {
  return process.env.E2E_SAID ?? "";
}

/** Serves the tests of a file what start makes of a copy of a world. */
export function serveOwn(world: string, start: (data: string) => Promise<Served>) {
  let served: Served | undefined;
  let data = "";
  test.beforeAll(async () => {
    const root = process.env.E2E_ROOT ?? "";
    data = mkdtempSync(join(root, `${world}-`));
    copied(join(root, world === "team" ? "demo" : world), data);
    served = await start(data);
    process.env[`E2E_AT_${world.toUpperCase()}`] = served.address;
    process.env[`E2E_DATA_${world.toUpperCase()}`] = data;
    process.env.E2E_SAID = served.said.join("\n");
  });
  test.afterAll(async () => {
    await served?.stop();
    rmSync(data, { recursive: true, force: true });
  });
}

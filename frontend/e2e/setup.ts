import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDoubt, startJudge } from "./doubt.ts";
import { folder, remember, remembered } from "./folders.ts";
import { makeHostile } from "./hostile.ts";
import { makeLarge, many } from "./large.ts";
import { binary, serve, type Served, startProvider, workbench } from "./program.ts";
import { freePort, identityConfig, identityEnv, startIdentity } from "./identity.ts";
import { startElsewhere } from "./elsewhere.ts";

interface DemoStory {
  baseline: string;
  candidate: string;
  sweep: { run_id: string }[];
}

/**
 * Makes the data folders that the tests look at, each once, and starts a server over each: the demo; a copy of it that tests may
 * change; an empty one; one with a comparison in doubt; one whose every text is an attack; one with 10,000 questions; one at which people
 * sign in. E2E_DATA keeps the folders for the next run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (!existsSync(binary)) throw new Error(`there is no ${binary}: run make build first`);
  const kept = process.env.E2E_DATA;
  const root = kept ?? mkdtempSync(join(tmpdir(), "workbench-e2e-"));
  const elsewhere = await startElsewhere();
  const provider = await startProvider("400ms");
  const judge = await startJudge();
  const identity = await startIdentity();
  const noted: Record<string, string> = {};
  const servers: Served[] = [];
  const began = Date.now();
  const say = (what: string) => console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${what}`);
  const stop = async () => {
    await Promise.all(servers.map((s) => s.stop()));
    elsewhere.close();
    provider.stop();
    judge.stop();
    identity.close();
    if (!kept) rmSync(root, { recursive: true, force: true });
  };
  try {
    Object.assign(noted, await makeDemo(root));
    say("the demo is evaluated, and a notebook is run without a browser");
    writeFileSync(
      join(root, "work", "workbench.yaml"),
      `providers:\n  priced: {base_url: "${provider.address}", api_key_env: HOSTILE_KEY}\nprices:\n  writer: {input: 100, output: 200}\ncurrency: USD\nnotifications: {channels: {ops: {kind: webhook, url: "${provider.address}/nobody", allow_private: true}, gone: {kind: slack, url_env: WORKBENCH_E2E_GONE}}}\n`,
    );
    Object.assign(noted, await makeDoubt(root, judge));
    say("two runs are in doubt");
    Object.assign(noted, await makeHostile(root, elsewhere.address));
    say("the hostile data folder is filled");
    Object.assign(noted, await makeLarge(root));
    say(`${many} questions are evaluated twice`);
    const team = await serveTeam(root, identity.issuer);
    servers.push(team);
    process.env.E2E_AT_TEAM = team.address;
    process.env.E2E_AT_IDENTITY = identity.issuer;
    noted.setup = team.said.join("\n");
    for (const world of ["demo", "work", "empty", "doubt", "hostile", "large"]) {
      const served = await serve(join(root, world), { HOSTILE_KEY: "not-a-secret", ...(world === "doubt" ? judge.env : {}) });
      servers.push(served);
      process.env[`E2E_AT_${world.toUpperCase()}`] = served.address;
    }
    process.env.E2E_ROOT = root;
    process.env.E2E_NOTED = JSON.stringify(noted);
    say("seven servers listen");
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Serves a copy of the demo to a team that has nobody in it yet: who has the link on the console becomes its first administrator. */
async function serveTeam(root: string, issuer: string): Promise<Served> {
  const data = join(root, "team");
  rmSync(data, { recursive: true, force: true });
  cpSync(join(root, "demo"), data, { recursive: true });
  const port = await freePort();
  writeFileSync(join(data, "workbench.yaml"), identityConfig(issuer, `http://127.0.0.1:${port}`));
  return serve(data, identityEnv, ["--addr", `127.0.0.1:${port}`, "--require-sign-in"]);
}

async function makeDemo(root: string): Promise<Record<string, string>> {
  const data = folder(root, "demo");
  if (!remembered(data)) {
    const stories = await workbench<Record<"en" | "ja", DemoStory>>(data, "demo");
    await workbench(data, "validate", "judge", "--n", "10");
    remember(data, {
      baseline: stories.en.baseline,
      candidate: stories.en.candidate,
      baselineJa: stories.ja.baseline,
      candidateJa: stories.ja.candidate,
    });
  }
  const studied = remembered(data)?.study !== undefined;
  for (const copy of ["work", "empty"]) {
    rmSync(join(root, copy), { recursive: true, force: true });
    if (copy === "work") cpSync(data, join(root, copy), { recursive: true });
    else folder(root, copy);
  }
  if (!studied) remember(data, { ...remembered(data), study: JSON.stringify(await runHeadless(data)) });
  if (remembered(data)?.schedule === undefined) remember(data, { ...remembered(data), schedule: await makeSchedules(data) });
  return remembered(data) ?? {};
}

/** Plans two schedules in the demo, which have no slot for long, pauses one, and fires the other. Returns the name of that. */
async function makeSchedules(data: string): Promise<string> {
  const yearly = ["--zone", "Asia/Tokyo", "--catch-up", "skip", "--experiment"];
  await workbench(data, "schedule", "add", "archive", "--cron", "30 3 1 3 *", ...yearly, "airline-ja-writers");
  await workbench(data, "schedule", "pause", "archive");
  await workbench(data, "schedule", "add", "weekly", "--cron", "0 6 2 3 *", ...yearly, "airline-en-writers");
  await workbench(data, "schedule", "run-now", "weekly").catch((error: { code?: unknown }) => {
    if (error.code !== 3) throw error; // the gate fails: the writers of this experiment are worse than the baseline's
  });
  return "weekly";
}

/** The parameters of the airline study that the browser runs too: others than the demo's, so that there is work to do. */
export const studyParams = { size: "700", k: "5" };

/** Runs the airline study of the gallery from the command line, with its usual parameters and with others, and returns what those gave. */
async function runHeadless(data: string): Promise<unknown> {
  const books = join(data, "notebooks");
  mkdirSync(books, { recursive: true });
  const book = join(books, "airline-study.rag.md");
  if (!existsSync(book)) await workbench(data, "notebook", "new", book, "--from", "airline-study");
  const other = join(data, "airline-headless.rag.md");
  await workbench(data, "notebook", "new", other, "--from", "airline-study");
  const params = Object.entries(studyParams).flatMap(([name, value]) => ["-p", `${name}=${value}`]);
  const view = await workbench<{ cells: { name: string; value?: unknown }[] }>(data, "notebook", "run", other, "--yes", ...params);
  await workbench(data, "notebook", "run", book, "--yes");
  return Object.fromEntries(
    view.cells.filter((c) => ["before", "after", "c1", "why", "left"].includes(c.name)).map((c) => [c.name, c.value]),
  );
}

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDoubt, startJudge } from "./doubt.ts";
import { copied, folder, remember, remembered } from "./folders.ts";
import { makeHostile } from "./hostile.ts";
import { makeLarge, many } from "./large.ts";
import { binary, farOff, serve, type Served, startProvider, workbench } from "./program.ts";
import { startIdentity } from "./identity.ts";
import { startElsewhere } from "./elsewhere.ts";
import { makeWeek } from "./week.ts";
import { runs } from "./turns.ts";
import { full } from "./views.ts";

interface DemoStory {
  baseline: string;
  candidate: string;
  sweep: { run_id: string }[];
  recorded: { baseline: string; candidate: string };
}

/**
 * Makes the data folders that the tests look at, each once, and starts a server over those that tests only read: the demo, whose
 * Japanese half is evaluated with E2E_FULL=1 and else by a test of the command line; an empty one; one whose every text is an attack; one with 10,000 questions. Of those that tests change (the demo before anything else was
 * done in it; one with a comparison in doubt) every file of tests takes a copy: see copies.ts. E2E_DATA keeps the folders for the next run.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (!existsSync(binary)) throw new Error(`there is no ${binary}: run make build first`);
  const kept = process.env.E2E_DATA;
  const root = kept ?? mkdtempSync(join(tmpdir(), "workbench-e2e-"));
  const elsewhere = await startElsewhere();
  const provider = await startProvider();
  const judge = await startJudge();
  const identity = await startIdentity();
  const noted: Record<string, string> = { judge: JSON.stringify(judge.env), provider: provider.address };
  const servers: Served[] = [];
  const began = Date.now();
  const say = (what: string) => console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${what}`);
  const note = (what: string) => (notes: Record<string, string>) => {
    Object.assign(noted, notes);
    say(what);
  };
  const stop = async () => {
    await Promise.all(servers.map((s) => s.stop()));
    elsewhere.close();
    provider.stop();
    judge.stop();
    identity.close();
    if (!kept) rmSync(root, { recursive: true, force: true });
  };
  try {
    process.env.E2E_AT_IDENTITY = identity.issuer;
    process.env.E2E_ROOT = root;
    const made = await Promise.allSettled([
      makeDemo(root)
        .then(note("the demo is evaluated, and a notebook is run without a browser"))
        .then(async () => {
          if (runs("doubt.spec.ts")) note("two runs are in doubt")(await makeDoubt(root, judge));
        }),
      runs("week.spec.ts") && makeWeek(root).then(() => say("the traces of a week are sent")),
      runs("hostile.spec.ts") && makeHostile(root, elsewhere.address).then(note("the hostile data folder is filled")),
      runs("large.spec.ts") && makeLarge(root).then(note(`${many} questions are evaluated twice`)),
    ]);
    for (const m of made) if (m.status === "rejected") throw m.reason;
    for (const world of ["demo", "empty", ...["hostile", "large"].filter((name) => runs(`${name}.spec.ts`))]) {
      const served = await serve(join(root, world), { HOSTILE_KEY: "not-a-secret" }, ["--no-schedules"]);
      servers.push(served);
      process.env[`E2E_AT_${world.toUpperCase()}`] = served.address;
    }
    process.env.E2E_NOTED = JSON.stringify(noted);
    say(`${servers.length} servers listen`);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function makeDemo(root: string): Promise<Record<string, string>> {
  const data = folder(root, "demo");
  if (!remembered(data)) {
    const languages = full ? ["--lang", "en,ja"] : ["--lang", "en"];
    const stories = await workbench<{ en: DemoStory; ja?: DemoStory }>(data, "demo", ...languages);
    const japanese = stories.ja ?? stories.en;
    remember(data, {
      baseline: stories.en.baseline,
      candidate: stories.en.candidate,
      baselineJa: japanese.baseline,
      candidateJa: japanese.candidate,
      storyBaseline: stories.en.recorded.baseline,
      storyCandidate: stories.en.recorded.candidate,
    });
  }
  const studied = remembered(data)?.study !== undefined;
  for (const copy of ["work", "empty"]) {
    rmSync(join(root, copy), { recursive: true, force: true });
    if (copy === "work") copied(data, join(root, copy));
    else folder(root, copy);
  }
  if (!studied) {
    await runStudy(data);
    if (runs("notebook.spec.ts")) remember(data, { ...remembered(data), study: JSON.stringify(await runHeadless(data)) });
  }
  if (remembered(data)?.schedule === undefined) remember(data, { ...remembered(data), schedule: await makeSchedules(data) });
  return remembered(data) ?? {};
}

/** Plans two schedules in the demo, which have no slot for long, pauses one, and fires the other. Returns the name of that. */
async function makeSchedules(data: string): Promise<string> {
  const yearly = ["--cron", farOff(), "--zone", "Asia/Tokyo", "--catch-up", "skip", "--experiment"];
  await workbench(data, "schedule", "add", "archive", ...yearly, "airline-en-corpora");
  await workbench(data, "schedule", "pause", "archive");
  await workbench(data, "schedule", "add", "weekly", ...yearly, "airline-en-writers");
  await workbench(data, "schedule", "run-now", "weekly").catch((error: { code?: unknown }) => {
    if (error.code !== 3) throw error; // the gate fails: the writers of this experiment are worse than the baseline's
  });
  return "weekly";
}

/** The parameters of the airline study that the browser runs too: others than the demo's, so that there is work to do. */
export const studyParams = { size: "700", k: "5" };

/** Runs the airline study of the gallery from the command line with its usual parameters, for the pages that show it. */
async function runStudy(data: string): Promise<void> {
  const books = join(data, "notebooks");
  mkdirSync(books, { recursive: true });
  const book = join(books, "airline-study.rag.md");
  if (!existsSync(book)) await workbench(data, "notebook", "new", book, "--from", "airline-study");
  await workbench(data, "notebook", "run", book, "--yes");
}

/** Runs the airline study from the command line with other parameters, and returns what those gave. */
async function runHeadless(data: string): Promise<unknown> {
  const other = join(data, "airline-headless.rag.md");
  await workbench(data, "notebook", "new", other, "--from", "airline-study");
  const params = Object.entries(studyParams).flatMap(([name, value]) => ["-p", `${name}=${value}`]);
  const view = await workbench<{ cells: { name: string; value?: unknown }[] }>(data, "notebook", "run", other, "--yes", ...params);
  return Object.fromEntries(
    view.cells.filter((c) => ["before", "after", "c1", "why", "left"].includes(c.name)).map((c) => [c.name, c.value]),
  );
}

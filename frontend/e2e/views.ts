import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { APIRequestContext } from "@playwright/test";
import { lapped } from "./turns.ts";
import { at } from "./watch.ts";

/** A page in one of its states. */
export interface View {
  name: string;
  path: string;
}

async function list<T>(request: APIRequestContext, world: Parameters<typeof at>[0], path: string): Promise<T[]> {
  const response = await request.get(`${at(world)}/api/v1${path}`);
  if (!response.ok()) throw new Error(`${path}: ${response.status()}`);
  return ((await response.json()) as { items: T[] }).items;
}

const of = (name: string) => encodeURIComponent(name);

/** Every page of src/app/pages.ts with the data of a world, and what opens beside it. */
export async function viewsOf(
  request: APIRequestContext,
  world: "demo" | "hostile",
  pair: { baseline: string; candidate: string; run: string },
): Promise<View[]> {
  const sweep = (await list<{ run_id: string }>(request, world, "/runs?kind=sweep")).at(-1)?.run_id ?? "";
  const experiment =
    (await list<{ name: string; system: string }>(request, world, "/experiments")).find((e) => e.system.startsWith("pipeline"))?.name ?? "";
  const dataset = (await list<{ name: string }>(request, world, "/datasets"))[0]?.name ?? "";
  const question = (await list<{ question_id: string }>(request, world, `/datasets/${of(dataset)}/questions`))[0]?.question_id ?? "";
  const corpus = (await list<{ name: string }>(request, world, "/corpora"))[0]?.name ?? "";
  const changed =
    (await list<{ question_id: string }>(request, world, `/comparisons/questions?baseline=${pair.baseline}&candidate=${pair.candidate}`))[0]
      ?.question_id ?? "";
  const answered = (await list<{ question_id: string }>(request, world, `/runs/${pair.run}/questions`))[0]?.question_id ?? "";
  const notebook = (await list<{ name: string }>(request, world, "/notebooks"))[0]?.name ?? "";
  const schedule = (await list<{ name: string; last?: object }>(request, world, "/schedules")).find((s) => s.last)?.name ?? "";
  const home = ((await (await request.get(`${at(world)}/api/v1/me`)).json()) as { home?: { baseline?: string; candidate?: string } }).home;
  const both = `baseline=${pair.baseline}&candidate=${pair.candidate}`;
  return [
    { name: "notebooks", path: "/notebooks" },
    { name: "notebook-new", path: "/notebooks?new=empty" },
    { name: "notebook", path: `/notebooks/${of(notebook)}` },
    { name: "notebook-text", path: `/notebooks/${of(notebook)}?view=text` },
    { name: "notebook-read", path: `/notebooks/${of(notebook)}?view=read` },
    ...(world === "demo" ? [{ name: "notebook-stale", path: `/notebooks/${of(notebook)}?p.k=6&cell=c1` }] : []),
    { name: "runs", path: "/runs" },
    { name: "runs-import", path: "/runs?import=1" },
    { name: "run", path: `/runs/${pair.run}` },
    { name: "run-question", path: `/runs/${pair.run}?question=${of(answered)}` },
    { name: "reviews", path: `/runs/${pair.run}/reviews` },
    { name: "compare-choose", path: "/compare" },
    { name: "compare", path: `/compare?${both}` },
    ...(home?.baseline ? [{ name: "compare-story", path: `/compare?baseline=${home.baseline}&candidate=${home.candidate}` }] : []),
    { name: "compare-all", path: `/compare?${both}&label=all` },
    { name: "compare-question", path: `/compare?${both}&question=${of(changed)}` },
    { name: "beside", path: `/beside?baseline=${pair.baseline}&run=${pair.candidate}` },
    { name: "beside-none", path: "/beside" },
    { name: "sweep", path: `/sweeps/${sweep}` },
    { name: "trend", path: `/trend?experiment=${of(experiment)}` },
    { name: "trend-table", path: `/trend?experiment=${of(experiment)}&as=table` },
    { name: "experiments", path: "/experiments" },
    { name: "experiment-new", path: "/experiments?new=1" },
    { name: "experiment", path: `/experiments/${of(experiment)}` },
    { name: "experiment-edit", path: `/experiments/${of(experiment)}?view=edit` },
    { name: "experiment-file", path: `/experiments/${of(experiment)}?view=file` },
    { name: "experiment-revisions", path: `/experiments/${of(experiment)}?view=revisions` },
    { name: "schedules", path: "/schedules" },
    { name: "schedule-new", path: "/schedules?new=1" },
    ...(schedule
      ? [
          { name: "schedule", path: `/schedules/${of(schedule)}` },
          { name: "schedule-edit", path: `/schedules/${of(schedule)}?edit=1` },
        ]
      : []),
    { name: "datasets", path: "/datasets" },
    { name: "dataset-import", path: "/datasets?import=1" },
    { name: "dataset", path: `/datasets/${of(dataset)}` },
    { name: "dataset-question", path: `/datasets/${of(dataset)}?open=${of(question)}` },
    { name: "corpora", path: "/corpora" },
    { name: "corpora-import", path: "/corpora?import=1" },
    { name: "corpus", path: `/corpora/${of(corpus)}` },
    { name: "corpus-chunks", path: `/corpora/${of(corpus)}?view=chunks&size=300` },
    { name: "agreements", path: "/agreements" },
    { name: "agreement", path: `/agreements/${of(dataset)}` },
    { name: "judge-cards", path: "/judge-cards" },
    { name: "endpoints", path: "/endpoints" },
    { name: "settings", path: "/settings" },
    { name: "people", path: "/people" },
    { name: "people-audit", path: "/people/audit" },
    { name: "people-setup", path: "/setup" },
    { name: "people-reset", path: "/reset" },
    { name: "not-found", path: "/nothing/here" },
  ];
}

/** The path of src/app/pages.ts that shows a view; "" for one that none does. */
const pageOf = (view: View) =>
  paths().find((path) => new RegExp(`^${path.replace(/\$[a-z]+/g, "[^/]+")}$`).test(view.path.split("?")[0] ?? "")) ?? "";

function paths(): string[] {
  const source = readFileSync(join(import.meta.dirname, "..", "src", "app", "pages.ts"), "utf8");
  return [...source.matchAll(/path: "([^"]+)"/g)].map((m) => m[1] ?? "");
}

/** Whether every key is pressed on a view: on all of them with E2E_FULL=1, else on the first view of each page. */
export function walked(views: View[], place: number): boolean {
  const page = pageOf(views[place] as View);
  return full || views.findIndex((v) => pageOf(v) === page) === place;
}

/** The paths of src/app/pages.ts that no view shows: a new page belongs into the list above. Home only leads on. */
export function unseen(views: View[]): string[] {
  const seen = new Set(views.map(pageOf));
  return paths().filter((path) => path !== "/" && !seen.has(path));
}

/** The languages and colour schemes of every view. */
export const faces = [
  ["en", "light"],
  ["ja", "dark"],
  ["en", "dark"],
  ["ja", "light"],
] as const;

/** Whether every view is looked at in every way: E2E_FULL=1. */
export const full = process.env.E2E_FULL === "1";

/** Whether the view at a place of the list is looked at in one of several ways: in one of them, in the next one a turn later. */
export function inTurn(place: number, way: number, ways: number, turn = Number(process.env.E2E_TURN ?? 0)): boolean {
  return full || (place + lapped(turn)) % ways === way;
}

/** The colour schemes that the view at a place of the list is looked at in, in a language: in a turn a quarter of the views, each in one. */
export function schemes(language: "en" | "ja", place: number, turn?: number): ("light" | "dark")[] {
  return faces.filter(([l], way) => l === language && inTurn(place, way, 4 * faces.length, turn)).map(([, colours]) => colours);
}

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { ownCopy } from "./copies.ts";
import { inaccessible } from "./looks.ts";
import { farOff } from "./program.ts";
import { faces, inTurn } from "./views.ts";
import { at, expect, figure, prefer, settled, test } from "./watch.ts";

ownCopy("work", { schedules: true });
test.describe.configure({ mode: "serial" });

const name = "trend-weekly";
const experiment = "trend-en";
const api = () => `${at("work")}/api/v1`;
const from = () => ({ origin: at("work") });
const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "trend") : "";

interface Fire {
  id: string;
  state: string;
  run_id: string;
  reason: string;
}
interface Definition {
  name: string;
  suite: string[];
  analyses?: string[];
  base: { retrieve: { k: number } };
  low_score: number;
}

async function sent<T>(request: APIRequestContext, method: "POST" | "PUT", path: string, data: unknown): Promise<T> {
  const response = await request.fetch(api() + path, { method, data, headers: from() });
  expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
  return (await response.json()) as T;
}

/** Fires the schedule and waits until its slot has ended. */
async function fire(request: APIRequestContext): Promise<Fire> {
  const { id } = await sent<Fire>(request, "POST", `/schedules/${name}/run-now`, undefined);
  let found: Fire | undefined;
  await expect
    .poll(
      async () => {
        const { items } = (await (await request.get(`${api()}/schedules/${name}/fires`)).json()) as { items: Fire[] };
        found = items.find((f) => f.id === id);
        return found?.state ?? "";
      },
      { timeout: 240_000, intervals: [500] },
    )
    .toMatch(/^(ran|failed|skipped)$/);
  expect(found?.state, found?.reason).toBe("ran");
  return found as Fire;
}

const column = (page: Page, i: number) => page.locator(`[data-mark="${i}"]`);

/** The plan of a year that the tests of both painters read. */
function year(): object {
  const file = join(import.meta.dirname, "../../internal/charts/testdata/plans.json");
  const plans = JSON.parse(readFileSync(file, "utf8")) as { name: string; plan: object }[];
  return { ...plans.find((p) => p.name === "over time, a year")?.plan };
}

test("the trend of the demo has its two evaluations", async ({ request }) => {
  const listed = (await (await request.get(`${at("demo")}/api/v1/schedules/monday-en/fires`)).json()) as { items: Fire[] };
  expect(listed.items.filter((f) => f.run_id)).toHaveLength(2);
});

test("without an address a trend is that of a schedule that has run", async ({ page }) => {
  await prefer(page, "en");
  await page.goto(`${at("demo")}/trend`);
  await settled(page);
  await expect(page.getByRole("combobox", { name: "Trend of", exact: true })).toHaveValue("schedule:monday-en"); // not "archive", which comes first
});

test("a schedule with one fire says what comes next", async ({ page, request }) => {
  await prefer(page, "en");
  const { definition } = (await (await request.get(`${api()}/experiments/airline-en`)).json()) as { definition: Definition };
  const short = { ...definition, name: experiment, suite: ["correctness", "trust", "hit"], analyses: [] };
  await sent(request, "PUT", `/experiments/${experiment}`, { definition: short });
  await sent(request, "PUT", `/schedules/${name}`, { experiment, cron: farOff(), zone: "Asia/Tokyo" });
  await fire(request);
  await page.goto(`${at("work")}/trend?schedule=${name}`);
  await expect(page.getByRole("heading", { name: "A trend needs two evaluations with figures; so far: 1." })).toBeVisible();
  await expect(page.getByText("Run the schedule now, or wait for its next slot.")).toBeVisible();
  await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
});

test("fires are lines, bars and causes; what changed between them is named", async ({ page, request }) => {
  test.setTimeout(600_000);
  await prefer(page, "en");
  const first = ((await (await request.get(`${api()}/schedules/${name}/fires`)).json()) as { items: Fire[] }).items[0] as Fire;
  await sent(request, "POST", `/runs/${first.run_id}/diagnose`, { method: "observed" });
  const { definition } = (await (await request.get(`${api()}/experiments/${experiment}`)).json()) as {
    definition: Definition & { corpus: string; dataset: string };
  };
  await sent(request, "PUT", `/baselines/${definition.dataset.split("@")[0]}`, { run: first.run_id });
  await fire(request);
  await sent(request, "PUT", `/experiments/${experiment}`, {
    definition: { ...definition, analyses: ["causes"], base: { ...definition.base, retrieve: { ...definition.base.retrieve, k: 1 } } },
  });
  const worse = await fire(request);
  await sent(request, "PUT", `/baselines/${definition.dataset.split("@")[0]}`, { run: worse.run_id });
  await sent(request, "PUT", `/experiments/${experiment}`, { definition: { ...definition, low_score: 3, analyses: ["causes"] } });
  const newest = await fire(request);

  const began = Date.now();
  await page.goto(`${at("work")}/trend?schedule=${name}`);
  await settled(page);
  const chart = page.getByRole("group", { name: "Trend of the schedule trend-weekly: 4 evaluations" });
  await expect(chart).toBeVisible();
  figure(`the trend of 4 fires is on screen after ${Date.now() - began} ms`);
  await expect(chart.getByText("Correctness (mean, 1 to 5)")).toBeVisible();
  await expect(chart.getByText("Trust (mean, 1 to 5)")).toBeVisible();
  await expect(chart.locator("path.line").first()).toBeAttached();
  await expect(chart.getByText(/^Low scores: % of the answers/)).toBeVisible();
  await expect(chart.getByText("Causes of low scores: number of answers (by replacing parts)")).toBeVisible();
  await expect(chart.getByText("Causes of low scores: number of answers (observed, not tested)")).toBeVisible();
  await expect(chart.getByText("Configuration changed", { exact: true })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Compared with another baseline from here on." })).toHaveCount(2);
  await expect(page.getByText(/at the newest evaluation|At the newest evaluation/)).toBeVisible();

  await column(page, 1).hover();
  const details = page.locator("dl").first();
  await expect(details).toContainText("Worse than the baseline");
  await column(page, 2).hover();
  await expect(details).toContainText("Configuration changed");
  await expect(details).toContainText(/Correctness\d\.\d\d \(\d\.\d\d to \d\.\d\d\), n = \d+/);

  await page.getByRole("button", { name: "Metrics" }).click();
  await page.getByRole("checkbox", { name: /Hit/ }).check();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/metrics=/);
  await expect(chart.getByText(/^Hit/)).toBeVisible();

  await column(page, 2).focus();
  await page.keyboard.press("Home");
  await expect(column(page, 0)).toBeFocused();
  await expect(column(page, 0)).toHaveAttribute("aria-label", /Correctness: \d/);
  await expect(column(page, 0)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("ArrowRight");
  await expect(column(page, 1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(column(page, 3)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/runs/${newest.run_id}`);
});

test("the trend as a table has the same numbers, and the runs of the experiment are a trend too", async ({ page, request }) => {
  await prefer(page, "en");
  await page.goto(`${at("work")}/trend?schedule=${name}`);
  await page.getByText("Table", { exact: true }).click();
  await expect(page).toHaveURL(/as=table/);
  await expect(page.getByRole("row")).toHaveCount(5);
  const trend = (await (await request.get(`${api()}/schedules/${name}/trend`)).json()) as {
    points: { run: { low: number; scored: number; metrics: Record<string, { mean: number }> } }[];
  };
  for (const [i, p] of trend.points.entries()) {
    const row = page.getByRole("row").nth(i + 1);
    await expect(row).toContainText((p.run.metrics.correctness?.mean ?? -1).toFixed(2));
    await expect(row).toContainText(`${p.run.low} of ${p.run.scored}`);
  }
  await page.getByLabel("Trend of", { exact: true }).selectOption(`experiment:${experiment}`);
  await expect(page).toHaveURL(/experiment=trend-en/);
  await expect(page.getByRole("row")).toHaveCount(5);
});

test("the trend, in turn in each language and colour scheme: accessible, within 1024 px", async ({ page }) => {
  for (const [place, view] of ["", "&as=table"].entries()) {
    for (const [way, [language, colours]] of faces.entries()) {
      if (!inTurn(place, way, faces.length)) continue;
      await prefer(page, language, colours);
      for (const width of [1280, 1024]) {
        await page.setViewportSize({ width, height: 1100 });
        await page.goto(`${at("work")}/trend?schedule=${name}${view}`);
        await settled(page);
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours);
        await expect(page.getByText(language === "en" ? "What changed" : "変更点", { exact: true }).first()).toBeVisible();
        const main = await page.locator("#main").evaluate((e) => ({ content: e.scrollWidth, room: e.clientWidth }));
        expect(main.content, `${view} at ${width}`).toBeLessThanOrEqual(main.room);
        if (pictures) {
          mkdirSync(pictures, { recursive: true });
          await page.screenshot({ path: join(pictures, `trend${view ? "-table" : ""}-${language}-${colours}-${width}.png`) });
        }
      }
      expect(await inaccessible(page, `the trend${view} ${language} ${colours}`)).toEqual([]);
    }
  }
});

test("a year of weekly fires shows gaps, drift and what is not comparable", async ({ page }) => {
  await prefer(page, "en");
  const metric = (mean: number, n = 198) => ({ mean, n, ci95: [mean - 0.12, mean + 0.12] });
  const points = Array.from({ length: 52 }, (_, i) => {
    const slot = {
      at: new Date(Date.UTC(2026, 0, 4 + 7 * i, 21)).toISOString(),
      fire_id: `f${i}`,
      state: "ran",
      worse: 0,
      newly_worse: 0,
      spent_micros: 120_000,
      calls: 90,
      is_baseline: i === 0,
      new_baseline: i === 30,
      changes: [] as string[],
      baseline: "b0",
    };
    if (i === 20 || i === 21) return { ...slot, state: "missed", reason: "down from 2026-05-24 20:00 UTC to 2026-06-01 03:00 UTC" };
    if (i === 40) return { ...slot, state: "failed", reason: "the provider did not answer" };
    const low = 20 + (i % 7);
    const run = {
      run_id: `r${i}`,
      metrics: { correctness: metric(4.1 - (i > 30 ? 0.4 : 0) + (i % 5) / 50), trust: metric(4.4 + (i % 3) / 40) },
      low,
      scored: 198,
      low_share: { mean: low / 198, n: 198, ci95: [low / 198 - 0.04, low / 198 + 0.05] },
      low_score: 2,
      offline: false,
      cause_method: "tested",
      causes: [
        "question",
        "search_query",
        "database",
        "retriever",
        "system_prompt",
        "generation_model",
        "post_processing",
        "reference",
      ].map((component, c) => ({ component, n: 2 + ((i + c) % 3) })),
    };
    return {
      ...slot,
      run,
      changes: i === 26 ? ["judge"] : i === 28 ? ["corpus", "system"] : [],
      ...(i === 45 ? { drift: "the judge scores the same answers differently than it did: correctness -0.30, trust +0.12" } : {}),
    };
  });
  await page.route("**/api/v1/schedules/trend-weekly/trend*", (route) =>
    route.fulfill({
      json: {
        schedule: name,
        experiment,
        metrics: ["correctness", "trust"],
        points,
        baselines: [],
        more: 12,
        chosen: ["correctness", "trust"],
        chart: year(),
      },
    }),
  );
  await page.goto(`${at("work")}/trend?schedule=${name}`);
  await settled(page);
  const chart = page.getByRole("group", { name: "Trend of weekly: 4 evaluations." });
  await expect(chart.getByText("Judge changed in week 0", { exact: true })).toBeVisible();
  await expect(column(page, 51)).toHaveAttribute("aria-current", "true");
  await expect(page.locator("[data-mark]")).toHaveCount(52);
  await expect(page.getByRole("listitem").filter({ hasText: "a jump here may be the judge's" })).toContainText(
    "Correctness -0.30, Trust +0.12",
  );
  await column(page, 20).hover();
  await expect(page.locator("dl").first()).toContainText("missed");
  await column(page, 45).hover();
  await expect(page.locator("dl").first()).toContainText("Judge drifted (Correctness -0.30, Trust +0.12)");
  await expect(page.getByText("12 older ones are not shown.")).toBeVisible();
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 1150 });
    const main = await page.locator("#main").evaluate((e) => ({ content: e.scrollWidth, room: e.clientWidth }));
    expect(main.content).toBeLessThanOrEqual(main.room);
    if (pictures) await page.screenshot({ path: join(pictures, `year-${width}.png`) });
  }
});

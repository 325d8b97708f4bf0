import type { Page } from "@playwright/test";
import { many } from "./large.ts";
import { at, expect, figure, noted, prefer, settled, test } from "./watch.ts";

/** Notes every task that held up the page for 50 ms or more. */
async function watchTasks(page: Page) {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    (window as unknown as { tasks: number[] }).tasks = tasks;
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration))).observe({
      type: "longtask",
      buffered: true,
    });
  });
}

const tasksOf = (page: Page) => page.evaluate(() => (window as unknown as { tasks: number[] }).tasks.splice(0));

function told(tasks: number[]): string {
  return tasks.length === 0
    ? "no task of 50 ms or more"
    : `${tasks.length} tasks of 50 ms or more, longest ${Math.round(Math.max(...tasks))} ms, ${tasks.filter((t) => t >= 200).length} of 200 ms or more`;
}

test.beforeEach(async ({ page }) => {
  await prefer(page, "en");
  await watchTasks(page);
});

for (const [name, path, table] of [
  ["run", () => `/runs/${noted()["large-after"]}`, "Questions"],
  ["comparison", () => `/compare?baseline=${noted()["large-before"]}&candidate=${noted()["large-after"]}&label=all`, "Questions"],
] as const) {
  test(`a ${name} of ${many} questions × 12 metrics: first chart, scrolling, filtering`, async ({ page }) => {
    await page.goto(`${at("large")}/settings`); // so that the common scripts are in the browser's cache
    await settled(page);
    await page.goto(at("large") + path());
    const bubble = page.locator("figure svg[role=group] [role=button][aria-label*='answers']").first();
    await expect(bubble).toBeVisible();
    const chart = await page.evaluate(() => performance.now());
    const rows = page.getByRole("table", { name: table }).locator("[data-row]");
    await expect(rows.first()).toBeVisible();
    const ready = await page.evaluate(() => performance.now());
    const loading = await tasksOf(page);

    const region = page.getByRole("table", { name: table });
    expect(Number(await region.getAttribute("aria-rowcount"))).toBe(many + 1);
    await rows.first().hover();
    const first = async () => (await rows.first().getAttribute("data-row")) ?? "";
    const top = await first();
    for (let i = 0; i < 40; i++) {
      await page.mouse.wheel(0, 900);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    }
    await expect.poll(first, { message: "the table scrolls" }).not.toBe(top);
    await expect(page.locator(`[data-row="${top}"]`), "rows out of sight are taken away").toHaveCount(0);
    expect(await rows.count(), "only rows in sight are drawn").toBeLessThan(80);
    const scrolling = await tasksOf(page);

    const began = await page.evaluate(() => performance.now());
    await page.getByRole("searchbox").last().fill("baggage");
    await expect(region).toHaveAttribute("aria-rowcount", String(many / 10 + 1));
    const filtered = (await page.evaluate(() => performance.now())) - began;
    const filtering = await tasksOf(page);

    await page.goto(at("large") + path());
    await expect(bubble).toBeVisible();
    const again = await page.evaluate(() => performance.now());
    figure(
      `${name} of ${many} × 12: first chart ${Math.round(chart)} ms after the address was opened, table ${Math.round(ready)} ms, a second visit ${Math.round(again)} ms (${told(loading)}); ` +
        `40 turns of the wheel: ${told(scrolling)}; filter by text, typed to shown: ${Math.round(filtered)} ms, 250 ms of them waiting for more letters (${told(filtering)})`,
    );
  });
}

test(`brushing over ${many} points`, async ({ page }) => {
  await page.goto(`${at("large")}/runs/${noted()["large-after"]}`);
  const bubble = page.locator("figure svg[role=group] [role=button][aria-label*='answers']").first();
  await expect(bubble).toBeVisible();
  const count = page.getByText(/^[\d,]+ of [\d,]+ questions$/);
  const before = (await count.textContent()) ?? "";
  await tasksOf(page);
  const began = await page.evaluate(() => performance.now());
  await bubble.click();
  await expect(count).not.toHaveText(before);
  const took = (await page.evaluate(() => performance.now())) - began;
  figure(`choosing a bubble of ${many} answers: table and bars follow after ${Math.round(took)} ms (${told(await tasksOf(page))})`);
});

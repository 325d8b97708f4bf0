import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { at, expect, figure, noted, prefer, settled, test } from "./watch.ts";
import { unseen, viewsOf } from "./views.ts";

/** Where pictures of every page go: artefacts of a build, never part of the repository. */
const pictures = join(process.env.E2E_ARTIFACTS ?? join(tmpdir(), "workbench-e2e-pictures"), "demo");

/** Widths that people use; nothing may stick out of the window at either. */
const widths = [1280, 1024];

for (const language of ["en", "ja"] as const) {
  test(`every page in ${language}, light and dark: quiet, accessible, within the window`, async ({ page, request, watch }) => {
    test.setTimeout(900_000);
    mkdirSync(pictures, { recursive: true });
    await prefer(page, language);
    const notes = noted();
    const pair = language === "en" ? { baseline: notes.baseline, candidate: notes.candidate } : { baseline: notes.baselineJa, candidate: notes.candidateJa };
    const views = await viewsOf(request, "demo", { baseline: pair.baseline ?? "", candidate: pair.candidate ?? "", run: pair.candidate ?? "" });
    expect(unseen(views), "pages without a view").toEqual([]);
    const faults: string[] = [];
    let checks = 0;
    for (const view of views) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(at("demo") + view.path);
      await settled(page);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("#main h1, #main h2").first()).toBeVisible();
      faults.push(...(await overflowing(page, view.name)));
      for (const colours of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: colours });
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours);
        await still(page);
        faults.push(...(await inaccessible(page, `${view.name} ${language} ${colours}`)));
        await page.screenshot({ path: join(pictures, `${view.name}-${language}-${colours}.png`) });
        checks++;
      }
      faults.push(...watch.complaints.splice(0).map((c) => `${view.name} ${language}: ${c}`));
    }
    figure(`${views.length} views in ${language}, light and dark: ${checks} × console, axe (serious, critical), width at ${widths.join(" and ")}: ${faults.length} faults; pictures in ${pictures}`);
    expect(faults).toEqual([]);
  });
}

/** What is wider than the window. */
async function overflowing(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 });
    const { content, room } = await page.evaluate(() => ({ content: document.body.scrollWidth, room: document.body.clientWidth }));
    if (content > room) found.push(`${name} at ${width}: ${content} px wide in ${room}`);
    const main = await page.locator("#main").evaluate((e) => ({ content: e.scrollWidth, room: e.clientWidth }));
    if (main.content > main.room) found.push(`${name} at ${width}: its content is ${main.content} px wide in ${main.room}`);
  }
  await page.setViewportSize({ width: widths[0] ?? 1280, height: 860 });
  return found;
}

/** Waits for the end of every transition: colours between two themes are nobody's choice. */
async function still(page: Page) {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ending = document.getAnimations().filter((a) => a.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map((a) => a.finished));
  });
}

async function inaccessible(page: Page, name: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).options({ resultTypes: ["violations"] }).analyze();
  return violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${name}: ${v.id} (${v.impact}) ${v.nodes.length} ×, first ${v.nodes[0]?.target.join(" ")}: ${v.nodes[0]?.any[0]?.message ?? v.nodes[0]?.all[0]?.message ?? v.help}`);
}

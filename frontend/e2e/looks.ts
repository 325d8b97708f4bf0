import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Without comments and long names it is less than half as much to send to every page. */
const axeSource = readFileSync(createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"), "utf8");

/** Widths that people use, a phone's among them; nothing may stick out of the window at any. */
export const widths = [1280, 1024, 390];

/** What is wider than the window. */
export async function overflowing(page: Page, name: string): Promise<string[]> {
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
export async function still(page: Page) {
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const ending = document.getAnimations().filter((a) => a.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map((a) => a.finished));
  });
}

/** What axe finds. */
export async function inaccessible(page: Page, name: string): Promise<string[]> {
  // The pages have no frames of others: without that mode, each look opens a second page to gather what it found in frames.
  const { violations } = await new AxeBuilder({ page, axeSource })
    .setLegacyMode(true)
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .options({ resultTypes: ["violations"] })
    .analyze();
  return violations.map((v) =>
    [
      `${name}: ${v.id} (${v.impact}) ${v.nodes.length} ×, first ${v.nodes[0]?.target.join(" ")}: `,
      v.nodes[0]?.any[0]?.message ?? v.nodes[0]?.all[0]?.message ?? v.help,
    ].join(""),
  );
}

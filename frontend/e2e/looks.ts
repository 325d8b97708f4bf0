import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
}

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { target: string[]; any: { message: string }[]; all: { message: string }[] }[];
}

/** What the pages are given of axe. */
declare const axe: {
  configure: (options: { noHtml: boolean }) => void;
  run: (context: Document, options: object) => Promise<{ violations: Violation[] }>;
  commons: { color: { Color: { prototype: { parseString: (this: Colour, text: string) => Colour } } } };
};

/** Without comments and long names it is less than half as much to send to every page. */
const axeSource = readFileSync(createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"), "utf8");

/** Widths that people use, a phone's among them; nothing may stick out of the window at any. */
export const widths = [1280, 1024, 390];

/** What is wider than the window, or makes the whole document scroll where only the body of a page should. */
export async function overflowing(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 });
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    if (width === widths[0] && tall > 860) found.push(`${name} at ${width}: the document is ${tall} px tall in 860`);
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
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axeSource);
    await page.evaluate(quickened);
  }
  // All rules of WCAG 2.0 to 2.2, A and AA, and the good habits.
  const violations = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return (await axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })).violations;
  });
  return violations.map((v) =>
    [
      `${name}: ${v.id} (${v.impact}) ${v.nodes.length} ×, first ${v.nodes[0]?.target.join(" ")}: `,
      v.nodes[0]?.any[0]?.message ?? v.nodes[0]?.all[0]?.message ?? v.help,
    ].join(""),
  );
}

/** In the page: spares axe what it does many times over, or for reports that nobody reads. It finds the same. */
function quickened() {
  axe.configure({ noHtml: true });
  // A page has a dozen colours, and to read each anew for every text in front of it is a quarter of all the work.
  const { Color } = axe.commons.color;
  const read = Color.prototype.parseString;
  const known = new Map<string, Colour>();
  Color.prototype.parseString = function (this: Colour, text: string) {
    const before = known.get(text);
    if (before) Object.assign(this, before);
    else {
      read.call(this, text);
      known.set(text, { r: this.r, g: this.g, b: this.b, alpha: this.alpha });
    }
    return this;
  };
}

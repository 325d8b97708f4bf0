import { expect, type Page, test as base } from "@playwright/test";

/** What a browser complains of while a page is shown. */
export interface Watch {
  complaints: string[];
  /** Fails when there was any complaint, naming where, and forgets it. */
  quiet: (where: string) => void;
}

/**
 * Tests with a page that is watched: messages of the console, errors nobody caught, dialogs, reports of the content security
 * policy, failed requests, and requests to anywhere but the server. A test that ends with a complaint fails.
 */
export const test = base.extend<{ watch: Watch }>({
  watch: [
    async ({ page }, use) => {
      const watch = watched(page);
      await use(watch);
      watch.quiet("at the end");
    },
    { auto: true },
  ],
});

export { expect };

/** Watches another page than the test's own. */
export function watched(page: Page): Watch {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!ours(new URL(request.url()))) complaints.push(`request to ${request.url()}`);
  });
  page.on("popup", () => complaints.push("a window was opened"));
  page.on("response", (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} from ${response.url()}`);
  });
  return {
    complaints,
    quiet: (where) => {
      const found = complaints.splice(0);
      expect(found, where).toEqual([]);
    },
  };
}

let servers: string[] = [];

/** Our servers, and what a page makes itself. A page asks a thousand times, and what is set is slow to list: only for a server that is not known yet. */
function ours(url: URL): boolean {
  if (["blob:", "about:"].includes(url.protocol) || servers.includes(url.origin)) return true;
  servers = Object.entries(process.env).flatMap(([name, address]) => (name.startsWith("E2E_AT_") && address ? [address] : []));
  return servers.includes(url.origin);
}

/** Prints a figure at the end of the run. */
export function figure(text: string) {
  test.info().annotations.push({ type: "figure", description: text });
}

/** Chooses language and colours before the first script of a page runs. */
export async function prefer(page: Page, language: "en" | "ja", colours: "light" | "dark" | "auto" = "auto") {
  await page.addInitScript(
    ([l, c]) => {
      localStorage.setItem("workbench.language", l as string);
      localStorage.setItem("workbench.colours", c as string);
    },
    [language, colours],
  );
}

/** Waits until the page has what it asked the server for: no grey shapes, and a heading or a filled table. */
export async function settled(page: Page) {
  await expect(page.locator("#main > *").first()).toBeAttached();
  await expect(page.locator("#main [role=status][aria-label='Loading'], #main [role=status][aria-label='読み込み中']")).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  // What React does after it has drawn, such as listening to keys, is done when the page has nothing else to do.
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle, { timeout: 5_000 })));
}

/**
 * Opens a view of a world: by its address, or from another page of that world as a link does, without loading the program again, which is
 * most of the work. In between nothing is shown, so that what the page before left there is not taken for the new one.
 */
export async function turnTo(page: Page, world: Parameters<typeof at>[0], path: string) {
  if (!page.url().startsWith(at(world))) {
    await page.goto(at(world) + path);
    return;
  }
  const lead = (to: string) => page.evaluate((address) => history.pushState(null, "", address), to);
  const nowhere = page.locator("#main h1").filter({ hasText: /^(There is no such page\.|ページが見つかりません。)$/ });
  await lead("/nowhere");
  await expect(nowhere).toBeVisible();
  await lead(path);
  await expect(nowhere).toHaveCount(0);
}

/** Presses two keys that belong together, the second at once: a pair waits a second, and a loaded machine may take longer between two calls. */
export async function pressPair(page: Page, first: string, second: string) {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** The address of a server that the setup started, or this file of tests over its own copy. */
export function at(world: "demo" | "work" | "empty" | "doubt" | "hostile" | "large" | "team" | "week"): string {
  const address = process.env[`E2E_AT_${world.toUpperCase()}`];
  if (!address) throw new Error(`there is no server for ${world}`);
  return address;
}

/** The folder of this file's own copy. */
export function folderOf(world: "work" | "week"): string {
  return process.env[`E2E_DATA_${world.toUpperCase()}`] ?? "";
}

/** What the setup noted of the worlds: ids of runs and the like. */
export function noted(): Record<string, string> {
  return JSON.parse(process.env.E2E_NOTED ?? "{}") as Record<string, string>;
}

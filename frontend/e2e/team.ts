import type { Browser, BrowserContext, Page } from "@playwright/test";
import { at, expect, prefer, settled, type Watch, watched } from "./watch.ts";

/** The people of the team's server. */
export const people = {
  admin: { name: "ann@team.example", password: "violet tram under seven hats" },
  editor: { name: "ed@team.example", password: "harbour spoon nineteen clouds" },
  viewer: { name: "vi@team.example", password: "paper giraffe on a slow boat" },
} as const;

export type Person = keyof typeof people;

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The sessions that the tests opened before: attempts to sign in are limited. */
const sessions = new Map<Person, State>();

/** Keeps the session of somebody for later tests. */
export async function keepSession(person: Person, page: Page) {
  sessions.set(person, await page.context().storageState());
}

/** A browser of its own in which somebody is signed in already. */
export async function browserAs(browser: Browser, person: Person): Promise<{ page: Page; watch: Watch; close: () => Promise<void> }> {
  const storageState = sessions.get(person);
  if (!storageState) throw new Error(`${person} has not signed in`);
  const context = await browser.newContext({
    storageState,
    viewport: { width: 1280, height: 860 },
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  await prefer(page, "en");
  return { page, watch: watched(page), close: () => context.close() };
}

/** Fills the form of the page where people sign in. */
export async function signIn(page: Page, name: string, password: string) {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.locator("#main").getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Signs somebody in at home, and keeps the session. */
export async function comesIn(page: Page, person: Person) {
  await page.goto(`${at("team")}/people`);
  await signIn(page, people[person].name, people[person].password);
  await expect(page.getByRole("heading", { name: "You", exact: true })).toBeVisible();
  await settled(page);
  await keepSession(person, page);
}

/** The names of the buttons of a page, as a screen reader says them, and what its menus of more offer. Of many like menus two are opened. */
export async function buttons(page: Page): Promise<string[]> {
  const names = await page
    .locator("#main")
    .getByRole("button")
    .evaluateAll((all) => all.map((b) => (b.getAttribute("aria-label") ?? b.textContent ?? "").replace(/\s+/g, " ").trim()));
  const menus = page.locator("#main button[aria-haspopup=menu]").filter({ visible: true });
  for (let i = 0; i < Math.min(2, await menus.count()); i++) {
    await menus.nth(i).press("Enter"); // a panel may lie over it
    await expect(page.getByRole("menuitem").first()).toBeVisible();
    names.push(...(await page.getByRole("menuitem").allInnerTexts()).map((n) => `${n.replace(/\s+/g, " ").trim()} (menu)`));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menuitem")).toHaveCount(0);
  }
  return names;
}

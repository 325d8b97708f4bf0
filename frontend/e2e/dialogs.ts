import type { Locator, Page } from "@playwright/test";
import { expect } from "./watch.ts";

const dialogs = (page: Page) => page.locator("[role=dialog][aria-modal=true]");
const asking = /…$/;

/**
 * Opens every dialog of a page by keyboard, from its buttons and from its menus: those whose names end in … ask something first. Returns
 * how many there are, and where the focus does not move in, leaves while the dialog is open, or is not given back.
 */
export async function dialogsOf(page: Page, name: string): Promise<{ count: number; faults: string[] }> {
  const faults: string[] = [];
  let count = 0;
  const look = async (opener: Locator, what: string) => {
    if ((await dialogs(page).count()) === 0) return;
    count++;
    faults.push(...(await kept(page, opener)).map((fault) => `${name}: ${what}: ${fault}`));
  };
  const buttons = page.locator("#main button:not([aria-haspopup]):enabled").filter({ hasText: asking });
  for (const what of new Set(await buttons.allInnerTexts())) {
    const opener = buttons.filter({ hasText: what }).first();
    await opener.press("Enter");
    await look(opener, what);
  }
  const menus = page.locator("#main button[aria-haspopup=menu]:enabled:visible");
  for (let i = 0, n = Math.min(await menus.count(), 3); i < n; i++) {
    const opener = menus.nth(i);
    const items = page.getByRole("menuitem").filter({ hasText: asking });
    await opener.press("Enter");
    await expect(page.getByRole("menu")).toBeVisible();
    const named = await items.allInnerTexts();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toBeHidden();
    for (const what of named) {
      await opener.press("Enter");
      await items.filter({ hasText: what }).press("Enter");
      await expect(dialogs(page)).toBeVisible();
      await expect(page.locator("[role=menu]")).toHaveCount(0); // it fades behind the dialog, and on a busy machine is there after it, too
      await look(opener, what);
    }
  }
  return { count, faults };
}

/** What is wrong with the focus of the dialog that is open; closes it. */
async function kept(page: Page, opener: Locator): Promise<string[]> {
  const faults: string[] = [];
  const dialog = dialogs(page);
  const inside = () => dialog.evaluate((d) => d.contains(document.activeElement));
  await expect.poll(inside, { message: "the focus moves into the dialog" }).toBe(true);
  if ((await dialog.getAttribute("aria-label")) === null && !(await dialog.getAttribute("aria-labelledby"))) faults.push("it has no name");
  const left = await dialog.evaluateHandle((d) => {
    const left: string[] = [];
    document.addEventListener(
      "focusin",
      ({ target }) => d.isConnected && !d.contains(target as Node) && left.push((target as Element).outerHTML),
    );
    return left;
  });
  const stops = await dialog.locator("a[href], button, input, select, textarea, [tabindex='0']").count();
  const keys = ["Tab", "Shift+Tab"].flatMap((key) => Array.from({ length: Math.min(stops, 15) + 1 }, () => key));
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
  for (const where of await left.jsonValue()) faults.push(`Tab leaves it for ${where.slice(0, 150)}`);
  if (!(await inside())) faults.push("Tab leaves it");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  const back = () => opener.evaluate((o) => o === document.activeElement);
  await expect
    .poll(back, { timeout: 5_000 })
    .toBe(true)
    .catch(() => faults.push("what opened it does not get the focus back"));
  return [...new Set(faults)];
}

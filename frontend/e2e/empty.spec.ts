import type { Page } from "@playwright/test";
import { inTurn } from "./views.ts";
import { at, expect, prefer, settled, test, turnTo } from "./watch.ts";

/** The places of an empty workbench, and what leads on from them: a command to copy, or a button or link. */
const places = [
  "/",
  "/notebooks",
  "/runs",
  "/compare",
  "/experiments",
  "/experiments?new=1",
  "/schedules",
  "/trend",
  "/datasets",
  "/corpora",
  "/agreements",
  "/judge-cards",
  "/endpoints",
  "/settings",
];

for (const [way, language] of (["en", "ja"] as const).entries()) {
  test.describe(language, () => {
    test.skip(!inTurn(0, way, 2), "the other language has its turn");
    // Every page is opened by its address in one language, and turned to as a link does in the other.
    const open = (page: Page, path: string) => (language === "en" ? page.goto(at("empty") + path) : turnTo(page, "empty", path));

    test(`an empty workbench says the next step on every page (${language})`, async ({ page, watch }) => {
      await prefer(page, language);
      for (const path of places) {
        await open(page, path);
        await settled(page);
        const main = page.locator("#main");
        await expect(main.locator("h1, h2").first(), path).toBeVisible();
        await expect(main.getByRole("alert"), path).toHaveCount(0);
        if (path !== "/settings")
          await expect(main.locator("code, h2 ~ button, h2 ~ a, h2 ~ * a").first(), `${path}: a next step`).toBeVisible();
        watch.quiet(path);
      }
    });

    test(`the empty home leads to each of its three steps, on a phone too (${language})`, async ({ page }) => {
      await prefer(page, language);
      await page.setViewportSize({ width: 390, height: 844 });
      for (const [step, place] of [/corpora\?import=1/, /datasets\?import=1/, /experiments\?new=1/].entries()) {
        await page.goto(`${at("empty")}/`);
        await page.locator("#main li button").nth(step).click();
        await expect(page).toHaveURL(place);
        await expect(page.locator("#main").getByRole("alert")).toHaveCount(0);
      }
      const menu = page.locator("button[aria-controls=navigation]");
      await expect(page.locator("#navigation")).toBeHidden();
      await menu.click();
      await page.locator("#navigation a[href='/runs']").click();
      await expect(page).toHaveURL(/\/runs/);
      await expect(page.locator("#navigation")).toBeHidden();
    });

    test(`what is not there says so with a hint (${language})`, async ({ page, watch }) => {
      await prefer(page, language);
      for (const path of [
        "/notebooks/none",
        "/runs/000000000000",
        "/runs/000000000000/reviews",
        "/sweeps/000000000000",
        "/experiments/none",
        "/schedules/none",
        "/trend?schedule=none",
        "/trend?experiment=none",
        "/datasets/none",
        "/corpora/none",
        "/compare?baseline=000000000000&candidate=111111111111",
      ]) {
        await open(page, path);
        await expect(page.locator("#main").getByRole("alert").locator("h1, h2").first(), path).toBeVisible();
        await expect(page.getByRole("heading", { level: 1 }), `${path}: one heading`).toHaveCount(1);
        await expect(page.locator("#main").getByRole("alert").locator("p").first(), `${path}: a hint`).toBeVisible();
        await expect(page.locator("#main").getByRole("alert").locator("a").last(), `${path}: a way back`).toBeVisible();
        const unexpected = watch.complaints.splice(0).filter((c) => !c.includes("404"));
        expect(unexpected, path).toEqual([]);
      }
    });
  });
}

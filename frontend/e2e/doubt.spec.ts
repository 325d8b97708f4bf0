import { ownCopy } from "./copies.ts";
import { at, expect, figure, noted, prefer, test } from "./watch.ts";

ownCopy("doubt");
test.beforeEach(({ page }) => prefer(page, "en"));

test("a comparison in doubt is verified: the price first, a budget, and labels that no longer need a check", async ({ page }) => {
  await page.goto(`${at("doubt")}/compare?baseline=${noted().doubtBefore}&candidate=${noted().doubtAfter}`);
  const doubtful = page.getByRole("button", { name: /needs check/i }).first();
  await expect(doubtful).toBeVisible();
  const before = Number((await doubtful.innerText()).match(/\d+/)?.[0]);
  expect(before, "one vote of this judge leaves answers in doubt").toBeGreaterThan(0);
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/calls/);
  await dialog.getByLabel(/budget/i).fill("600calls");
  await dialog.getByRole("button", { name: "Buy more votes" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => Number((await doubtful.innerText()).match(/\d+/)?.[0])).toBeLessThan(before);
  figure(`verified in the page: ${before} answers needed a check, ${(await doubtful.innerText()).match(/\d+/)?.[0]} still do`);
});

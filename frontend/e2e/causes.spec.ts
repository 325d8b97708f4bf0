import { at, expect, noted, prefer, settled, test } from "./watch.ts";

test.beforeEach(({ page }) => prefer(page, "en"));

test("a bar of cause × category filters the questions, by keyboard too, and stands in the address", async ({ page }) => {
  await page.goto(`${at("demo")}/runs/${noted().candidate}`);
  await settled(page);
  const table = page.getByRole("table", { name: /^Low scores by cause and question category/ });
  const bar = table.getByRole("button").first();
  const n = (await bar.getAttribute("aria-label"))?.match(/: (\d+)$/)?.[1] ?? "";
  await bar.focus();
  await page.keyboard.press("Enter");
  await expect(bar).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/cause=\w+&category=\w+/);
  const count = page.getByText(/^[\d,]+ of [\d,]+ questions$/);
  await expect(count).toHaveText(`${n} of 198 questions`);
  await page.keyboard.press("Enter");
  await expect(count).toHaveText("198 of 198 questions");
  const patterns = page.getByRole("table", { name: /^How low-score answers fail/ });
  await expect(patterns.getByRole("row")).toHaveCount(4);
  const example = page.locator("details").filter({ hasText: "What was tried" }).first();
  await example.locator("summary").click();
  await expect(example.getByText("What was retrieved", { exact: true })).toBeVisible();
  await example.getByRole("button", { name: /^Open question / }).click();
  await expect(page).toHaveURL(/question=en-\d+/);
});

import { at, expect, figure, prefer, test } from "./watch.ts";

test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => prefer(page, "en"));

test("an experiment is cloned, edited, priced, started, and its run followed to the end", async ({ page }) => {
  let streams = 0;
  page.on("request", (r) => {
    if (r.url().endsWith("/events")) streams++;
  });
  await page.goto(`${at("work")}/experiments/airline-en`);
  await page.getByRole("button", { name: "Clone" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Clone of airline-en" })).toBeVisible();
  const name = page.getByRole("textbox", { name: /^Name/ });
  await expect(name).toHaveValue(/^airline-en-/);
  await name.fill("airline-en-fewer");
  const remove = page.getByRole("button", { name: /^Remove / });
  await expect(remove.first()).toBeVisible();
  for (let left = await remove.count(); left > 0; left--) {
    await remove.first().click();
    await expect(remove).toHaveCount(left - 1);
  }
  await page.getByLabel("Contexts (k)").fill("2");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("✓ The definition is right.")).toBeVisible();
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/experiments/airline-en-fewer");
  await page.getByRole("button", { name: "Run…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/1 runs?, 198 questions: nothing to buy\./)).toBeVisible();
  const began = Date.now();
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/[0-9a-f]{12}$/);
  await expect(page.getByText("finished", { exact: true }).first()).toBeVisible({ timeout: 120_000 });
  await expect(page.locator("figure svg[role=group]").first()).toBeVisible();
  // While the run is read once more its progress says the same above the table.
  await expect(page.locator("[aria-live]", { hasText: /^198 of 198 questions$/ })).toBeVisible();
  expect(streams, "the page follows the run by events").toBeGreaterThan(0);
  figure(`a run of 198 questions started in the page: finished and shown after ${((Date.now() - began) / 1000).toFixed(1)} s`);
});

test("a sheet is uploaded, a column mapped by hand, and stored as a version", async ({ page }) => {
  await page.goto(`${at("work")}/datasets`);
  await page.getByRole("button", { name: /Import/ }).click();
  const csv =
    "id,question,Sollantwort,Notizen\na1,How much is a bag?,It is 30 dollars.,Prices of this year\na2,When are refunds paid?,Within 7 days.,Ask the counter first\n";
  await page.locator("input[type=file]").setInputFiles({ name: "airline-sheet.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  const column = page.getByRole("combobox", { name: /Sollantwort/ });
  await expect(column).toBeVisible();
  await expect(column).not.toHaveValue("reference");
  await column.selectOption("reference");
  await expect(page.getByText("Within 7 days.")).toBeVisible();
  await page
    .getByRole("button", { name: /2/ })
    .and(page.getByRole("button", { name: /Store/ }))
    .click();
  await page.waitForURL("**/datasets/airline-sheet");
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("1");
  await expect(page.getByRole("table").locator("[data-row]")).toHaveCount(2);
  await expect(page.getByRole("table")).toContainText("It is 30 dollars.");
});

test("an edited reference makes the next version and leaves the old one", async ({ page }) => {
  await page.goto(`${at("work")}/datasets/airline-sheet?open=a1`);
  const panel = page.getByRole("complementary", { name: "a1" });
  await expect(panel).toBeVisible();
  await page.keyboard.press("e");
  await panel.getByLabel("Reference", { exact: true }).fill("It is 35 dollars.");
  await panel.getByRole("button", { name: /version/i }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /version/i })
    .click();
  const version = page.getByRole("combobox", { name: "Version" });
  await expect(version).toHaveValue("2");
  await expect(page.getByRole("table")).toContainText("It is 35 dollars.");
  await version.selectOption("1");
  await expect(page.getByRole("table")).toContainText("It is 30 dollars.");
});

test("a document shows its evidence, and how any chunker would cut it", async ({ page }) => {
  await page.goto(`${at("work")}/corpora/airline-en`);
  const documents = page.getByRole("table", { name: "Documents" }).locator("[data-row]");
  await expect(documents.first()).toBeVisible();
  await expect(page.locator("#main mark").first()).toBeVisible();
  await page.getByText("Chunks", { exact: true }).click();
  const cut = page.getByText(/^\d+ chunks?\./);
  await expect(cut).toBeVisible();
  const before = await cut.textContent();
  await page.getByLabel("Size").fill("200");
  await expect(page).toHaveURL(/size=200/);
  await expect(cut).not.toHaveText(before ?? "");
  const many = await page.locator("#main ol > li").count();
  expect(many).toBeGreaterThan(1);
  await page.getByLabel("Cut by").selectOption("sentences");
  await expect(page).toHaveURL(/by=sentences/);
  await expect(cut).toBeVisible();
});

test("the connection to a provider is tested from the settings", async ({ page }) => {
  await page.goto(`${at("work")}/settings`);
  await page.getByRole("button", { name: "Test" }).first().click();
  await expect(page.getByText(/^✓ works, \d+ ms$/)).toBeVisible();
});

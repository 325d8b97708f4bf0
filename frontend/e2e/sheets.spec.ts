import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ownCopy } from "./copies.ts";
import { inaccessible } from "./looks.ts";
import { at, expect, prefer, settled, test } from "./watch.ts";

ownCopy("work");
test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => prefer(page, "en"));

const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "sheets") : "";
const ragas = join(import.meta.dirname, "..", "..", "internal", "experiments", "foreign", "testdata", "foreign", "ragas.jsonl");

/** Looks for what nobody should see: faults of axe, and a page wider than the window. */
async function looked(page: Page, name: string) {
  expect(await inaccessible(page, name)).toEqual([]);
  await page.setViewportSize({ width: 1024, height: 860 });
  const main = await page.locator("#main").evaluate((e) => ({ content: e.scrollWidth, room: e.clientWidth }));
  expect(main.content, `${name} at 1024`).toBeLessThanOrEqual(main.room);
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

test("questions are drafted from a corpus, and the sheet uploaded, reviewed and accepted", async ({ page }) => {
  await page.goto(`${at("work")}/corpora/airline-en`);
  await page.getByRole("button", { name: "Draft questions…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Questions").selectOption("8");
  await expect(dialog.getByText("No paid calls: everything is computed here or known already.")).toBeVisible();
  await dialog.getByRole("button", { name: "Draft", exact: true }).click();
  const download = page.getByRole("link", { name: "Download airline-en-draft.xlsx" });
  await expect(download).toBeVisible();
  await expect(page).toHaveURL(/sheet=/);
  await expect(page.getByText(/^\d+ questions are drafted\./)).toContainText("upload the sheet under Datasets");
  await looked(page, "drafted");
  const saving = page.waitForEvent("download");
  await download.click();
  const sheet = await (await saving).path();
  await page.reload();
  await expect(download).toBeVisible();

  await page.goto(`${at("work")}/datasets?import=1`);
  await page.locator("input[type=file]").setInputFiles({
    name: "sheet-drafts.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer: readFileSync(sheet),
  });
  await page.getByRole("combobox", { name: "Corpus" }).selectOption("airline-en");
  const store = page.getByRole("button", { name: /^Store/ });
  await expect(store).toBeEnabled();
  await store.click();
  await page.waitForURL("**/datasets/sheet-drafts");
  await page.getByText("Drafts to review", { exact: true }).click();
  await expect(page).toHaveURL(/show=draft/);
  const rows = page.getByRole("table", { name: "Questions" }).locator("[data-row]");
  await expect(rows.first()).toBeVisible();
  const before = await rows.count();
  const id = (await rows.first().locator(".mono").first().textContent()) ?? "";
  await rows.first().click();
  const panel = page.getByRole("complementary", { name: id });
  await expect(panel.getByText("draft", { exact: true }).first()).toBeVisible();
  await panel.getByRole("button", { name: "Accept the draft" }).click();
  await expect(rows).toHaveCount(before - 1);
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("2");
  await page.goto(`${at("work")}/datasets/sheet-drafts?open=${encodeURIComponent(id)}`);
  await expect(panel).toBeVisible();
  await expect(panel.getByText("draft", { exact: true })).toHaveCount(0);
});

test("evidence is looked for, priced first, and comes as a sheet", async ({ page }) => {
  await page.goto(`${at("work")}/datasets`);
  await page.getByRole("button", { name: /Import/ }).click();
  const csv = "id,question,reference\ne1,How heavy may a checked bag be?,A checked bag may weigh 23 kilograms.\n";
  await page.locator("input[type=file]").setInputFiles({ name: "without-evidence.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: /^Store/ }).click();
  await page.waitForURL("**/datasets/without-evidence");
  await page.getByRole("button", { name: "Find evidence…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Choose the corpus first: the price follows.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Search" })).toBeDisabled();
  await dialog.getByLabel("Corpus").selectOption("airline-en");
  await expect(dialog.getByText(/^No paid calls/)).toBeVisible();
  await dialog.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("link", { name: "Download without-evidence-evidence.xlsx" })).toBeVisible();
  await expect(page.getByText(/^Questions without evidence: 1; all of it is found for \d, a part for \d\./)).toBeVisible();
  await looked(page, "evidence");
});

test("what Ragas exported becomes a run", async ({ page, watch }) => {
  await page.goto(`${at("work")}/runs`);
  await page.getByRole("button", { name: "Import results…" }).click();
  await expect(page).toHaveURL(/import=1/);
  await expect(page.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  await looked(page, "results-empty");
  await page.locator("input[type=file]").setInputFiles(ragas);
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("ragas");
  await page.getByRole("textbox", { name: "Name" }).fill("ragas-web");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("4 answers of Ragas are imported.")).toBeVisible();
  await expect(page.getByText("ragas.faithfulness", { exact: true })).toBeVisible();
  await expect(page.getByText("3 scores, 1 missing").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Notes" })).toBeVisible();
  await looked(page, "results");
  await page.getByRole("link", { name: "Open the run" }).click();
  await page.waitForURL(/\/runs\/[0-9a-f]{12}$/);
  await settled(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ragas-web");

  await page.goto(`${at("work")}/runs?import=1`);
  await page.locator("input[type=file]").setInputFiles({ name: "notes.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(watch.complaints.splice(0).join("\n"), "a refused file is an answer of 422").toMatch(/^[^\n]*422[^\n]*$/);
});

const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("logged answers are read with a column named by hand, and become an experiment", async ({ page, watch }) => {
  await page.goto(`${at("work")}/runs?import=1`);
  await page.getByRole("button", { name: "Answers without scores…" }).click();
  await page.locator("input[type=file]").setInputFiles(csv("bot.csv", "qid,said\nen-001,No.\nen-002,Yes.\n"));
  await page.getByLabel("Dataset", { exact: true }).selectOption("airline-en");
  const check = page.getByRole("button", { name: "Check", exact: true });
  await check.click();
  await expect(page.getByRole("alert")).toContainText("The file lacks a column that is needed.");
  expect(watch.complaints.splice(0).join("\n"), "a file without answers is an answer of 422").toMatch(/^[^\n]*422[^\n]*$/);
  await page.getByLabel("said").selectOption("answer");
  await check.click();
  await expect(page.getByText("2 answers to questions of airline-en@1.")).toBeVisible();
  await looked(page, "answers");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("link", { name: "Start a run of bot" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("bot");
});

test("two files of scores are compared, and nothing is stored", async ({ page }) => {
  await page.goto(`${at("work")}/compare`);
  await page.getByRole("button", { name: "Two files of scores…" }).click();
  const scores = (worst: number) => `id,quality\n${[1, 2, 3, 4, 5, 6].map((i) => `q${i},${i === 3 ? worst : 0.9}`).join("\n")}\n`;
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles(csv("old.csv", scores(0.9)));
  await page
    .locator("input[type=file]")
    .last()
    .setInputFiles(csv("new.csv", scores(0.1)));
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByText("6 questions are in both files; quality decides.")).toBeVisible();
  await expect(page.getByRole("row", { name: /^q3 quality 0.90 0.10/ })).toBeVisible();
  await looked(page, "score-files");
});

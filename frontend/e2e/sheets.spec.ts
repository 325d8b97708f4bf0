import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ownCopy } from "./copies.ts";
import { inaccessible } from "./looks.ts";
import { workbook } from "./xlsx.ts";
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

test("the sheets of a workbook are chosen by keys, and read again", async ({ page }) => {
  const head = ["No", "質問", "正解"];
  const buffer = workbook({
    表紙: [["FAQ評価シート"]],
    営業: [head, ["1", "日当は？", "3,000円"], ["2", "精算は？", "10日以内"]],
    開発: [head, ["1", "始業は？", "9時"]],
    問い合わせ: [
      ["番号", "質問内容", "模範解答"],
      ["1", "窓口は？", "1階"],
    ],
  });
  await page.goto(`${at("work")}/datasets?import=1`);
  const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  await page.locator("input[type=file]").setInputFiles({ name: "tabs.xlsx", mimeType, buffer });
  const sheets = page.getByRole("group", { name: "Sheets to read" });
  const sheet = (name: string) => sheets.getByRole("checkbox", { name, exact: true });
  const store = (n: string) => page.getByRole("button", { name: n, exact: true });
  await expect(sheet("営業")).toBeChecked();
  await expect(sheet("開発")).toBeChecked();
  await expect(sheet("表紙")).not.toBeChecked();
  await expect(sheets.getByText('1 row · read: its column names agree with those of "営業"')).toBeVisible();
  await expect(sheets.getByText("not read: its column names differ from those of")).toBeVisible();
  await expect(store("Store 3 questions")).toBeEnabled();
  await looked(page, "tabs");

  await sheet("営業").focus();
  await page.keyboard.press("Space");
  await expect(store("Store 1 question")).toBeEnabled();
  await expect(sheet("営業")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(sheets.getByRole("alert")).toHaveText("Choose at least one sheet.");
  await expect(store("Store 1 question")).toBeDisabled();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.getByRole("table", { name: "The first questions" })).toContainText("窓口は？");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Space");
  await expect(store("Store 2 questions")).toBeEnabled();
  await expect(page.getByText("2 of 4 sheets were read as one, as they were chosen: 開発 (1 row), 問い合わせ (1 row)")).toBeVisible();
  await looked(page, "tabs-chosen");

  await page.getByRole("button", { name: "Leave the choice to the program" }).click();
  await expect(store("Store 3 questions")).toBeEnabled();
  await sheet("表紙").click();
  await sheet("営業").click();
  await sheet("開発").click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await sheet("開発").click();
  await sheet("表紙").click();
  await store("Store 1 question").click();
  await page.waitForURL("**/datasets/tabs");
  const stored = page.getByRole("table", { name: "Questions" });
  await expect(stored).toContainText("始業は？");
  await expect(stored).not.toContainText("日当は？");

  await prefer(page, "ja");
  await page.goto(`${at("work")}/datasets?import=1`);
  await page.locator("input[type=file]").setInputFiles({ name: "tabs.xlsx", mimeType, buffer });
  const group = page.getByRole("group", { name: "読み取るシート" });
  await expect(group.getByText("1行 · 読み取る：列名が「営業」と一致します")).toBeVisible();
  await group.getByRole("checkbox", { name: "開発", exact: true }).click();
  await expect(page.getByRole("button", { name: "2件の質問を登録" })).toBeEnabled();
  await looked(page, "tabs-ja");
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

test("the sheet of a workbook of results is chosen by its name", async ({ page, watch }) => {
  const names = ["question", "answer", "correctness"];
  const buffer = workbook({
    April: [names, ["When does work start?", "At nine.", "1"], ["When does it end?", "At six.", "0"]],
    May: [names, ["Who may travel?", "Everybody.", "1"]],
  });
  await page.goto(`${at("work")}/runs?import=1`);
  const sheet = page.getByRole("textbox", { name: "Sheet" });
  await page.locator("input[type=file]").setInputFiles(csv("months.csv", "question,answer\n"));
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("months");
  await expect(sheet).toHaveCount(0);
  const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  await page.locator("input[type=file]").setInputFiles({ name: "months.xlsx", mimeType, buffer });
  await sheet.fill("June");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("April");
  expect(watch.complaints.splice(0).join("\n"), "a sheet that is not there is an answer of 422").toMatch(/^[^\n]*422[^\n]*$/);
  await sheet.fill("May");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("1 answer of a plain table is imported.")).toBeVisible();
  await expect(page.getByText('"May" was read, and not: April')).toBeVisible();
  await looked(page, "results-sheet");
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

test("columns of votes are read as one metric where the page is told so", async ({ page }) => {
  await page.goto(`${at("work")}/compare`);
  await page.getByRole("button", { name: "Two files of scores…" }).click();
  const scores = (worst: number) =>
    `id,faithfulness run 1,faithfulness run 3\n${[1, 2, 3, 4].map((i) => `q${i},0.9,${i === 3 ? worst : 0.9}`).join("\n")}\n`;
  const files = page.locator("input[type=file]");
  await files.first().setInputFiles(csv("old.csv", scores(0.9)));
  await files.last().setInputFiles(csv("new.csv", scores(0.5)));
  const compare = page.getByRole("button", { name: "Compare", exact: true });
  await compare.click();
  await expect(page.getByText(/choose that for \*Columns of votes\*/)).toBeVisible();
  await page.getByLabel("Columns of votes").selectOption("fold");
  await compare.click();
  await expect(page.getByText("4 questions are in both files; faithfulness decides.")).toBeVisible();
  await expect(page.getByRole("row", { name: /^faithfulness 0.90 0.85/ })).toBeVisible();
});

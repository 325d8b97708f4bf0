import { beginning, cell, editorIn, open, saved, write } from "./books.ts";
import { ownCopy } from "./copies.ts";
import { inaccessible, overflowing } from "./looks.ts";
import { expect, noted, prefer, test } from "./watch.ts";

ownCopy("work");
test.describe.configure({ mode: "serial" });

const fence = (head: string, body: string) => `\`\`\`rag ${head}\n${body}\n\`\`\`\n\n`;

/** A query over a finished run that the notebook names, with a parameter in it. */
const study = () =>
  `${beginning("Asked", 5, "retrieve: {mode: dense, k: ${p.k}}")}\n` +
  fence("failures low", `of: run:${noted().candidate}`) +
  fence("query scored", "sql: |\n  SELECT question, correctness FROM low WHERE correctness <= ${p.k} ORDER BY question\nlimit: 1000") +
  fence("chart drawn", "of: scored\nmark: hist\nx: correctness");

test("a query answers as it is written, says what is wrong where, and hands its rows on", async ({ page }) => {
  await prefer(page, "en");
  await page.addInitScript(() => localStorage.setItem("workbench.cellview", "text"));
  await open(page, "asked", study());
  const query = cell(page, "scored");
  const rows = query.getByRole("table").locator("[data-row]");
  await expect(rows.first()).toBeVisible();
  await expect(cell(page, "drawn").locator("figure svg")).toBeVisible();
  const heading = query.getByRole("columnheader", { name: "question" });
  const top: string[] = [];
  for (const way of [/descending/, /ascending/]) {
    await heading.getByRole("button").click();
    await expect(heading).toHaveAttribute("aria-sort", way);
    top.push((await rows.first().textContent()) ?? "");
  }
  expect(top[0]).not.toBe(top[1]);
  await expect(query).toContainText("ORDER BY question"); // the view alone was turned round

  await query.getByRole("button", { name: "Edit scored" }).click();
  const editor = editorIn(query);
  await expect(editor).toBeFocused();
  await write(editor, "sql: |\n  SELECT question,\n    correctnes FROM low");
  const wrong = query.getByRole("alert");
  await expect(wrong).toContainText("correctnes");
  await expect(wrong).toContainText(/did you mean.*correctness|correctness/);
  await write(editor, "sql: SELECT count(*) AS n, min(correctness) AS least FROM low");
  await expect(wrong).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(query.getByRole("columnheader")).toHaveText([/n/, /least/]);
  await expect(rows).toHaveCount(1);
  await expect(cell(page, "drawn").getByRole("alert")).toContainText("correctness"); // what it draws is gone
  await saved(page);
});

test("statements that would change or look outside are refused, and say what is allowed", async ({ page }) => {
  await prefer(page, "ja", "dark");
  for (const [i, sql] of ["DELETE FROM low", "SELECT random()", "PRAGMA query_only=0", "SELECT * FROM sqlite_master"].entries()) {
    await open(page, `refused-${i}`, study().replace(/SELECT question.*/, sql));
    await expect(cell(page, "scored").getByRole("alert")).toContainText(/SELECT|random|sqlite_master/);
    await expect(cell(page, "scored").getByRole("table")).toHaveCount(0);
  }
  expect(await inaccessible(page, "a refused query")).toEqual([]);
  expect(await overflowing(page, "a refused query")).toEqual([]);
});

test("a heat map is made by the form alone, and all that is wrong with a chart is said at its editor", async ({ page }) => {
  await prefer(page, "en");
  await page.addInitScript(() => localStorage.setItem("workbench.cellview", "form"));
  const scores = `of: run:${noted().candidate}\nsql: |\n  SELECT q.theme, r.k, avg(s.value) AS mean FROM scores s JOIN runs r USING (run)\n  JOIN questions q USING (dataset, question) GROUP BY 1, 2`;
  await open(page, "formed", `---\nragnb: 1\ntitle: Formed\n---\n\n${fence("query by_theme", scores)}`);
  await expect(cell(page, "by_theme").getByRole("table")).toBeVisible();
  await page.locator("[data-bar]").getByRole("button", { name: "Insert" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^chart/ })
    .click();
  const chart = cell(page, "chart");
  await expect(chart.getByLabel("mark", { exact: true })).toHaveValue("heat");
  await expect(chart.getByLabel("colour", { exact: true })).toHaveValue("mean");
  await expect(chart.locator("figure svg")).toBeVisible();
  expect(await chart.getByLabel("x", { exact: true }).locator("option").allTextContents()).toEqual(["–", "theme", "k", "mean"]);
  await chart.getByLabel("mark", { exact: true }).selectOption({ label: "Bars (bar)" });
  await chart.getByLabel("x", { exact: true }).selectOption("theme");
  await chart.getByLabel("y", { exact: true }).selectOption("mean");
  await chart.getByLabel("y · aggregate", { exact: true }).selectOption("max");
  await expect(chart.getByRole("alert")).toHaveCount(0);
  await expect(chart.locator("figure")).toHaveAttribute("aria-label", /./);
  await chart.getByText("Text", { exact: true }).click();
  await write(editorIn(chart), "of: by_theme\nmark: heatmap\nx: retrieve.k\ny: thema\ncolour: mean");
  const wrong = chart.getByRole("alert").getByRole("listitem");
  await expect(wrong).toHaveCount(3);
  await expect(wrong.nth(0)).toContainText("heat");
  await expect(wrong.nth(1)).toContainText("Did you mean k?");
  await expect(wrong.nth(2)).toContainText("Did you mean theme?");
  await saved(page);

  const inserted = async (name: string) => {
    await open(page, name, "---\nragnb: 1\ntitle: Bare\n---\n\nNothing yet.\n");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("heat map");
    await page.getByRole("option").first().click();
    await expect(cell(page, "theme_by_k")).toContainText("No run in this notebook yet");
  };
  await inserted("bare");
  await expect(cell(page, "theme_by_k_map")).toHaveAttribute("data-state", "blocked"); // it waits, and nothing failed
  await expect(page.locator("[data-bar]")).toContainText("1 cell waits for a result");
  const past = cell(page, "theme_by_k").getByLabel("Or read a finished run or sweep");
  const [sweep = ""] = (await past.locator("option").allTextContents()).filter((text) => text.includes("airline-en"));
  await past.selectOption({ label: sweep });
  await expect(cell(page, "theme_by_k_map")).toHaveAttribute("data-state", "fresh");

  await inserted("bare-too");
  await cell(page, "theme_by_k").getByRole("button", { name: "Add a run cell" }).click();
  await expect(cell(page, "run")).toBeVisible();
});

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

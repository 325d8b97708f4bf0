import { readFileSync } from "node:fs";
import { beginning, cell, fileOf, open, saved } from "./books.ts";
import { ownCopy } from "./copies.ts";
import { full } from "./views.ts";
import { at, expect, figure, prefer, pressPair, settled, test } from "./watch.ts";

ownCopy("work");
test.beforeEach(({ page }) => prefer(page, "en"));

/** Sixty cells, or enough of them that the last one is far out of sight. */
const last = full ? 54 : 14;
const notes = Array.from({ length: last + 1 }, (_, i) => `\`\`\`rag note n${i}\nen: Note ${i}.\n\`\`\`\n`).join("\n");
const long = `${beginning("Long", 3, "retrieve: {k: ${p.k}}")}
\`\`\`rag run r
configs: base
dataset: qa
\`\`\`

${notes}`;

test("what an edit makes stale is in sight; a removed cell comes back; two pages edit one notebook", async ({ page, watch }) => {
  const api = `${at("work")}/api/v1/notebooks/long`;
  await open(page, "long", long);
  await page.getByRole("button", { name: "Run 1 cell" }).click();
  await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh", { timeout: 60_000 });

  // The last of all cells is on screen, and so is what a parameter makes stale.
  await expect(cell(page, `n${last}`)).not.toBeInViewport();
  await page
    .getByRole("navigation", { name: "Outline" })
    .getByRole("button", { name: `n${last}` })
    .click();
  await expect(cell(page, `n${last}`)).toBeInViewport();
  const bar = page.locator("[data-bar]");
  await expect(bar).toContainText("Up to date");
  await bar.getByRole("button", { name: "k = 3" }).click();
  await page.getByRole("spinbutton", { name: "k" }).fill("5");
  const changed = Date.now();
  await page.keyboard.press("Enter");
  const stale = bar.getByRole("button", { name: /^1 cell to run/ });
  await expect(stale).toBeInViewport();
  figure(`the last of ${last + 6} cells: what a parameter makes stale, with its price, is in sight after ${Date.now() - changed} ms`);
  await stale.click();
  await expect(page.getByRole("dialog").getByRole("button", { name: /^r stale/ })).toContainText("p.k was 3 and is 5");
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Defaults" }).click();
  await expect(bar).toContainText("Up to date");

  // What was taken out is there after a reload, with its result.
  await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "r", exact: true }).click();
  await expect(cell(page, "r")).toBeFocused();
  await pressPair(page, "d", "d");
  await expect(page.getByRole("status").filter({ hasText: "Cell r removed" })).toBeVisible();
  await expect(cell(page, "r")).toHaveCount(0);
  await saved(page);
  await page.goto(`${at("work")}/notebooks/long`);
  await settled(page);
  await page.getByText("Removed cells (1)").click();
  const asked = Date.now();
  await page.getByRole("button", { name: "Put r back" }).click();
  await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh");
  figure(`a removed cell is back with its result after ${Date.now() - asked} ms`);
  await expect(bar).toContainText("Up to date");

  // Another page sees who is there, and takes what is saved; what is not saved yet is joined with it.
  const other = await page.context().newPage();
  await other.goto(`${at("work")}/notebooks/long?cell=n1`);
  await expect(cell(page, "n1").getByRole("img", { name: /is at this cell$/ })).toBeVisible();
  let go = () => {};
  const gate = new Promise<void>((open) => {
    go = open;
  });
  await page.route(/\/notebooks\/long$/, async (route) => {
    if (route.request().method() === "PUT") await gate;
    await route.continue();
  });
  await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "n3", exact: true }).click();
  await expect(cell(page, "n3")).toBeFocused();
  const sent = page.waitForRequest((r) => r.method() === "PUT");
  await pressPair(page, "d", "d");
  await sent;
  const now = (await (await page.request.get(api)).json()) as { text: string; digest: string };
  const theirs = { text: now.text.replace("Note 7.", "Theirs."), digest: now.digest };
  expect((await page.request.put(api, { data: theirs, headers: { origin: at("work") } })).ok()).toBe(true);
  const told = Date.now();
  await expect(cell(other, "n7")).toContainText("Theirs.");
  figure(`what is saved elsewhere is on another page after ${Date.now() - told} ms`);
  go();
  await expect(page.getByText("Joined with what was saved elsewhere: n7.")).toBeVisible();
  await saved(page);
  await expect.poll(() => readFileSync(fileOf("long"), "utf8")).not.toContain("Note 3.");
  expect(readFileSync(fileOf("long"), "utf8")).toContain("Theirs.");
  await expect(cell(other, "n3")).toHaveCount(0);
  await other.close();

  // Anything is found by a few letters.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("what each cell needs");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "What needs what" }).getByRole("button", { name: /^r, run/ })).toBeVisible();
  await page.keyboard.press("Escape");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("409"))).toEqual([]);
});

test("people ask about a cell and an answer, find a text in all cells, and work on several at once", async ({ page }) => {
  const few = Array.from({ length: 4 }, (_, i) => `\`\`\`rag note n${i}\nen: Same note ${i}.\n\`\`\`\n`).join("\n");
  const run = "```rag run r\nconfigs: base\ndataset: qa\n```\n\n```rag failures low\nof: r\n```\n\n";
  await open(page, "asked", `${beginning("Asked", 3, "retrieve: {k: 1}")}\n${run}${few}`);
  await page.getByRole("button", { name: "Run 1 cell" }).click();
  await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh", { timeout: 60_000 });

  // A comment on a cell, and one on an answer that it shows; another page hears of both.
  const other = await page.context().newPage();
  await other.goto(`${at("work")}/notebooks/asked`);
  const outline = (of: typeof page) => of.getByRole("navigation", { name: "Outline" });
  await expect(outline(other).getByRole("button", { name: "low" })).toBeVisible();
  await cell(page, "low").getByRole("button", { name: "0 open comments on low" }).click();
  const thread = cell(page, "low").getByRole("region", { name: "Comments on low" });
  await thread.getByRole("textbox").fill("Is the **reference** right, @nobody?");
  await page.keyboard.press("Shift+Enter"); // a line of its own, and no run
  await thread.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(thread.locator("strong", { hasText: "reference" })).toBeVisible();
  await expect(thread.getByRole("status")).toContainText("Nobody who may sign in is called nobody.");
  await cell(page, "low")
    .getByRole("button", { name: /^Comment on the answer to en-/ })
    .first()
    .click();
  await thread.getByRole("textbox").fill("This one.");
  await page.keyboard.press("Control+Enter");
  await expect(thread.getByRole("link", { name: /^en-.* · / })).toBeVisible();
  await expect(outline(other).getByRole("img", { name: "2 open comments" })).toBeVisible();
  await thread.getByRole("button", { name: "Resolve" }).first().click();
  await thread.getByText("1 resolved").click();
  await expect(thread.getByText(/^✓ resolved by/)).toBeVisible();
  await expect(outline(other).getByRole("img", { name: "1 open comment" })).toBeVisible();
  await other.close();
  expect(readFileSync(fileOf("asked"), "utf8")).not.toContain("reference");

  // All cells are searched, and changed, at once.
  await page.keyboard.press("Escape");
  await outline(page).getByRole("button", { name: "n0" }).click();
  await page.keyboard.press("Control+Shift+F");
  const find = page.getByRole("dialog", { name: "Find in all cells" });
  await find.getByRole("searchbox", { name: "Find" }).fill("SAME");
  await expect(find.getByRole("status")).toContainText("4 places");
  await find.getByRole("textbox", { name: "Replace by" }).fill("Another");
  await find.getByRole("button", { name: "Replace 4 places" }).click();
  await expect(find.getByRole("status")).toContainText("Replaced 4 places.");
  await page.keyboard.press("Escape");
  await expect(cell(page, "n3")).toContainText("Another note 3.");

  // Several cells are chosen, joined and parted by the keys of Jupyter.
  await outline(page).getByRole("button", { name: "n1" }).click();
  await expect(cell(page, "n1")).toBeFocused();
  await page.keyboard.press("Shift+J");
  await page.keyboard.press("Shift+J");
  await expect(page.locator("[data-chosen]")).toHaveCount(3);
  await page.keyboard.press("Shift+M");
  await expect(cell(page, "n2")).toHaveCount(0);
  await expect(cell(page, "n1")).toContainText("Another note 3.");
  await page.keyboard.press("z");
  await expect(cell(page, "n3")).toBeVisible();
  await page.keyboard.press("m");
  await page.keyboard.press("h");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Split the note at the caret");
});

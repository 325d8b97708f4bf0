import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { studyParams } from "./setup.ts";
import { at, expect, figure, folderOf, noted, prefer, settled, test } from "./watch.ts";

test.describe.configure({ mode: "default" });
test.beforeEach(({ page }) => prefer(page, "en"));

const cell = (page: Page, name: string) => page.locator(`[data-cell="${name}"]`);
const fileOf = (name: string) => join(folderOf("work"), "notebooks", `${name}.rag.md`);
const saved = (page: Page) => expect(page.locator("[data-saved=true]")).toBeVisible();

/** The state of every cell, by name. */
async function states(page: Page): Promise<Record<string, string>> {
  return Object.fromEntries(
    await page
      .locator("[data-cell]")
      .evaluateAll((all) => all.map((e) => [(e as HTMLElement).dataset.cell, (e as HTMLElement).dataset.state])),
  );
}

/** Makes a notebook from an entry of the gallery, or of a text, and opens it. */
async function open(page: Page, name: string, text?: string, search = "") {
  const response = await page.request.post(`${at("work")}/api/v1/notebooks`, {
    data: { name, ...(text ? { text } : { from: "airline-study" }) },
    headers: { origin: at("work") },
  });
  expect(response.ok(), await response.text()).toBe(true);
  await page.goto(`${at("work")}/notebooks/${name}${search}`);
  await settled(page);
}

interface Study {
  before: { first: { low_scores: number; questions: number } };
  c1: {
    worse: { count: number };
    better: { count: number };
    low_before: number;
    low_after: number;
    metrics: { correctness: { diff: number } };
  };
  why: { top: { name: { en: string }; count: number } };
  left: { top: { name: { en: string }; count: number } };
}

test("the airline study of the gallery, run in the browser, gives what it gives without one", async ({ page }) => {
  const headless = JSON.parse(noted().study ?? "{}") as Study;
  await page.goto(`${at("work")}/notebooks`);
  await page.getByRole("button", { name: "Use this: The airline study: what a change of chunks did" }).click();
  await page.getByLabel("Name of the notebook").fill("airline-web");
  for (const what of ["Corpus", "Dataset"]) await page.getByRole("dialog").getByLabel(what).selectOption("airline-en");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/notebooks\/airline-web/);
  await expect(cell(page, "after")).toBeVisible(); // until then the gallery is on screen, with a button that speaks of sizes
  await page.getByLabel("size").fill(studyParams.size);
  await page.getByLabel("size").press("Enter");
  await page.getByLabel(/^k/).fill(studyParams.k);
  await page.getByLabel(/^k/).press("Enter");
  await expect(page).toHaveURL(/p\.k=5/);
  await expect(page).toHaveURL(/p\.size=700/);
  await expect(cell(page, "after")).toContainText("stale");
  const began = Date.now();
  await page.getByRole("button", { name: /^Run \d cells$/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("price known when what it needs has run");
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(cell(page, "monthly")).toHaveAttribute("data-state", "fresh", { timeout: 180_000 });
  await expect(cell(page, "left")).toHaveAttribute("data-state", "fresh", { timeout: 60_000 });
  expect(new Set(Object.values(await states(page)))).toEqual(new Set(["fresh"]));
  figure(`the airline study run in the browser: ${((Date.now() - began) / 1000).toFixed(1)} s, 17 cells fresh`);
  const { c1, before, why, left } = headless;
  const diff = `${c1.metrics.correctness.diff >= 0 ? "+" : ""}${c1.metrics.correctness.diff.toFixed(2)}`;
  await expect(cell(page, "low")).toContainText(`Of ${before.first.questions} questions ${before.first.low_scores} have a low score.`);
  await expect(cell(page, "because")).toContainText(`${why.top.name.en} (${why.top.count} answers)`);
  await expect(cell(page, "result")).toContainText(
    `${c1.worse.count} answers are worse, ${c1.better.count} are better; low scores went from ${c1.low_before} to ${c1.low_after} (correctness ${diff})`,
  );
  await expect(cell(page, "c1")).toContainText(`${c1.low_before} → ${c1.low_after}`);
  await expect(cell(page, "left")).toContainText(String(left.top.count));
  figure(
    `headless and browser agree: ${c1.worse.count} worse, ${c1.better.count} better, low scores ${c1.low_before} → ${c1.low_after}, correctness ${diff}, top cause ${why.top.name.en} ${why.top.count}`,
  );
});

test("one edit of a configuration makes exactly the cells stale that rest on it", async ({ page }) => {
  await page.goto(`${at("work")}/notebooks/airline-web?p.k=5&p.size=700&cell=change`);
  await expect(cell(page, "monthly")).toHaveAttribute("data-state", "fresh");
  await cell(page, "change").getByRole("button", { name: "Edit change" }).click();
  const k = cell(page, "change").getByLabel("k", { exact: true });
  await expect(k).toHaveValue("${p.k}");
  await k.fill("7");
  await expect(cell(page, "after")).toHaveAttribute("data-state", "stale");
  await expect(cell(page, "after")).toContainText("change was edited");
  await expect(cell(page, "after")).toContainText("nothing to buy");
  const stale = Object.entries(await states(page)).filter(([, s]) => s !== "fresh");
  expect(stale.map(([name]) => name)).toEqual(["after", "c1", "result", "left", "goals", "monthly"]);
  await saved(page);
  expect(readFileSync(fileOf("airline-web"), "utf8")).toContain("retrieve: {k: 7}");
  await cell(page, "change").getByText("Text", { exact: true }).click();
  await expect(cell(page, "change").getByLabel("Text of change")).toHaveValue(/retrieve: \{k: 7\}/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("z");
  await expect(cell(page, "after")).toHaveAttribute("data-state", "fresh");
  await saved(page);
  expect(readFileSync(fileOf("airline-web"), "utf8")).toContain("retrieve: {k: ${p.k}}");
});

const paid = (limit: number) => `---
ragnb: 1
title: Paid
---

\`\`\`rag params p
k: {type: integer, default: 3}
\`\`\`

\`\`\`rag corpus docs
source: airline-en
\`\`\`

\`\`\`rag dataset qa
source: airline-en
limit: ${limit}
\`\`\`

\`\`\`rag config base
corpus: docs
retrieve: {mode: dense, k: \${p.k}}
generate: {provider: priced, model: writer}
\`\`\`

\`\`\`rag run r
configs: base
dataset: qa
\`\`\`

{{ r.first.low_scores }} of {{ r.first.questions }} are low.
`;

test("a paid cell waits with its price, and a reload in the middle of its run shows it going on", async ({ page }) => {
  await open(page, "paid", paid(160));
  await expect(cell(page, "r")).toContainText(/[1-9]\d* calls, about [\d.]+ USD/);
  await cell(page, "r").getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/Together: [1-9]\d* calls, about [\d.]+ USD/);
  await dialog.getByLabel("Budget in USD").fill("50");
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(cell(page, "r").getByRole("progressbar")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await page.reload();
  await expect(cell(page, "r").getByRole("progressbar")).toBeVisible();
  await expect(cell(page, "r")).toHaveAttribute("data-state", "running");
  await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh", { timeout: 90_000 });
  await expect(cell(page, "r")).toContainText(/spent [\d.]+ USD in [1-9]\d* calls/);
  await expect(page.locator("[data-prose]")).toContainText(/^\d+ of 160 are low\.$/);
});

test("work that is stopped is partial and goes on where it stopped; a change of k is priced", async ({ page }) => {
  await page.goto(`${at("work")}/notebooks/paid?p.k=2`);
  await expect(cell(page, "r")).toContainText("p.k was 3 and is 2");
  await expect(cell(page, "r")).toContainText(/[1-9]\d* calls, about [\d.]+ USD/);
  await expect(cell(page, "base")).toHaveAttribute("data-state", "fresh");
  await cell(page, "r").getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
  await expect(cell(page, "r").getByRole("progressbar")).toBeVisible();
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(cell(page, "r")).toHaveAttribute("data-state", "partial", { timeout: 60_000 });
  await expect(cell(page, "r")).toContainText("it was stopped");
  await cell(page, "r").getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
  await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh", { timeout: 90_000 });
});

test("keys alone: insert, write, complete, move, remove, undo, redo, make a note, fold", async ({ page }) => {
  await open(
    page,
    "by-keys",
    `---\nragnb: 1\ntitle: Keys\n---\n\n\`\`\`rag corpus docs\nsource: airline-en\n\`\`\`\n\n\`\`\`rag dataset qa\nsource: airline-en\nlimit: 5\n\`\`\`\n`,
  );
  const names = () => page.locator("[data-cell]").evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.cell));
  await expect(cell(page, "docs")).toBeFocused();
  const choose = async (press: string, where: string, step: string, type: string) => {
    await page.keyboard.press(press);
    const dialog = page.getByRole("dialog", { name: where });
    await expect(dialog.locator("button:focus")).toContainText("prose");
    for (let i = 0; i < 20 && !(await dialog.locator("button:focus strong").textContent())?.includes(type); i++)
      await page.keyboard.press(step);
    await page.keyboard.press("Enter");
  };
  await choose("b", "Insert below", "ArrowDown", "config");
  await expect.poll(names).toEqual(["docs", "config", "qa"]);
  await page.keyboard.press("Escape");
  await expect(cell(page, "config")).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(names).toEqual(["docs", "qa", "config"]);
  await expect(cell(page, "config")).toBeFocused();
  await choose("b", "Insert below", "j", "run");
  await expect.poll(names).toEqual(["docs", "qa", "config", "run"]);
  await expect(cell(page, "run")).toContainText("never been run");
  await expect(cell(page, "run").getByLabel(/^configs/)).toHaveValue("config");
  await page.keyboard.press("Shift+Enter");
  await expect(cell(page, "run")).toHaveAttribute("data-state", /fresh|error/, { timeout: 60_000 });
  await choose("a", "Insert above", "ArrowDown", "note");
  await expect.poll(names).toEqual(["docs", "qa", "config", "note", "run"]);
  await expect(cell(page, "note").getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type("There are {{ qa.co");
  await page.keyboard.press("Control+Space");
  await expect(page.getByRole("option").first()).toContainText("qa.count");
  const slow = await page.context().newCDPSession(page); // somebody types faster than the page draws
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await page.keyboard.press("Enter");
  await page.keyboard.type(" }} questions.");
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.keyboard.press("Escape");
  await expect(cell(page, "note")).toContainText("There are 198 questions.");
  await page.keyboard.press("d");
  await page.keyboard.press("d");
  await expect.poll(names).toEqual(["docs", "qa", "config", "run"]);
  await page.keyboard.press("z");
  await expect.poll(names).toEqual(["docs", "qa", "config", "note", "run"]);
  await page.keyboard.press("Shift+Z");
  await expect.poll(names).toEqual(["docs", "qa", "config", "run"]);
  await page.keyboard.press("o");
  await expect(cell(page, "run")).toContainText("The output is folded.");
  for (let i = 0; i < 3; i++) await page.keyboard.press("k");
  await expect(cell(page, "docs")).toBeFocused();
  await page.keyboard.press("m");
  await expect(cell(page, "docs")).toHaveAttribute("aria-label", "Cell note docs");
  await page.keyboard.press("z");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("Run and go to the next");
  await page.keyboard.press("Escape");
  await saved(page);
});

test("a conflict with the file on disk is noticed; both texts can be seen, and either is kept", async ({ page, watch }) => {
  await open(page, "contested", `---\nragnb: 1\ntitle: T\n---\n\nOurs and theirs.\n`);
  const ours = async (text: string) => {
    await page.keyboard.press("Enter");
    await page.locator("[data-editor] textarea").fill(text);
    await page.keyboard.press("Escape");
  };
  const theirs = (text: string) => writeFileSync(fileOf("contested"), `---\nragnb: 1\ntitle: T\n---\n\n${text}\n`);
  await expect(page.locator("[data-prose]")).toBeFocused();
  theirs("Theirs alone.");
  await ours("Ours alone.\n");
  const notice = page.getByRole("alert", { name: "The file changed on disk." });
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: "Show both" }).click();
  await expect(page.getByRole("dialog").locator("del").first()).toContainText("Theirs");
  await expect(page.getByRole("dialog").locator("ins").first()).toContainText("Ours");
  await page.keyboard.press("Escape");
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await saved(page);
  expect(readFileSync(fileOf("contested"), "utf8")).toContain("Ours alone.");
  await page.locator("[data-prose]").click();
  theirs("Theirs again.");
  await ours("Ours again.\n");
  await expect(notice).toBeVisible();
  await page.reload();
  await expect(notice, "what was not saved survives a reload").toBeVisible();
  await expect(page.locator("[data-prose]")).toContainText("Ours again.");
  await notice.getByRole("button", { name: "Take theirs" }).click();
  await expect(page.locator("[data-prose]")).toContainText("Theirs again.");
  expect(readFileSync(fileOf("contested"), "utf8")).toContain("Theirs again.");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("409"))).toEqual([]);
});

test("mistakes stand beside their cell and line, and the text stays", async ({ page }) => {
  await page.goto(`${at("work")}/notebooks/by-keys?view=text`);
  const text = page.getByLabel("Text of the whole notebook");
  await text.fill((await text.inputValue()).replace("limit: 5", "limmit: 5"));
  await expect(page.getByRole("alert")).toContainText("limit");
  await expect(page.locator("[title*=limmit]")).toContainText("▲");
  await saved(page);
  await page.getByText("Cells", { exact: true }).click();
  await expect(cell(page, "qa").getByRole("alert")).toContainText("limmit");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cell(page, "qa").getByRole("alert")).toHaveCount(0);
});

test("what is on screen is sent to a notebook: a comparison, a run's chart, a question", async ({ page }) => {
  const { baseline = "", candidate = "" } = noted();
  const sendTo = async () => {
    await page.getByLabel("Notebook", { exact: true }).selectOption("contested");
    await page.getByRole("button", { name: "Add the cell" }).click();
    await expect(page.getByText(/^Added as /)).toBeVisible();
  };
  await page.goto(`${at("work")}/compare?baseline=${baseline}&candidate=${candidate}`);
  await page.getByRole("button", { name: "Send to notebook" }).first().click();
  await sendTo();
  await page.goto(`${at("work")}/runs/${candidate}`);
  await page
    .locator("section")
    .filter({ has: page.locator("figure") })
    .getByRole("button", { name: "Send to notebook" })
    .first()
    .click();
  await sendTo();
  await page.goto(`${at("work")}/runs/${candidate}`);
  await page.getByRole("table", { name: "Questions" }).locator("[data-row]").first().click();
  await page.getByRole("complementary").getByRole("button", { name: "Send to notebook" }).click();
  await sendTo();
  await page.getByRole("link", { name: "Open" }).click();
  await expect(cell(page, "compare")).toContainText("Open the comparison");
  await expect(cell(page, "failures").locator("figure svg[role=group]")).toBeVisible();
  await expect(cell(page, "question")).toContainText("Correctness");
});

test("readers see no cells, in either language, and can print", async ({ page }) => {
  await page.goto(`${at("demo")}/notebooks/airline-study?view=read`);
  await expect(page.getByRole("heading", { name: "Result" })).toBeVisible();
  await expect(page.locator("[data-cell]")).toHaveCount(0);
  await page.locator("#main").getByText("日本語").click();
  await expect(page.getByRole("heading", { name: "結果" })).toBeVisible();
  await expect(page.locator("article")).toHaveAttribute("lang", "ja");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toBeHidden();
});

test("a sealed snapshot is listed and opens read-only; a removed notebook is taken back", async ({ page }) => {
  await open(page, "sealed", `---\nragnb: 1\ntitle: To be sealed\n---\n\nText.\n\n\`\`\`rag dataset qa\nsource: airline-en\n\`\`\`\n`);
  await page.getByRole("button", { name: "More for the notebook" }).click();
  await page.getByRole("menuitem", { name: "Seal a snapshot here" }).click();
  await expect(page.getByText("Sealed.", { exact: true })).toBeVisible();
  await page.goto(`${at("work")}/notebooks`);
  await page
    .getByRole("region", { name: "Sealed snapshots" })
    .getByRole("link", { name: /^sealed/ })
    .click();
  await expect(page.getByText("Sealed snapshot, read-only")).toBeVisible();
  await expect(cell(page, "qa")).toBeVisible();
  await expect(page.getByRole("button", { name: /Insert|Edit|Run/ })).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-editor]")).toHaveCount(0);
  await page.goto(`${at("work")}/notebooks/sealed`);
  await page.getByRole("button", { name: "More for the notebook" }).click();
  await page.getByRole("menuitem", { name: "Remove the notebook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("sealed was removed.")).toBeVisible();
  await page.getByRole("button", { name: "Take it back" }).click();
  await page.waitForURL(/\/notebooks\/sealed/);
  await expect(cell(page, "qa")).toBeVisible();
});

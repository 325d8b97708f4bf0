import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { beginning, cell, fileOf, open, saved } from "./books.ts";
import { ownCopy } from "./copies.ts";
import { type Gate, startGate } from "./gate.ts";
import { studyParams } from "./setup.ts";
import { at, expect, figure, noted, prefer, test } from "./watch.ts";

let gate: Gate;
ownCopy("work", {
  provider: async () => {
    gate = await startGate(noted().provider ?? "");
    return gate.address;
  },
});
test.afterAll(() => gate?.close());
test.afterEach(() => gate?.open());
test.beforeEach(({ page }) => prefer(page, "en"));

/** The state of every cell, by name. */
async function states(page: Page): Promise<Record<string, string>> {
  return Object.fromEntries(
    await page
      .locator("[data-cell]")
      .evaluateAll((all) => all.map((e) => [(e as HTMLElement).dataset.cell, (e as HTMLElement).dataset.state])),
  );
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

const paid = (
  limit: number,
) => `${beginning("Paid", limit, "retrieve: {mode: dense, k: ${p.k}}\ngenerate: {provider: priced, model: writer}")}
\`\`\`rag run r
configs: base
dataset: qa
\`\`\`

{{ r.first.low_scores }} of {{ r.first.questions }} are low.
`;

test.describe("a study that buys nothing", () => {
  test.describe.configure({ mode: "serial" });

  test("the airline study of the gallery, run in the browser, gives what it gives without one", async ({ page }) => {
    const headless = JSON.parse(noted().study ?? "{}") as Study;
    await page.goto(`${at("work")}/notebooks`);
    await page.getByRole("button", { name: "Use this: The airline study: what a change of the search did" }).click();
    await page.getByLabel("Name of the notebook").fill("airline-web");
    for (const what of ["Corpus", "Dataset"]) await page.getByRole("dialog").getByLabel(what).selectOption("airline-en");
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/\/notebooks\/airline-web/);
    await expect(cell(page, "after")).toBeVisible(); // until then the gallery is on screen, with a button that speaks of sizes
    for (const [name, value] of [
      ["size", studyParams.size],
      ["k", studyParams.k],
    ] as const) {
      await page
        .getByRole("form", { name: "Parameters" })
        .getByRole("button", { name: new RegExp(`^${name} = `) })
        .click();
      const field = page.getByRole("dialog").getByRole("spinbutton", { name });
      await field.fill(value);
      await field.press("Enter");
      await expect(page.getByRole("button", { name: `${name} = ${value}` })).toBeVisible();
    }
    await expect(page).toHaveURL(/p\.k=5/);
    await expect(page).toHaveURL(/p\.size=700/);
    await expect(cell(page, "after")).toContainText("stale");
    const began = Date.now();
    await page.getByRole("button", { name: /^Run \d cells$/ }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("price known when what it needs has run");
    await dialog.getByRole("button", { name: "Start" }).click();
    await expect(cell(page, "monthly")).toHaveAttribute("data-state", "fresh", { timeout: 240_000 });
    await expect(cell(page, "left")).toHaveAttribute("data-state", "fresh");
    await expect.poll(async () => [...new Set(Object.values(await states(page)))]).toEqual(["fresh"]);
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
      `headless and browser agree: ${c1.worse.count} worse, ${c1.better.count} better, ` +
        `low scores ${c1.low_before} → ${c1.low_after}, correctness ${diff}, top cause ${why.top.name.en} ${why.top.count}`,
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
    await expect(cell(page, "change").getByLabel("Text of change")).toContainText("retrieve: {k: 7}");
    await page.keyboard.press("Escape");
    await page.keyboard.press("z");
    await expect(cell(page, "after")).toHaveAttribute("data-state", "fresh");
    await saved(page);
    expect(readFileSync(fileOf("airline-web"), "utf8")).toContain("retrieve: {k: ${p.k}}");
  });
});

test.describe("a notebook that buys", () => {
  test.describe.configure({ mode: "serial" });

  test("a paid cell waits with its price, and a reload in the middle of its run shows it going on", async ({ page }) => {
    gate.only(10);
    await open(page, "paid", paid(40));
    await expect(cell(page, "r")).toContainText(/[1-9]\d* calls, about [\d.]+ USD/);
    await cell(page, "r").getByRole("button", { name: "Run", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(/Together: [1-9]\d* calls, about [\d.]+ USD/);
    await dialog.getByLabel("Budget in USD").fill("50");
    await dialog.getByRole("button", { name: "Start" }).click();
    await expect(cell(page, "r").getByRole("progressbar")).toBeVisible();
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
    // Back again it is running at once, before the server has said how the notebook stands.
    let answer = () => {};
    const held = new Promise<void>((go) => {
      answer = go;
    });
    await page.route("**/api/v1/notebooks/paid", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator("#main").getByRole("link", { name: "Notebooks" }).click();
    await expect(page.getByRole("heading", { name: "Gallery" })).toBeVisible();
    await page.goBack();
    await expect(cell(page, "r")).toHaveAttribute("data-state", "running");
    answer();
    await page.reload();
    await expect(cell(page, "r").getByRole("progressbar")).toBeVisible();
    await expect(cell(page, "r")).toHaveAttribute("data-state", "running");
    gate.open();
    await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh", { timeout: 240_000 });
    await expect(cell(page, "r")).toContainText(/spent [\d.]+ USD in [1-9]\d* calls/);
    await expect(page.locator("[data-prose]")).toContainText(/^\d+ of 40 are low\.$/);
  });

  test("work that is stopped is partial and goes on where it stopped; a change of k is priced", async ({ page }) => {
    await page.goto(`${at("work")}/notebooks/paid?p.k=2`);
    await expect(cell(page, "r")).toContainText("p.k was 3 and is 2");
    await expect(cell(page, "r")).toContainText(/[1-9]\d* calls, about [\d.]+ USD/);
    await expect(cell(page, "base")).toHaveAttribute("data-state", "fresh");
    gate.only(10);
    await cell(page, "r").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
    await expect(cell(page, "r").getByRole("progressbar")).toBeVisible();
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(cell(page, "r")).toHaveAttribute("data-state", "partial");
    await expect(cell(page, "r")).toContainText("it was stopped");
    gate.open();
    await cell(page, "r").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
    await expect(cell(page, "r")).toHaveAttribute("data-state", "fresh", { timeout: 240_000 });
  });
});

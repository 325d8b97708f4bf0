import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ownCopy } from "./copies.ts";
import { inaccessible, overflowing } from "./looks.ts";
import { unstructured } from "./structure.ts";
import { at, expect, prefer, settled, test } from "./watch.ts";

ownCopy("work");

const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "demo") : "";

/** What is wrong with how the page looks and is built. */
async function faults(page: Page, name: string): Promise<string[]> {
  await settled(page);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }
  return [...(await overflowing(page, name)), ...(await unstructured(page, name)), ...(await inaccessible(page, name))];
}

test("answers are dealt to two people and decided by keys; the judge is silent until then", async ({ page, request }) => {
  await prefer(page, "en");
  const reply = await request.get(`${at("work")}/api/v1/runs?kind=evaluate&experiment=airline-en-writers&state=finished&limit=1`);
  const run = ((await reply.json()) as { items: { run_id: string }[] }).items[0]?.run_id ?? "";
  await page.goto(`${at("work")}/runs/${run}/reviews`);
  await page.getByRole("button", { name: "Deal answers…" }).click();
  await page.getByRole("textbox", { name: "Reviewers" }).fill("Ann, Ben");
  await page.getByRole("textbox", { name: "Answers" }).fill("4");
  await page.getByRole("textbox", { name: "Of them, to two people" }).fill("4");
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  await expect(page.getByText("4 answers are dealt, 4 of them to two people or more.")).toBeVisible();
  await page.getByRole("combobox", { name: "Who are you?" }).selectOption("Ann");
  await expect(page.getByText("Ann: 0 of 4 decided")).toBeVisible();
  await expect(page.getByText("the judge says: correctness")).toHaveCount(0);
  expect(await faults(page, "reviews-en")).toEqual([]);
  const shown = page.locator("#main h3 .mono");
  const first = await shown.innerText();
  await page.keyboard.press("s");
  await expect(shown).not.toHaveText(first);
  await page.keyboard.press("c");
  await expect(page.getByText("Ann: 1 of 4 decided")).toBeVisible();
  await expect(page.getByText("the judge says: correctness")).toBeVisible();
  await page.keyboard.press("z");
  await expect(page.getByText("You had said: correct")).toBeVisible();
  for (const [n, key] of ["i", "c", "u", "c"].entries()) {
    await page.keyboard.press(key);
    await expect(page.getByText(`Ann: ${n + 1} of 4 decided`)).toBeVisible();
  }
  await expect(page.getByText("Nothing waits: all answers are decided.")).toBeVisible();
  await expect(page.getByText("Too few to tell").first()).toBeVisible();
  await prefer(page, "ja");
  await page.goto(`${at("work")}/runs/${run}/reviews?as=Ben`);
  await expect(page.getByText("4件中0件を判定済み")).toBeVisible();
  expect(await faults(page, "reviews-ja")).toEqual([]);
});

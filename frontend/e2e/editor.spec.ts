import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { beginning, cell, editorIn, fileOf, open, saved, write } from "./books.ts";
import { ownCopy } from "./copies.ts";
import { inaccessible } from "./looks.ts";
import { inTurn } from "./views.ts";
import { expect, figure, prefer, test } from "./watch.ts";

ownCopy("work");

const study = `${beginning("Written", 5, "retrieve: {mode: dense, k: ${p.k}}")}
\`\`\`rag note why
en: About {{ qa.count }} questions.
\`\`\`
`;

/** Opens a notebook and writes in one of its cells as text. */
async function writing(page: Page, name: string, of: string, text = study) {
  await page.addInitScript(() => localStorage.setItem("workbench.cellview", "text"));
  await open(page, name, text, `?cell=${of}`);
  await expect(cell(page, of)).toBeFocused();
  await page.keyboard.press("Enter");
  const editor = editorIn(cell(page, of));
  await expect(editor).toBeFocused();
  return editor;
}

/** What may follow at the caret. */
const suggestions = (page: Page) => page.locator(".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)").getByRole("option");

/** The middle and the 95th percentile of times, in whole milliseconds. */
function percentiles(all: number[]): string {
  const sorted = [...all].sort((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)]?.toFixed(0)} ms, p95 ${sorted[Math.floor(sorted.length * 0.95)]?.toFixed(0)} ms`;
}

test("the editor comes with the first cell that is edited, completes, marks, searches and writes in several places", async ({ page }) => {
  await prefer(page, "en");
  const scripts: string[] = [];
  page.on("request", (r) => r.url().endsWith(".js") && scripts.push(r.url()));
  await page.addInitScript(() => localStorage.setItem("workbench.cellview", "text"));
  await open(page, "edited", study, "?cell=base");
  await expect(cell(page, "base").locator(".tok-propertyName").first()).toHaveText("corpus");
  expect(scripts.filter((s) => /\/element-/.test(s))).toEqual([]);
  await page.keyboard.press("Enter");
  const editor = editorIn(cell(page, "base"));
  await expect(editor).toBeFocused();
  await expect(editor).toHaveAccessibleName("Text of base");
  expect(scripts.filter((s) => /\/element-/.test(s))).toHaveLength(1);
  const size = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((r): r is PerformanceResourceTiming => /\/(element|grammar)-[^/]*\.js$/.test(r.name))
      .reduce((sum, r) => sum + r.encodedBodySize, 0),
  );
  figure(`the editor and its grammars are ${(size / 1000).toFixed(0)} kB, compressed`);
  expect(size).toBeGreaterThan(50_000); // both were found
  expect(size).toBeLessThanOrEqual(170_000);
  await expect(editor.locator(".tok-propertyName").first()).toHaveText("corpus");

  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("chu");
  await expect(suggestions(page)).toHaveText([/^chunk: /]);
  await page.keyboard.press("Tab");
  await page.keyboard.type("{by: chars, sise: 400}");
  const wrong = editor.locator(".cm-lintRange-error");
  await expect(wrong).toHaveText("400");
  await page.keyboard.press("F8");
  await expect(page.locator(".cm-diagnostic")).toContainText("There is no field “chunk.sise”");
  await expect(editor).toHaveAttribute("aria-invalid", "true");

  await page.keyboard.press("Control+F");
  await page.getByRole("textbox", { name: "Find" }).fill("sise");
  await page.getByRole("textbox", { name: "Replace by" }).fill("size");
  await page.getByRole("button", { name: "Replace all" }).click();
  await page.keyboard.press("Escape");
  await expect(wrong).toHaveCount(0);
  await expect(cell(page, "base").getByRole("alert")).toHaveCount(0);

  await write(editor, "corpus: docs\nchunk: {by: aaa, size: 1}\nretrieve: {mode: aaa, k: 3}");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+F");
  await page.getByRole("textbox", { name: "Find" }).fill("aaa");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.keyboard.press("Escape"); // the panel; the two carets stay
  await page.keyboard.type("dense");
  await expect(editor).toContainText("chunk: {by: dense, size: 1}retrieve: {mode: dense, k: 3}");
  await page.keyboard.press("Control+Z");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(cell(page, "base")).toBeFocused();
});

test("whole lines that are typed stay as they were typed: Enter ends a line unless something was chosen", async ({ page }) => {
  await prefer(page, "en");
  const chart = "```rag chart c\nof: rows\n```\n";
  const rows = "```rag query rows\nsql: SELECT metric AS theme, low AS k, high AS mean FROM metrics\n```\n\n";
  const editor = await writing(page, "lines", "c", `---\nragnb: 1\ntitle: Lines\n---\n\n${rows}${chart}`);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("of: rows\nmark: heat\nx: k\ny: theme\ncolour: mean");
  await expect(editor).toContainText("of: rowsmark: heatx: ky: themecolour: mean");
  await expect(cell(page, "c").locator("figure svg")).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type("fac");
  await expect(suggestions(page)).toHaveText([/^facet: /]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(editor).toContainText("facet: ");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("{of: rows, mark: heat, x: k, y: theme, colour: mean}");
  await expect(editor).toHaveText("{of: rows, mark: heat, x: k, y: theme, colour: mean}");
  await expect(cell(page, "c").getByRole("alert")).toHaveCount(0);
});

test("words of an input method stay together while the notebook is evaluated and marked", async ({ page }) => {
  await prefer(page, "ja");
  const editor = await writing(page, "composed", "why");
  await write(editor, "ja: ");
  const session = await page.context().newCDPSession(page);
  const evaluated = () => page.waitForResponse((r) => r.url().endsWith("/notebooks/evaluate"));
  for (const text of ["に", "にほ", "にほんご"]) {
    const answer = evaluated();
    await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await expect(editor).toContainText(`ja: ${text}`);
    await answer;
  }
  const answer = evaluated();
  await session.send("Input.insertText", { text: "日本語" });
  await expect(editor).toHaveText("ja: 日本語");
  await answer;
  await page.keyboard.type("です。");
  await saved(page);
  expect(readFileSync(fileOf("composed"), "utf8")).toContain("ja: 日本語です。\n```");
  await page.keyboard.press("Escape");
  await expect(cell(page, "why")).toBeFocused();
  await expect(cell(page, "why")).toContainText("日本語です。");
});

for (const [way, [language, colours]] of (
  [
    ["en", "light"],
    ["ja", "dark"],
  ] as const
).entries())
  test(`the editor breaks no rule of the page and none of accessibility: ${language}, ${colours}`, async ({ page, watch }) => {
    test.skip(!inTurn(0, way, 2), "the other language and scheme has its turn");
    await prefer(page, language, colours);
    await page.addInitScript(() => {
      const told: string[] = [];
      Object.assign(window, { told });
      document.addEventListener("securitypolicyviolation", (e) => told.push(`${e.violatedDirective} ${e.blockedURI}`));
    });
    const editor = await writing(page, `rules-${language}`, "base", study.replace("mode: dense", "mood: dense"));
    await expect(editor.locator(".cm-lintRange-error")).toHaveCount(1);
    await page.keyboard.press("F8");
    await expect(page.locator(".cm-diagnostic")).toBeVisible();
    await page.keyboard.press("Control+F");
    await page.locator(".cm-search input[main-field]").fill("k");
    expect(await inaccessible(page, "search")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Space");
    await expect(suggestions(page).first()).toBeVisible();
    expect(await inaccessible(page, "completion")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.goto(page.url().replace(/\?.*/, "?view=text"));
    await expect(editorIn(page.locator("#main")).locator(".tok-propertyName").first()).toBeVisible();
    expect(await inaccessible(page, "whole text")).toEqual([]);
    expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual([]);
    watch.quiet("editor");
  });

test("a key is on screen soon in 300 lines, and so is a completion", async ({ page }) => {
  await prefer(page, "en");
  const tags = Array.from({ length: 298 }, (_, i) => `  - "theme:refunds" # line ${i}`).join("\n");
  const editor = await writing(page, "long", "qa", study.replace("limit: 5", `filter:\n${tags}`));
  await expect(editor.locator(".tok-propertyName").first()).toBeVisible();
  // From each key to the frame in which it is on screen; from a dollar to the frame with its suggestions.
  await page.evaluate(() => {
    const times: Record<string, number[]> = { x: [], $: [] };
    Object.assign(window, { times });
    const host = document.querySelector("code-editor") as HTMLElement;
    const onKey = (pressed: KeyboardEvent) => {
      const look = () => {
        if (pressed.key === "$" && !host.shadowRoot?.querySelector("[role=option]")) requestAnimationFrame(look);
        else setTimeout(() => times[pressed.key]?.push(performance.now() - pressed.timeStamp));
      };
      requestAnimationFrame(look);
    };
    host.addEventListener("keydown", onKey, { capture: true });
  });
  const times = (key: string) => page.evaluate((k) => (window as unknown as { times: Record<string, number[]> }).times[k] ?? [], key);
  await page.keyboard.press("Control+End");
  for (let i = 1; i <= 60; i++) {
    await page.keyboard.press("x");
    await expect.poll(async () => (await times("x")).length, { intervals: [20] }).toBe(i);
  }
  await page.keyboard.press("Enter");
  for (let i = 1; i <= 10; i++) {
    await page.keyboard.press("$");
    await expect.poll(async () => (await times("$")).length, { intervals: [20] }).toBe(i);
    await page.keyboard.press("Backspace");
    await expect(suggestions(page)).toHaveCount(0);
  }
  await expect(editor).toContainText("x".repeat(60));
  figure(`in 300 lines: key to screen ${percentiles(await times("x"))}; completion ${percentiles(await times("$"))}`);
});

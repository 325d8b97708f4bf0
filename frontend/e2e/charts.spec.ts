import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { cell, fileOf, open, saved } from "./books.ts";
import { ownCopy } from "./copies.ts";
import { inaccessible, still } from "./looks.ts";
import { faces, full, inTurn } from "./views.ts";
import { at, expect, figure, prefer, settled, test } from "./watch.ts";

ownCopy("work");
test.describe.configure({ mode: "serial" });

const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "charts") : "";
const themes = [
  "baggage",
  "refunds and changes of tickets bought elsewhere",
  "乳幼児をお連れのお客様",
  "払い戻しの手数料と期限について",
  "pets",
];
const values = themes
  .flatMap((theme, i) =>
    [2, 4, 8].flatMap((k) => [0, 1, 2].map((n) => `('${theme}', ${k}, ${1 + ((i * 7 + k * 3 + n * 2) % 9) / 2}, ${n + i})`)),
  )
  .join(", ");

/** What each mark is drawn with. */
const marks: Record<string, string> = {
  bar: "x: theme\ny: {field: score, aggregate: mean, interval: bootstrap, domain: [1, 5]}\ncolour: k\nreference: {y: 4, title: {en: Agreed, ja: 合意値}}",
  line: "x: {field: k, type: number}\ny: {field: score, aggregate: mean}\ncolour: theme",
  area: "x: {field: k, type: number}\ny: {field: score, aggregate: sum}\ncolour: theme",
  point: "x: score\ny: n\ncolour: theme\nlabel: theme",
  heat: "x: k\ny: theme\ncolour: {field: score, aggregate: mean}",
  box: "x: theme\ny: score",
  hist: "x: {field: score, bin: 6}\nfacet: k",
  rule: "y: score",
  text: "x: score\ny: n\nlabel: theme",
  flow: "x: theme\ny: {field: k, type: category}",
};

const fence = (head: string, body: string) => `\`\`\`rag ${head}\n${body}\n\`\`\`\n\n`;
const notebook =
  `---\nragnb: 1\ntitle: {en: Every mark, ja: すべての図}\n---\n\n` +
  fence("query rows", `sql: |\n  WITH d(theme, k, score, n) AS (VALUES ${values}) SELECT * FROM d`) +
  Object.entries(marks)
    .map(([mark, body]) => fence(`chart of_${mark}`, `of: rows\nmark: ${mark}\n${body}`))
    .join("") +
  fence("table across", "of: rows\npivot: {rows: [theme], columns: k, value: score, aggregate: mean}\ntotal: both") +
  fence("table plain", "of: rows\ncolumns: [theme, k, {name: score, colour: {scale: threshold, at: 2}}]");

/** Texts of charts that are cut: they stick out of their drawing or of the window. */
const cut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("figure svg[role=img]")].flatMap((svg) => {
      const room = svg.getBoundingClientRect();
      const mark = svg.closest<HTMLElement>("[data-cell]")?.dataset.cell ?? "";
      return [...svg.querySelectorAll("text")]
        .filter((t) => {
          const { left, right, top, bottom } = t.getBoundingClientRect();
          return left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1 || right > innerWidth + 1;
        })
        .map((t) => `${mark}: ${t.textContent}`);
    }),
  );

test("a notebook with every mark is made", async ({ page }) => {
  await prefer(page, "en");
  await open(page, "marks", notebook);
  for (const mark of Object.keys(marks)) await expect(cell(page, `of_${mark}`).locator("figure svg[role=img]")).toBeVisible();
});

for (const [way, [language, colours]] of faces.entries()) {
  test(`every mark in ${language}, ${colours}: no label is cut, axe is clean, a table stands behind`, async ({ page }) => {
    test.skip(!inTurn(2, way, faces.length), "another language and scheme has its turn");
    await prefer(page, language, colours);
    for (const [place, width] of [1440, 390].entries()) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${at("work")}/notebooks/marks?view=read`);
      await settled(page);
      await expect(page.locator("figure svg[role=img]")).toHaveCount(Object.keys(marks).length);
      await still(page);
      expect(await cut(page), `${width} px`).toEqual([]);
      // In turn at one of the widths, too: eight numbers on end show all.
      if (inTurn(2, way + faces.length * place, 2 * faces.length)) {
        for (const behind of await page.locator("figure details").all()) {
          await behind.locator("summary").click();
          await expect(behind.locator("tbody tr").first()).toBeVisible();
        }
        expect(await inaccessible(page, `${language} ${colours} ${width}`)).toEqual([]);
        for (const behind of await page.locator("figure details").all()) await behind.locator("summary").click();
      }
      if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `${language}-${colours}-${width}.png`), fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.emulateMedia({ media: "print" });
    await still(page);
    expect(await cut(page), "printed").toEqual([]);
    if (pictures) await page.screenshot({ path: join(pictures, `${language}-${colours}-print.png`), fullPage: true });
    figure(
      `${Object.keys(marks).length} marks in ${language}, ${colours} at 1440 and 390 px and printed: 0 cut labels, axe clean at ${full ? "both" : "one"}`,
    );
  });
}

test("marks are said by keys; a heading sorts a table, a choice filters it, and Keep writes both", async ({ page }) => {
  await prefer(page, "en");
  await page.goto(`${at("work")}/notebooks/marks`);
  await settled(page);
  const chart = cell(page, "of_heat").locator("svg[role=img]");
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  await expect(cell(page, "of_heat").locator("[aria-live=polite]")).toContainText("score:");
  const across = cell(page, "across").getByRole("table");
  await expect(across.getByRole("columnheader")).toHaveCount(5);
  await across
    .getByRole("button", { name: /Rows behind it/ })
    .first()
    .click();
  const rows = cell(page, "rows_of_across");
  await expect(rows.getByRole("table").locator("[data-row]")).toHaveCount(3); // of one theme and one k
  await expect(rows).toContainText("WHERE theme = ");
  await saved(page);
  const plain = cell(page, "plain");
  await plain.getByRole("columnheader", { name: "score" }).getByRole("button").click();
  await plain.getByLabel("theme").selectOption("pets");
  await expect(plain.getByText("9 of 45 rows")).toBeVisible();
  await plain.getByRole("button", { name: "Keep" }).click();
  await saved(page);
  await expect
    .poll(() => readFileSync(fileOf("marks"), "utf8"))
    .toMatch(/sort: \["-?score"\]\nfilter: "theme = 'pets'"|filter: "theme = 'pets'"\nsort: \["-?score"\]/);
  await expect(plain.getByText("9 rows")).toBeVisible();
});

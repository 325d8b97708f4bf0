import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { dialogsOf } from "./dialogs.ts";
import { inaccessible, overflowing, still, widths } from "./looks.ts";
import { unreachable, unstructured } from "./structure.ts";
import { leftOut, turns, ways } from "./turns.ts";
import { at, expect, figure, noted, prefer, settled, test } from "./watch.ts";
import { faces, full, schemes, unseen, viewsOf, walked } from "./views.ts";

/** Where pictures of every page go: artefacts of a build, never part of the repository. */
const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "demo") : "";

/** So many numbers on end. */
const numbersFrom = (first: number, many: number) => Array.from({ length: many }, (_, nth) => first + nth);

test("sixteen turns show every view in every language and colour scheme, and so do those of any part", () => {
  test.skip(full, "every run with E2E_FULL=1 does");
  const sixteen = 4 * faces.length;
  for (let place = 0; place < 50; place++)
    for (const [language, colours] of faces) {
      const shownBy = (numbers: number[]) => numbers.filter((turn) => schemes(language, place, turn).includes(colours)).length;
      expect(shownBy(numbersFrom(5 * sixteen, sixteen)), `view ${place} in ${language}, ${colours}`).toBe(1);
      for (let part = 0; part < ways; part++) {
        const ofPart = numbersFrom(3, sixteen).map((lap) => 2 * (lap * ways + part) + 1);
        expect(shownBy(ofPart), `view ${place} in ${language}, ${colours}, part ${part}`).toBe(1);
      }
    }
});

test("turns on end run every file of tests, and each has its turn", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".spec.ts"));
  expect(files).toEqual(expect.arrayContaining(Object.keys(turns)));
  for (const file of files) {
    const ran = numbersFrom(7, 2 * ways).filter((turn) => !leftOut(String(turn), false).includes(file));
    expect(ran.length, file).toBe(file in turns ? 1 : 2 * ways);
    expect(
      ran.every((turn) => !(file in turns) || turn % 2 === 1),
      file,
    ).toBe(true);
  }
  expect(leftOut("7", true)).toEqual([]);
  expect(leftOut("", false)).toEqual([]);
});

test("what is wrong with a page is found", async ({ page }) => {
  await page.goto(`${at("demo")}/settings`);
  await settled(page);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#main select { outline: none !important; border: 0 !important }");
    document.adoptedStyleSheets = [sheet];
    document
      .querySelector("#main > *")
      ?.insertAdjacentHTML(
        "beforeend",
        "<h1>Second</h1><h4>Deep</h4><aside>?</aside><table><tr><td>1</td></tr></table><figure><svg></svg></figure>" +
          "<div id=mouse>click</div><div inert><button type=button>far</button></div><select><option>unseen</option></select>",
      );
    Object.assign(document.getElementById("mouse") as HTMLElement, { __reactProps$1: { onClick: () => undefined } });
    document.title = "Other – RAG Workbench";
  });
  expect(
    (await unstructured(page, "")).map((fault) =>
      fault
        .slice(2)
        .replace(/[:<“].*/, "")
        .trim(),
    ),
  ).toEqual([
    "2 headings of level 1",
    "a heading of level 4 follows one of level 1",
    "the tab is called",
    "a landmark without a name",
    "a table without a name",
    "a table without headers",
    "a chart without a text",
    "a chart that is not announced",
    "only a mouse can click",
  ]);
  expect((await unreachable(page, "")).map((fault) => fault.slice(2).replace(/<(\w+).*/, "$1"))).toEqual([
    "Tab does not reach button",
    "the focus is not to be seen on select",
  ]);
  await page.goto(`${at("demo")}/settings`);
  await settled(page);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#pale { color: #999; background: #fff } #none { color: #111; background: #fff } #tiny, #tiny + * { all: unset }");
    document.adoptedStyleSheets = [sheet];
    document
      .querySelector("#main > *")
      ?.insertAdjacentHTML(
        "beforeend",
        "<p id=pale>Pale</p><p id=none>Dark</p><img id=untold src=/icon.svg><a id=nameless href=/runs></a>" +
          "<p><button type=button id=tiny>·</button><button type=button>·</button></p>",
      );
  });
  expect((await inaccessible(page, "")).map((fault) => fault.slice(2).replace(/:.*/, "")).sort()).toEqual([
    "color-contrast (serious) 1 ×, first #pale",
    "image-alt (critical) 1 ×, first #untold",
    "link-name (serious) 1 ×, first #nameless",
    "target-size (serious) 2 ×, first #tiny",
  ]);
});

for (const language of ["en", "ja"] as const) {
  test(`pages in ${language}, light and dark: quiet, accessible, within the window`, async ({ page, request, watch }) => {
    test.setTimeout(900_000);
    if (pictures) mkdirSync(pictures, { recursive: true });
    await prefer(page, language);
    const notes = noted();
    const pair =
      language === "en"
        ? { baseline: notes.baseline, candidate: notes.candidate }
        : { baseline: notes.baselineJa, candidate: notes.candidateJa };
    const views = await viewsOf(request, "demo", {
      baseline: pair.baseline ?? "",
      candidate: pair.candidate ?? "",
      run: pair.candidate ?? "",
    });
    expect(unseen(views), "pages without a view").toEqual([]);
    const faults: string[] = [];
    let checks = 0;
    let dialogs = 0;
    for (const [place, view] of views.entries()) {
      const inThisTurn = schemes(language, place);
      if (inThisTurn.length === 0) continue;
      await page.emulateMedia({ colorScheme: inThisTurn[0] ?? "light" });
      await page.goto(at("demo") + view.path);
      await settled(page);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("#main h1, #main h2").first()).toBeVisible();
      faults.push(...(await overflowing(page, view.name)));
      faults.push(...(await unstructured(page, `${view.name} ${language}`)));
      for (const colours of inThisTurn) {
        await page.emulateMedia({ colorScheme: colours });
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours);
        await still(page);
        faults.push(...(await inaccessible(page, `${view.name} ${language} ${colours}`)));
        if (pictures) await page.screenshot({ path: join(pictures, `${view.name}-${language}-${colours}.png`) });
        checks++;
      }
      if (walked(views, place)) {
        faults.push(...(await unreachable(page, `${view.name} ${language}`)));
        const asked = await dialogsOf(page, `${view.name} ${language}`);
        faults.push(...asked.faults);
        dialogs += asked.count;
      }
      faults.push(...watch.complaints.splice(0).map((c) => `${view.name} ${language}: ${c}`));
    }
    figure(
      `${views.length} views, ${language}: ${checks} of ${2 * views.length} times in light or dark × console, ` +
        `structure, width at ${widths.join(" and ")}, axe: focus of ${dialogs} dialogs: ${faults.length} faults`,
    );
    expect(faults).toEqual([]);
  });
}

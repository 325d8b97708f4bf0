import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inaccessible, overflowing, still, widths } from "./looks.ts";
import { at, expect, figure, noted, prefer, settled, test } from "./watch.ts";
import { faces, full, inTurn, schemes, unseen, viewsOf } from "./views.ts";

/** Where pictures of every page go: artefacts of a build, never part of the repository. */
const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "demo") : "";

test("four turns show every view in every language and colour scheme", () => {
  test.skip(full, "every run with E2E_FULL=1 does");
  for (let place = 0; place < 50; place++)
    for (const way of faces.keys())
      expect([5, 6, 7, 8].filter((turn) => inTurn(place, way, faces.length, turn)).length, `view ${place} in ${faces[way]}`).toBe(1);
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
    for (const [place, view] of views.entries()) {
      const inThisTurn = schemes(language, place);
      if (inThisTurn.length === 0) continue;
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(at("demo") + view.path);
      await settled(page);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("#main h1, #main h2").first()).toBeVisible();
      faults.push(...(await overflowing(page, view.name)));
      for (const colours of inThisTurn) {
        await page.emulateMedia({ colorScheme: colours });
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours);
        await still(page);
        faults.push(...(await inaccessible(page, `${view.name} ${language} ${colours}`)));
        if (pictures) await page.screenshot({ path: join(pictures, `${view.name}-${language}-${colours}.png`) });
        checks++;
      }
      faults.push(...watch.complaints.splice(0).map((c) => `${view.name} ${language}: ${c}`));
    }
    figure(
      `${views.length} views, ${language}: ${checks} of ${2 * views.length} times in light or dark × console, ` +
        `axe (serious, critical), width at ${widths.join(" and ")}: ${faults.length} faults`,
    );
    expect(faults).toEqual([]);
  });
}

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inaccessible, overflowing, still, widths } from "./looks.ts";
import { at, expect, figure, noted, prefer, settled, test } from "./watch.ts";
import { unseen, viewsOf } from "./views.ts";

/** Where pictures of every page go: artefacts of a build, never part of the repository. */
const pictures = join(process.env.E2E_ARTIFACTS ?? join(tmpdir(), "workbench-e2e-pictures"), "demo");

for (const language of ["en", "ja"] as const) {
  test(`every page in ${language}, light and dark: quiet, accessible, within the window`, async ({ page, request, watch }) => {
    test.setTimeout(900_000);
    mkdirSync(pictures, { recursive: true });
    await prefer(page, language);
    const notes = noted();
    const pair = language === "en" ? { baseline: notes.baseline, candidate: notes.candidate } : { baseline: notes.baselineJa, candidate: notes.candidateJa };
    const views = await viewsOf(request, "demo", { baseline: pair.baseline ?? "", candidate: pair.candidate ?? "", run: pair.candidate ?? "" });
    expect(unseen(views), "pages without a view").toEqual([]);
    const faults: string[] = [];
    let checks = 0;
    for (const view of views) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(at("demo") + view.path);
      await settled(page);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.locator("#main h1, #main h2").first()).toBeVisible();
      faults.push(...(await overflowing(page, view.name)));
      for (const colours of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: colours });
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours);
        await still(page);
        faults.push(...(await inaccessible(page, `${view.name} ${language} ${colours}`)));
        await page.screenshot({ path: join(pictures, `${view.name}-${language}-${colours}.png`) });
        checks++;
      }
      faults.push(...watch.complaints.splice(0).map((c) => `${view.name} ${language}: ${c}`));
    }
    figure(`${views.length} views in ${language}, light and dark: ${checks} × console, axe (serious, critical), width at ${widths.join(" and ")}: ${faults.length} faults; pictures in ${pictures}`);
    expect(faults).toEqual([]);
  });
}

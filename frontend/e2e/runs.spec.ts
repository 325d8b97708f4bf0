import { ownCopy } from "./copies.ts";
import { inaccessible, overflowing, still } from "./looks.ts";
import { at, expect, prefer, settled, test } from "./watch.ts";

ownCopy("work");

test("two runs are tagged, the list is saved as a view, and the runs of a sweep are folded into its row", async ({ page, request }) => {
  await prefer(page, "en");
  const reply = await request.get(`${at("work")}/api/v1/runs?kind=evaluate&experiment=airline-en&state=finished&limit=2`);
  const runs = ((await reply.json()) as { items: { run_id: string; sweep_id?: string }[] }).items;
  await page.goto(`${at("work")}/runs?experiment=airline-en&kind=evaluate&state=finished`);

  for (const run of runs) await page.getByRole("checkbox", { name: `Choose ${run.run_id}` }).check();
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await page.getByRole("combobox", { name: "Tags of 2 runs" }).fill("candidate");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Tagged candidate. (2 runs)")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Taken back.")).toBeVisible();
  await expect(page.getByTitle("Only runs tagged candidate")).toHaveCount(0);
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await page.getByRole("combobox", { name: "Tags of 2 runs" }).fill("candidate");
  await page.keyboard.press("Enter");
  await expect(page.getByTitle("Only runs tagged candidate")).toHaveCount(2);
  await page.keyboard.press("Escape");

  const first = runs[0]?.run_id ?? "";
  await page.getByRole("button", { name: `Note beside run ${first}` }).click();
  await page.getByRole("textbox", { name: `Note beside run ${first}` }).fill("to ship on Monday");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("to ship on Monday")).toBeVisible();

  await page.getByTitle("Only runs tagged candidate").first().click();
  await expect(page.getByText("2 runs", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("textbox", { name: "Save what is shown as" }).fill("For Monday");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved the view For Monday.")).toBeVisible();

  await page.goto(`${at("work")}/runs`);
  await settled(page);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: /^For Monday/ }).click();
  await expect(page).toHaveURL(/\?(?=.*tag=candidate)(?=.*state=finished)(?=.*experiment=airline-en)/);
  await expect(page.getByRole("button", { name: "View: For Monday" })).toBeVisible();
  await expect(page.getByText("2 runs", { exact: true })).toBeVisible();

  await page.goto(`${at("work")}/runs?experiment=airline-en&group=sweep&sort=-setup.chunk.size`);
  await settled(page);
  await expect(page.getByRole("checkbox", { name: "Group by sweep" })).toBeChecked();
  const sweep = runs[0]?.sweep_id ?? "";
  await expect(page.getByText(first)).toHaveCount(0);
  await page.getByRole("button", { name: `What is inside airline-en ${sweep}` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(first)).toBeVisible();
  await still(page);
  expect(await inaccessible(page, "runs by sweep")).toEqual([]);
  expect(await overflowing(page, "runs by sweep")).toEqual([]);
});

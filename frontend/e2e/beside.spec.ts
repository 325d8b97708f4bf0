import { at, expect, prefer, settled, test } from "./watch.ts";

test("three runs are chosen in the list, stand side by side, and a verdict leads to its comparison", async ({ page, request }) => {
  await prefer(page, "en");
  const reply = await request.get(`${at("demo")}/api/v1/runs?kind=evaluate&experiment=airline-en&state=finished&limit=3`);
  const runs = ((await reply.json()) as { items: { run_id: string }[] }).items;
  await page.goto(`${at("demo")}/runs?kind=evaluate&experiment=airline-en&state=finished`);
  await expect(page.getByRole("columnheader", { name: "retrieve.k" })).toBeVisible();
  for (const run of runs) await page.getByRole("checkbox", { name: `Choose ${run.run_id}` }).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Runs side by side" })).toBeVisible();
  await expect(
    page.getByText("2 runs were compared with one baseline by 4 intervals: of the change in correctness and trust of each run."),
  ).toBeVisible();
  await settled(page);
  await page
    .getByRole("table", { name: "Questions" })
    .getByRole("link", { name: /better|worse|no change/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/compare\?.*question=/);
});

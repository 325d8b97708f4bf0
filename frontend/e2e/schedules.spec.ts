import type { Locator, Page } from "@playwright/test";
import { ownCopy } from "./copies.ts";
import { at, expect, figure, prefer, pressPair, test } from "./watch.ts";

ownCopy("work", { schedules: true });
test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => prefer(page, "en"));

const name = "e2e-weekly";

/** The time of day in Tokyo that is half a day away, so that no test meets it. */
const hour = String((new Date().getUTCHours() + 9 + 12) % 24).padStart(2, "0");

interface Fire {
  state: string;
  run_id: string;
  low: number;
  scored: number;
  baseline: string;
  previous: string;
  worse: string[];
  newly_worse: string[];
}

/** Moves the focus with Tab until it is where it should be. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  for (let i = 0; i < 80; i++) {
    if (await target.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

/** Writes over what stands in the focused field. */
async function write(page: Page, text: string) {
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

const row = (page: Page) =>
  page
    .getByRole("table", { name: "Schedules" })
    .locator("[data-row]")
    .filter({ has: page.getByRole("link", { name, exact: true }) });

test("a schedule is added by keyboard: a wrong timetable says where, a right one shows the next ten times", async ({ page }) => {
  await page.goto(`${at("work")}/runs`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await pressPair(page, "g", "h");
  await page.waitForURL("**/schedules");
  await tabTo(page, page.getByRole("button", { name: "Add a schedule" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Add a schedule" })).toBeVisible();
  await expect(page.getByText("It needs a name.")).toBeVisible();
  await tabTo(page, page.getByRole("textbox", { name: /^Name/ }));
  await page.keyboard.type(name);
  const experiment = page.getByRole("combobox", { name: "Experiment" });
  await tabTo(page, experiment);
  await page.keyboard.type("airline-en");
  await expect(experiment).toHaveValue(/^airline-en/);
  await tabTo(page, page.getByRole("textbox", { name: /^Timetable/ }));
  const preview = page.getByRole("region", { name: "The next ten times" });
  await write(page, "0 25 * * 1");
  await expect(preview.getByRole("alert")).toContainText("is no time that a schedule can follow.");
  await expect(preview.locator("mark")).toContainText("25");
  await write(page, `30 ${Number(hour)} * * 1-5`);
  await expect(preview.getByRole("status")).toHaveText(`Monday to Friday at ${hour}:30`);
  await expect(preview.getByRole("listitem")).toHaveCount(10);
  await tabTo(page, page.getByRole("combobox", { name: "Time zone" }));
  await write(page, "Asia/Tokio");
  await expect(preview.getByRole("alert")).toContainText("Asia/Tokyo");
  await write(page, "Asia/Tokyo");
  await expect(preview.getByRole("listitem")).toHaveCount(10);
  await expect(preview.getByRole("listitem").first()).toContainText(`${hour}:30 JST`);
  await tabTo(page, page.getByRole("radio", { name: "Catch up with the newest" }));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Catch up with all, at most ten" })).toBeChecked();
  await tabTo(page, page.getByRole("textbox", { name: "Budget of one evaluation" }));
  await page.keyboard.type("2.50");
  await tabTo(page, page.getByRole("checkbox", { name: "ops (webhook)" }));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Add", exact: true }));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/schedules/${name}`);
  await expect(page.getByText("No time has come yet.")).toBeVisible();
  await expect(page.getByText(`Monday to Friday at ${hour}:30`)).toBeVisible();
  await expect(page.getByText("2.5 USD", { exact: true })).toBeVisible();
  await expect(page.getByText("Catch up with all, at most ten, within 24 h")).toBeVisible();
});

test("it is paused and resumed, and the list says so", async ({ page }) => {
  await page.goto(`${at("work")}/schedules/${name}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("paused by a person")).toBeVisible();
  await page.goto(`${at("work")}/schedules`);
  await expect(row(page)).toContainText("paused by a person");
  await row(page).getByRole("link", { name, exact: true }).click();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText(new RegExp(`^Next: .* ${hour}:30 \\(`))).toBeVisible();
  await expect(page.getByText("paused by a person")).toHaveCount(0);
});

test("it is edited, and what is wrong stands at its field", async ({ page, watch }) => {
  await page.goto(`${at("work")}/schedules/${name}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("textbox", { name: /^Name/ })).toBeDisabled();
  const budget = page.getByRole("textbox", { name: "Budget of one evaluation" });
  await expect(budget).toHaveValue("2.5");
  await budget.fill("much");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(budget).toHaveAttribute("aria-invalid", "true");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("422"))).toEqual([]);
  await budget.fill("300");
  await page.getByRole("combobox", { name: "Unit: Budget of one evaluation" }).selectOption("calls");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("300 calls", { exact: true })).toBeVisible();
  await expect(page.getByText("2.5 USD", { exact: true })).toHaveCount(0);
});

test("run now asks first, and the fire appears as ran, with its numbers and its run", async ({ page, request }) => {
  await page.goto(`${at("work")}/schedules/${name}`);
  await page.getByRole("button", { name: "Run now…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("None has run yet, so nobody knows what it costs.");
  await expect(dialog).toContainText("It buys within 300 calls.");
  const began = Date.now();
  await dialog.getByRole("button", { name: "Run now", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  const fires = page.getByRole("table", { name: "Evaluations" });
  const fire = fires.locator("tbody[data-state=ran]");
  await expect(fire).toHaveCount(1, { timeout: 240_000 });
  figure(`a fire of an experiment of the demo, asked for in the page: shown as ran after ${((Date.now() - began) / 1000).toFixed(1)} s`);
  const { items } = (await (await request.get(`${at("work")}/api/v1/schedules/${name}/fires`)).json()) as { items: Fire[] };
  const [made] = items;
  expect(items).toHaveLength(1);
  expect(made?.scored).toBeGreaterThan(0);
  await expect(fire).toContainText(`${made?.low} of ${made?.scored}`);
  await expect(fire).toContainText("asked for by hand");
  expect(made?.baseline).not.toBe("");
  await expect(fire).toContainText(`${made?.newly_worse.length} worse than the baseline, no earlier evaluation`);
  await expect(fire.getByRole("link", { name: "Compared with the baseline" })).toHaveAttribute(
    "href",
    `/compare?baseline=${made?.baseline}&candidate=${made?.run_id}`,
  );
  const workbook = await request.get(at("work") + ((await fire.getByRole("link", { name: "Workbook" }).getAttribute("href")) ?? ""));
  expect(workbook.headers()["content-type"]).toContain("spreadsheet");
  if ((made?.newly_worse.length ?? 0) > 0) {
    const told = page.getByRole("table", { name: "Messages" }).locator("tbody").filter({ hasText: "newly worse" });
    await expect(told).toContainText("delivered");
    await told.getByText("1 try").click();
    await expect(told.getByRole("listitem")).toContainText(/delivered \(\d+ ms\)/);
  }
  await fire.getByRole("link", { name: "Run", exact: true }).click();
  await page.waitForURL(`**/runs/${made?.run_id}`);
  await expect(page.getByText("finished", { exact: true }).first()).toBeVisible();
});

test("a channel is tested, and what came of it is said", async ({ page }) => {
  await page.goto(`${at("work")}/schedules`);
  await expect(row(page)).toContainText("ran");
  await page.getByRole("button", { name: "Test ops" }).click();
  await expect(page.getByRole("status").filter({ hasText: "delivered" })).toContainText(/\d ms/);
  await expect(page.getByText("environment variable WORKBENCH_E2E_GONE is not set or cannot be used")).toBeVisible();
  await page.getByRole("button", { name: "Test gone" }).click();
  await expect(page.getByRole("status").filter({ hasText: "given up" })).toContainText(
    "an environment variable of the channel is not set or cannot be used",
  );
});

test("a row of the list has room for why its gate failed, in both languages", async ({ page }) => {
  const gates: Partial<Fire>[] = [
    { worse: [], newly_worse: [], previous: "f0" },
    { worse: ["q1", "q2"], newly_worse: [], previous: "f0" },
    { worse: ["q1", "q2"], newly_worse: ["q2"], previous: "f0" },
    { worse: ["q1", "q2"], newly_worse: ["q1", "q2"], previous: "" },
  ];
  await page.route(/\/api\/v1\/schedules(\?.*)?$/, async (route) => {
    const body = await (await route.fetch()).json();
    const [first] = body.items;
    const last = {
      ...first.last,
      state: "ran",
      reason: "",
      low: 3,
      scored: 40,
      gate: "FAIL",
      baseline: "b0",
      nominal_at: first.next_at ?? "2026-01-05T06:00:00Z",
    };
    body.items = gates.map((gate, i) => ({ ...first, name: `weekly-${i}`, last: { ...last, ...gate } }));
    await route.fulfill({ json: body });
  });
  for (const language of ["en", "ja"] as const) {
    await prefer(page, language);
    await page.goto(`${at("work")}/schedules`);
    const rows = page.locator("[data-row]");
    await expect(rows).toHaveCount(gates.length);
    for (const row of await rows.all()) {
      const over = await row.evaluate((e) => {
        const box = e.getBoundingClientRect();
        const bottom = Math.max(...Array.from(e.querySelectorAll("*"), (inner) => inner.getBoundingClientRect().bottom));
        const cut = Array.from(e.querySelectorAll("div[title]")).some((inner) => inner.scrollHeight > inner.clientHeight + 1);
        return { below: Math.round(bottom - box.bottom), cut };
      });
      expect(over.below, await row.innerText()).toBeLessThanOrEqual(0);
      expect(over.cut, await row.innerText()).toBe(false);
    }
  }
});

test("it is deleted after a question, and is gone", async ({ page, watch }) => {
  await page.goto(`${at("work")}/schedules/${name}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("What it evaluated stays");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/schedules");
  await expect(page.getByRole("heading", { level: 1, name: "Schedules" })).toBeVisible();
  await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  watch.quiet("after deleting");
  await page.goto(`${at("work")}/schedules/${name}`);
  await expect(page.getByRole("alert")).toContainText("There is no such schedule.");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("404"))).toEqual([]);
});

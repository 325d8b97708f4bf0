import { ownCopy } from "./copies.ts";
import { workbench } from "./program.ts";
import { at, expect, figure, folderOf, noted, prefer, test } from "./watch.ts";

ownCopy("work");
test.describe.configure({ mode: "serial" });
test.beforeEach(({ page }) => prefer(page, "en"));

test("an experiment is cloned, edited, priced, started, and its run followed to the end", async ({ page }) => {
  let streams = 0;
  page.on("request", (r) => {
    if (r.url().endsWith("/events")) streams++;
  });
  // The run may have ended before its page asks for it: what the page hears first is that it is under way, as if it had asked sooner.
  await page.route(
    /\/api\/v1\/runs\/[0-9a-f]{12}$/,
    async (route) => {
      const response = await route.fetch();
      const detail = (await response.json()) as { row: { state: string } };
      detail.row.state = "running";
      await route.fulfill({ response, json: detail });
    },
    { times: 1 },
  );
  await page.goto(`${at("work")}/experiments/airline-en`);
  await page.getByRole("button", { name: "Clone" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Clone of airline-en" })).toBeVisible();
  const name = page.getByRole("textbox", { name: /^Name/ });
  await expect(name).toHaveValue(/^airline-en-/);
  await name.fill("airline-en-fewer");
  const remove = page.getByRole("button", { name: /^Remove / });
  await expect(remove.first()).toBeVisible();
  for (let left = await remove.count(); left > 0; left--) {
    await remove.first().click();
    await expect(remove).toHaveCount(left - 1);
  }
  await page.getByText("What the chunks would be").click();
  const cut = page.getByText(/^\d+ chunks?\./);
  await expect(cut).toBeVisible();
  const whole = await cut.textContent();
  const size = page.getByLabel("Chunk size", { exact: true });
  const usual = await size.inputValue();
  await size.fill("200");
  await expect(cut).not.toHaveText(whole ?? "");
  await size.fill(usual);
  await expect(cut).toHaveText(whole ?? "");
  await page.getByLabel("Headings before each chunk").selectOption("title");
  await expect(page.getByText("The document's title is searched with every chunk; places stay the same.")).toBeVisible();
  await page.getByLabel("Headings before each chunk").selectOption("none");
  const embedding = page.getByLabel("Provider of the embedding model", { exact: true });
  const usualModel = await page.locator("select", { has: page.locator("option[value=ngram]") }).inputValue();
  await embedding.selectOption("openai");
  await page.getByRole("textbox", { name: /^Embedding model/ }).fill("intfloat/multilingual-e5-large");
  const missing = page.getByText(/^⚠ This model finds less without its prefixes: .*“query: ” and “passage: ”/);
  await expect(missing).toBeVisible();
  await expect(page.getByLabel("Dimensions", { exact: true })).toBeVisible();
  for (const prefix of ["Query prefix", "Passage prefix"]) await page.getByLabel(prefix).fill("auto");
  await expect(missing).toBeHidden();
  for (const prefix of ["Query prefix", "Passage prefix"]) await page.getByLabel(prefix).fill("");
  await expect(missing).toBeVisible();
  await embedding.selectOption("offline");
  await page.locator("select", { has: page.locator("option[value=ngram]") }).selectOption(usualModel);
  await page.getByLabel("Passages given to the model (k)").fill("2");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("✓ The definition is right.")).toBeVisible();
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForURL("**/experiments/airline-en-fewer");
  await page.getByRole("button", { name: "Run…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/1 runs?, 198 questions: nothing to buy\./)).toBeVisible();
  const began = Date.now();
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/\/runs\/[0-9a-f]{12}$/);
  await expect(page.getByText("finished", { exact: true }).first()).toBeVisible({ timeout: 240_000 });
  await expect(page.locator("figure svg[role=group]").first()).toBeVisible();
  // While the run is read once more its progress says the same above the table.
  await expect(page.locator("[aria-live]", { hasText: /^198 of 198 questions$/ })).toBeVisible();
  expect(streams, "the page follows the run by events").toBeGreaterThan(0);
  figure(`a run of 198 questions started in the page: finished and shown after ${((Date.now() - began) / 1000).toFixed(1)} s`);
});

test("a sheet is uploaded, a column mapped by hand, and stored as a version", async ({ page }) => {
  await page.goto(`${at("work")}/datasets`);
  await page.getByRole("button", { name: /Import/ }).click();
  const csv =
    "id,question,Wzorzec,Uwagi\na1,How much is a bag?,It is 30 dollars.,Prices of this year\na2,When are refunds paid?,Within 7 days.,Ask the counter first\n";
  await page.locator("input[type=file]").setInputFiles({ name: "airline-sheet.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  const column = page.getByRole("combobox", { name: /Wzorzec/ });
  await expect(column).toBeVisible();
  await expect(page.getByText("Which column holds the right answer is unclear.")).toBeVisible();
  await expect(column).not.toHaveValue("reference");
  await expect(page.getByRole("row", { name: /Uwagi/ })).toContainText("Ask the counter first");
  await expect(page.getByRole("row", { name: /Uwagi/ })).toContainText("its name says nothing that is known");
  await column.selectOption("reference");
  await expect(page.getByText("✓ No problems found.")).toBeVisible();
  await page
    .getByRole("button", { name: /2/ })
    .and(page.getByRole("button", { name: /Store/ }))
    .click();
  await page.waitForURL("**/datasets/airline-sheet");
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("1");
  await expect(page.getByRole("table").locator("[data-row]")).toHaveCount(2);
  await expect(page.getByRole("table")).toContainText("It is 30 dollars.");
});

test("an edited reference makes the next version and leaves the old one", async ({ page }) => {
  await page.goto(`${at("work")}/datasets/airline-sheet?open=a1`);
  const panel = page.getByRole("complementary", { name: "a1" });
  await expect(panel).toBeVisible();
  await page.keyboard.press("e");
  await panel.getByLabel("Reference", { exact: true }).fill("It is 35 dollars.");
  await panel.getByRole("button", { name: /version/i }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /version/i })
    .click();
  const version = page.getByRole("combobox", { name: "Version" });
  await expect(version).toHaveValue("2");
  await expect(page.getByRole("table")).toContainText("It is 35 dollars.");
  await version.selectOption("1");
  await expect(page.getByRole("table")).toContainText("It is 30 dollars.");
});

test("a document shows its evidence, and how any chunker would cut it", async ({ page }) => {
  await page.goto(`${at("work")}/corpora/airline-en`);
  const documents = page.getByRole("table", { name: "Documents" }).locator("[data-row]");
  await expect(documents.first()).toBeVisible();
  await expect(page.locator("#main mark").first()).toBeVisible();
  await page.getByText("Chunks", { exact: true }).click();
  const cut = page.getByText(/^\d+ chunks?\./);
  await expect(cut).toBeVisible();
  const before = await cut.textContent();
  await page.getByLabel("Chunk size").fill("200");
  await expect(page).toHaveURL(/size=200/);
  await expect(cut).not.toHaveText(before ?? "");
  const many = await page.locator("#main ol > li").count();
  expect(many).toBeGreaterThan(1);
  await page.getByLabel("Chunks counted in").selectOption("sentences");
  await expect(page).toHaveURL(/by=sentences/);
  await expect(cut).toBeVisible();
});

test("a run without a baseline offers the runs that it can be compared with, or says why there is none", async ({ page, request }) => {
  const { items } = (await (await request.get(`${at("work")}/api/v1/runs?kind=evaluate&state=finished&dataset=airline-en`)).json()) as {
    items: { run_id: string; baseline: boolean }[];
  };
  const [run] = items.filter((r) => !r.baseline);
  await page.route("**/api/v1/runs?*", (route) => {
    if (!route.request().url().includes("dataset=")) return route.continue();
    return route.fulfill({ json: { items: [], next_cursor: "", total: 0 } });
  });
  const choose = async () => {
    await page.goto(`${at("work")}/runs/${run?.run_id}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Compare with…" }).click();
  };
  await choose();
  await expect(page.getByRole("dialog").getByRole("link", { name: "Run another configuration" })).toBeVisible();
  await page.unroute("**/api/v1/runs?*");
  await choose();
  await page.getByRole("dialog").getByRole("button").nth(1).click();
  await page.waitForURL(/compare\?.*candidate=/);
  await expect(page.getByRole("region", { name: "Result" })).toBeVisible();
});

test("a whole folder is dropped: every file below it is listed with its place", async ({ page }) => {
  await page.goto(`${at("work")}/corpora?import=1`);
  await page.getByText("Drop files or a whole folder here, or").evaluate((zone) => {
    const file = (path: string) => ({
      isFile: true,
      isDirectory: false,
      name: path.split("/").pop(),
      fullPath: path,
      file: (done: (f: File) => void) => done(new File(["text"], path.split("/").pop() ?? "")),
    });
    const folder = (path: string, parts: object[][]) => ({
      isFile: false,
      isDirectory: true,
      name: path.split("/").pop(),
      fullPath: path,
      createReader: () => ({ readEntries: (done: (e: object[]) => void) => done(parts.shift() ?? []) }),
    });
    const below = folder("/manual/ja", [[file("/manual/ja/b.md")]]);
    const root = folder("/manual", [
      [file("/manual/z.md"), below],
      [file("/manual/a.md"), file("/manual/.hidden")],
    ]);
    const drop = new Event("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(drop, "dataTransfer", { value: { files: [], items: [{ webkitGetAsEntry: () => root }] } });
    zone.dispatchEvent(drop);
  });
  await expect(page.locator("#main li .mono")).toHaveText(["manual/a.md", "manual/ja/b.md", "manual/z.md"]);
  await expect(page.getByRole("textbox", { name: /^Name/ })).toHaveValue("manual");
});

test("a notebook of the gallery asks for corpus and dataset and opens without errors", async ({ page }) => {
  await page.goto(`${at("work")}/notebooks?new=weekly`);
  const dialog = page.getByRole("dialog");
  const name = dialog.getByLabel("Name of the notebook");
  await expect(name).toHaveValue("weekly"); // which the dialog sets by itself, and would put before what is typed meanwhile
  await name.fill("own-weekly");
  await dialog.getByLabel("Dataset").selectOption("airline-sheet");
  await dialog.getByLabel("Corpus").selectOption("airline-en");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForURL("**/notebooks/own-weekly");
  await expect(page.locator("[data-cell=no_baseline]")).toContainText("No baseline is pinned");
  await expect(page.locator("[data-cell] [role=alert]")).toHaveCount(0);
});

test("the connection to a provider is tested from the settings", async ({ page }) => {
  await page.goto(`${at("work")}/settings`);
  await page.getByRole("button", { name: "Test" }).first().click();
  await expect(page.getByText(/^✓ works, \d+ ms$/)).toBeVisible();
});

test("a server of models is added in the settings: refused where it may not be, tested, changed, removed and taken back", async ({
  page,
  watch,
}) => {
  await page.goto(`${at("work")}/settings`);
  await page.getByRole("button", { name: "Add a server…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("house");
  await dialog.getByLabel("Models").fill("embed-1\nwriter");
  await expect(dialog.locator("code")).toHaveText("workbench providers key house VARIABLE");
  for (const [address, said] of [
    ["file:///etc/passwd", "must begin with https://"],
    ["https://169.254.169.254/v1", "169.254.169.254 is not on the internet."],
    ["https://me:secret@api.example.com/v1", "holds a user name or a password"],
  ] as const) {
    await dialog.getByLabel("Base address").fill(address);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await expect(dialog.getByRole("alert")).toContainText(said);
  }
  expect(watch.complaints.splice(0).filter((c) => !c.includes("422"))).toEqual([]);
  await dialog.getByLabel("Base address").fill(noted().provider ?? "");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole("table", { name: "Providers of models" }).getByRole("row", { name: /^house/ });
  await expect(row).toContainText("workbench providers key house VARIABLE");
  await row.getByLabel("embeds").check();
  await row.getByRole("button", { name: "Test" }).click();
  await expect(row.getByText(/^✓ works, \d+ ms$/)).toBeVisible();
  await row.getByRole("button", { name: "Edit house" }).click();
  await dialog.getByLabel("Requests at a time, at most").fill("3");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("3");
  await row.getByRole("button", { name: "Remove house" }).click();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(row).toBeHidden();
  const undo = page.getByRole("status").filter({ hasText: "house was removed." });
  await undo.getByRole("button", { name: "Take it back" }).click();
  await expect(row).toBeVisible();
  await expect(undo).toBeHidden();
  await page.goto(`${at("work")}/experiments/airline-en-writers?view=edit`);
  await page.getByRole("combobox", { name: "Provider of the judge", exact: true }).selectOption("house");
  await expect(page.locator("datalist option[value=writer]").first()).toBeAttached();
});

test("the gate is asked from a comparison, by rules that people write, and the command shown for CI decides the same", async ({
  page,
  watch,
}) => {
  const { baseline = "", candidate = "" } = noted();
  await page.goto(`${at("work")}/compare?baseline=${baseline}&candidate=${candidate}`);
  const more = page.getByRole("button", { name: "More", exact: true });
  await more.click();
  await page.getByRole("menuitem", { name: "Release check…" }).click();
  const dialog = page.getByRole("dialog", { name: "May the candidate replace the baseline?" });
  const said = dialog.getByRole("status");
  await expect(said).toContainText(/FAIL It may not\./);
  await dialog.getByLabel("Lowest means").fill("correctness >= 5");
  await expect(said).toContainText(/checks failed \(threshold: correctness/);
  const command = await dialog.locator("code").innerText();
  expect(command).toBe(`workbench gate ${baseline} ${candidate} --min "correctness >= 5"`);
  const decided = await workbench(folderOf("work"), "gate", baseline, candidate, "--min", "correctness >= 5").then(
    () => 0,
    (error: { code?: unknown }) => error.code,
  );
  expect(decided, "exit code of a gate that fails").toBe(3);
  await dialog.getByLabel("Lowest means").fill("correctness is good");
  await expect(dialog.getByRole("alert")).toContainText("correctness is good");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("422"))).toEqual([]);
  await dialog.getByLabel("Lowest means").fill("");
  await expect(said).toContainText(/It may not\./);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
  await more.click();
  await page.getByRole("menuitem", { name: "Release check…" }).click();
  await dialog.getByLabel("Allowance").fill("5");
  await dialog.getByRole("button", { name: "Use these limits on this page" }).click();
  await expect(page).toHaveURL(/allowance=0\.05/);
  await expect(page.getByText("at most 5% of the answers are allowed to be worse.")).toBeVisible();
});

test("a study is verified in the settings: with the wrong digest it is refused, without one computed again", async ({ page, watch }) => {
  const run = await workbench<{ run_id: string }>(folderOf("work"), "run", "airline-en", "--limit", "4");
  const study = await (await page.request.get(`${at("work")}/api/v1/runs/${run.run_id}/study.zip`)).body();
  await page.goto(`${at("work")}/settings`);
  const card = page.locator("section", { has: page.getByRole("heading", { name: "Verify a study" }) });
  const start = card.getByRole("button", { name: "Verify", exact: true });
  await expect(start).toBeDisabled();
  await card.locator("input[type=file]").setInputFiles({ name: "study.zip", mimeType: "application/zip", buffer: study });
  await card.getByLabel("Digest").fill("0".repeat(64));
  await start.click();
  await expect(card.getByRole("alert")).toContainText("digest");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("422"))).toEqual([]);
  await card.getByLabel("Digest").fill("");
  await start.click();
  // How far it is and what came of it are both told to who cannot see them.
  const said = card.getByRole("status").filter({ hasText: /were computed again and are equal/ });
  await expect(said).toContainText("equal");
  await expect(said.getByRole("listitem").first()).toContainText(/^Run [0-9a-f]{12}: 4 of 4 questions verified, (\d+) of \1 scores/);
});

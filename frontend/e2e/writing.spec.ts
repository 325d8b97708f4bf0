import { readFileSync, writeFileSync } from "node:fs";
import { cell, editorIn, fileOf, open, saved, write } from "./books.ts";
import { ownCopy } from "./copies.ts";
import { at, expect, noted, prefer, pressPair, settled, test } from "./watch.ts";

ownCopy("work");
test.beforeEach(({ page }) => prefer(page, "en"));

test.describe("a notebook written by keys", () => {
  test.describe.configure({ mode: "serial" });

  test("keys alone: insert, write, complete, move, remove, undo, redo, make a note, fold", async ({ page }) => {
    await open(
      page,
      "by-keys",
      `---\nragnb: 1\ntitle: Keys\n---\n\n\`\`\`rag corpus docs\nsource: airline-en\n\`\`\`\n\n\`\`\`rag dataset qa\nsource: airline-en\nlimit: 5\n\`\`\`\n`,
    );
    const names = () => page.locator("[data-cell]").evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset.cell));
    await expect(cell(page, "docs")).toBeFocused();
    const choose = async (press: string, where: string, step: string, type: string) => {
      await page.keyboard.press(press);
      const dialog = page.getByRole("dialog", { name: where });
      await expect(dialog.locator("button:focus")).toContainText("prose");
      for (let i = 0; i < 20 && !(await dialog.locator("button:focus strong").textContent())?.includes(type); i++)
        await page.keyboard.press(step);
      await page.keyboard.press("Enter");
    };
    await choose("b", "Insert below", "ArrowDown", "config");
    await expect.poll(names).toEqual(["docs", "config", "qa"]);
    await page.keyboard.press("Escape");
    await expect(cell(page, "config")).toBeFocused();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(names).toEqual(["docs", "qa", "config"]);
    await expect(cell(page, "config")).toBeFocused();
    await choose("b", "Insert below", "j", "run");
    await expect.poll(names).toEqual(["docs", "qa", "config", "run"]);
    await expect(cell(page, "run")).toContainText("never been run");
    await expect(
      cell(page, "run")
        .getByLabel(/^configs/)
        .first(),
    ).toHaveValue("config");
    await page.keyboard.press("Shift+Enter");
    await expect(cell(page, "run")).toHaveAttribute("data-state", /fresh|error/);
    await choose("a", "Insert above", "ArrowDown", "note");
    await expect.poll(names).toEqual(["docs", "qa", "config", "note", "run"]);
    await expect(cell(page, "note").getByRole("textbox").first()).toBeFocused();
    await page.keyboard.type("There are {{ qa.co");
    await page.keyboard.press("Control+Space");
    await expect(page.locator(".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)").getByRole("option").first()).toContainText(
      "qa.count",
    );
    const slow = await page.context().newCDPSession(page); // somebody types faster than the page draws
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 20 });
    await page.keyboard.press("Enter");
    await page.keyboard.type(" }} questions.");
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await page.keyboard.press("Escape");
    await expect(cell(page, "note")).toContainText("There are 5 questions.");
    await pressPair(page, "d", "d");
    await expect.poll(names).toEqual(["docs", "qa", "config", "run"]);
    await page.keyboard.press("z");
    await expect.poll(names).toEqual(["docs", "qa", "config", "note", "run"]);
    await page.keyboard.press("Shift+Z");
    await expect.poll(names).toEqual(["docs", "qa", "config", "run"]);
    await page.keyboard.press("o");
    await expect(cell(page, "run")).toContainText("The output is folded.");
    for (let i = 0; i < 3; i++) await page.keyboard.press("k");
    await expect(cell(page, "docs")).toBeFocused();
    await page.keyboard.press("m");
    await expect(cell(page, "docs")).toHaveAttribute("aria-label", "Cell note docs");
    await page.keyboard.press("z");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toContainText("Run and go to the next");
    await page.keyboard.press("Escape");
    await saved(page);
  });

  test("mistakes stand beside their cell and line, and the text stays", async ({ page }) => {
    await page.goto(`${at("work")}/notebooks/by-keys?view=text`);
    await editorIn(page.locator("#main")).focus();
    await page.keyboard.press("ControlOrMeta+F");
    await page.getByRole("textbox", { name: "Find" }).fill("limit: 5");
    await page.getByRole("textbox", { name: "Replace by" }).fill("limmit: 5");
    await page.getByRole("button", { name: "Replace all" }).click();
    await expect(page.getByRole("alert")).toContainText("limit");
    await expect(page.locator(".cm-lintRange-error")).toHaveText("5");
    await saved(page);
    await page.getByText("Cells", { exact: true }).click();
    await expect(cell(page, "qa").getByRole("alert")).toContainText("limmit");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(cell(page, "qa").getByRole("alert")).toHaveCount(0);
  });
});

test("prose is shown while it is written, as reading mode shows it, by keys alone", async ({ page, watch }) => {
  await open(page, "previewed", "---\nragnb: 1\ntitle: T\n---\n\nFirst.\n\n```rag dataset qa\nsource: airline-en\n```\n");
  const prose = page.locator("[data-prose]");
  await expect(prose).toBeFocused();
  await page.keyboard.press("Enter");
  const preview = prose.getByRole("region", { name: "Preview" });
  await expect(preview.locator("p").last()).toHaveText("First.");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(
    "A title\n=======\n\n<b onclick=x>Of</b> {{ qa.count }} *questions* [bad](javascript:x) ![pic](https://x.example/p)\n",
  );
  await expect(preview.getByRole("heading", { name: "A title", level: 2 })).toBeVisible();
  await expect(preview.locator("[title='qa.count']")).toHaveText("198");
  const shown = ["A title", "<b onclick=x>Of</b> 198 questions bad pic"];
  await expect(preview.locator("h2, p:not([aria-hidden])")).toHaveText(shown);
  await page.keyboard.press("Escape");
  await expect(prose.locator("h2, p")).toHaveText(shown);
  await expect(prose.locator("em")).toHaveText("questions");
  await expect(prose.locator("a, img, b")).toHaveCount(0);
  await saved(page);
  await page.goto(`${at("work")}/notebooks/previewed?view=read`);
  await expect(
    page
      .locator("article")
      .locator("h2, p")
      .filter({ hasText: /title|Of/ }),
  ).toHaveText(shown);
  expect(watch.complaints.splice(0)).toEqual([]);
});

test("a conflict with the file on disk is noticed; both texts can be seen, and either is kept", async ({ page, watch }) => {
  await page.route(/\/follow\?/, (route) => route.fulfill({ status: 204 })); // else the newer text would be there before ours is written
  await open(page, "contested", `---\nragnb: 1\ntitle: T\n---\n\nOurs and theirs.\n`);
  const ours = async (text: string) => {
    await page.keyboard.press("Enter");
    await write(editorIn(page.locator("[data-editor]")), text);
    await page.keyboard.press("Escape");
  };
  const theirs = (text: string) => writeFileSync(fileOf("contested"), `---\nragnb: 1\ntitle: T\n---\n\n${text}\n`);
  await expect(page.locator("[data-prose]")).toBeFocused();
  theirs("Theirs alone.");
  await ours("Ours alone.\n");
  const notice = page.getByRole("alert", { name: "The file changed on disk." });
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: "Show both" }).click();
  await expect(page.getByRole("dialog").locator("del").first()).toContainText("Theirs");
  await expect(page.getByRole("dialog").locator("ins").first()).toContainText("Ours");
  await page.keyboard.press("Escape");
  await notice.getByRole("button", { name: "Keep mine" }).click();
  await saved(page);
  expect(readFileSync(fileOf("contested"), "utf8")).toContain("Ours alone.");
  await page.locator("[data-prose]").click();
  theirs("Theirs again.");
  await ours("Ours again.\n");
  await expect(notice).toBeVisible();
  await page.reload();
  await expect(notice, "what was not saved survives a reload").toBeVisible();
  await expect(page.locator("[data-prose]")).toContainText("Ours again.");
  await notice.getByRole("button", { name: "Take theirs" }).click();
  await expect(page.locator("[data-prose]")).toContainText("Theirs again.");
  expect(readFileSync(fileOf("contested"), "utf8")).toContain("Theirs again.");
  expect(watch.complaints.splice(0).filter((c) => !c.includes("409"))).toEqual([]);
});

test("what is on screen is sent to a notebook: a comparison, a run's chart, a question", async ({ page }) => {
  const { baseline = "", candidate = "" } = noted();
  await open(page, "collected", `---\nragnb: 1\ntitle: Collected\n---\n\nWhat was found.\n`);
  const sendTo = async (after = "At the end") => {
    await page.getByLabel("Notebook", { exact: true }).selectOption("collected");
    if (after !== "At the end") await page.getByLabel("Place").selectOption(after);
    await page.getByRole("button", { name: "Add the cell" }).click();
    await expect(page.getByText(/^Added to notebook collected, at /)).toBeVisible();
  };
  await page.goto(`${at("work")}/compare?baseline=${baseline}&candidate=${candidate}`);
  await page.getByRole("button", { name: "Send to notebook" }).first().click();
  await sendTo();
  await page.goto(`${at("work")}/runs/${candidate}`);
  await page
    .locator("section")
    .filter({ has: page.locator("figure") })
    .getByRole("button", { name: "Send to notebook" })
    .first()
    .click();
  await sendTo();
  await page.goto(`${at("work")}/runs/${candidate}`);
  await settled(page); // the rows move while the charts above them arrive
  await page.getByRole("table", { name: "Questions" }).locator("[data-row]").first().click();
  await page.getByRole("complementary").getByRole("button", { name: "Send to notebook" }).click();
  await sendTo("After compare (compare)");
  await page.getByRole("button", { name: "Open the notebook" }).click();
  await expect(page.locator("[data-cell]")).toHaveCount(3);
  expect(await page.locator("[data-cell]").evaluateAll((all) => all.map((c) => c.getAttribute("data-cell")))).toEqual([
    "compare",
    "question",
    "failures",
  ]);
  await expect(cell(page, "compare")).toContainText("Open the comparison");
  await expect(cell(page, "failures").locator("figure svg[role=group]")).toBeVisible();
  await expect(cell(page, "question")).toContainText("Correctness");
});

test("a finished sweep is a heat map by theme and k after three clicks, and its runs come with their results", async ({ page }) => {
  const sweeps = await page.request.get(`${at("work")}/api/v1/runs?kind=sweep&q=airline-en`);
  const { items } = (await sweeps.json()) as { items: { run_id: string; experiment: string }[] };
  const sweep = items.find((r) => r.experiment === "airline-en")?.run_id;
  await page.goto(`${at("work")}/sweeps/${sweep}`);
  await page.getByRole("button", { name: "Send to notebook" }).click();
  await expect(page.getByLabel("Notebook", { exact: true })).toHaveValue("");
  await page.getByRole("button", { name: "Add the cell" }).click();
  await page.getByRole("button", { name: "Open the notebook" }).click();
  await expect(cell(page, "theme_by_k_map")).toHaveAttribute("data-state", "fresh");
  await expect(cell(page, "theme_by_k_map").getByText("Correctness by k and theme")).toBeVisible();
  await expect(cell(page, "theme_by_k_map").getByText("(1 to 5, higher is better)").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "airline-en-theme-k" })).toBeVisible();
  await expect(cell(page, "theme_by_k")).toContainText("Partners and connections"); // a theme has one name in table and chart

  await page.goto(`${at("work")}/sweeps/${sweep}`);
  await page.getByRole("button", { name: "Send to notebook" }).click();
  await page.getByLabel("As", { exact: true }).selectOption({ label: "What was run: corpus, dataset, configurations and runs as cells" });
  await page.getByRole("button", { name: "Add the cell" }).click();
  await page.getByRole("button", { name: "Open the notebook" }).click();
  await expect(cell(page, "run")).toHaveAttribute("data-state", "fresh");
});

test("a name and Enter, pressed twice, make one notebook with that name", async ({ page }) => {
  await page.goto(`${at("work")}/notebooks?new=empty`);
  const made: string[] = [];
  page.on("request", (r) => r.method() === "POST" && r.url().endsWith("/api/v1/notebooks") && made.push(r.url()));
  await page.getByLabel("Name of the notebook").fill("theme-by-k");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "theme-by-k" })).toBeVisible();
  expect(made).toHaveLength(1);
});

test("readers see no cells, in either language, and can print", async ({ page }) => {
  await page.goto(`${at("demo")}/notebooks/airline-study?view=read`);
  await expect(page.getByRole("heading", { name: "Result" })).toBeVisible();
  await expect(page.locator("[data-cell]")).toHaveCount(0);
  await page.locator("#main").getByText("日本語").click();
  await expect(page.getByRole("heading", { name: "結果" })).toBeVisible();
  await expect(page.locator("article")).toHaveAttribute("lang", "ja");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toBeHidden();
});

test("a sealed snapshot is listed and opens read-only; a removed notebook is taken back", async ({ page }) => {
  await open(page, "sealed", `---\nragnb: 1\ntitle: To be sealed\n---\n\nText.\n\n\`\`\`rag dataset qa\nsource: airline-en\n\`\`\`\n`);
  const said = await page.request.post(`${at("work")}/api/v1/notebooks/sealed/comments`, {
    data: { cell: "qa", text: "Are these *all*? <b>x</b>" },
  });
  expect(said.ok()).toBe(true);
  await page.getByRole("button", { name: "More for the notebook" }).click();
  await page.getByRole("checkbox", { name: "With comments" }).click();
  await page.getByRole("menuitem", { name: "Seal a snapshot here" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Sealed\.$/ })).toBeVisible();
  await page.goto(`${at("work")}/notebooks`);
  await settled(page); // the list of notebooks, which comes when it likes, pushes the snapshots down: a click would hit what is not there
  await page
    .getByRole("region", { name: "Sealed snapshots" })
    .getByRole("link", { name: /^sealed/ })
    .click();
  await expect(page.getByText("Sealed snapshot, read-only")).toBeVisible();
  await expect(cell(page, "qa")).toBeVisible();
  await expect(page.getByRole("button", { name: /Insert|Edit|Run/ })).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-editor]")).toHaveCount(0);
  await page.goto(`${page.url()}&view=read&lang=ja`);
  const remarks = page.getByRole("region", { name: "Comment (1)" });
  await expect(remarks.getByRole("listitem")).toHaveText(/qa.*Are these all\? <b>x<\/b>/);
  await expect(remarks.getByRole("emphasis")).toHaveText("all");
  await page.goto(`${at("work")}/notebooks/sealed`);
  await page.getByRole("button", { name: "More for the notebook" }).click();
  await page.getByRole("menuitem", { name: "Remove the notebook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  const undo = page.getByRole("status").filter({ hasText: "sealed was removed." });
  await undo.getByRole("button", { name: "Take it back" }).click();
  await page.waitForURL(/\/notebooks\/sealed/);
  await expect(cell(page, "qa")).toBeVisible();
});

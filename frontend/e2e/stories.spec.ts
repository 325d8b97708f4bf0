import type { Page } from "@playwright/test";
import { at, expect, figure, noted, prefer, pressPair, settled, test } from "./watch.ts";

/** The demo's offline comparison, with what is chosen in it. */
function comparison(more: Record<string, string> = {}): string {
  const { baseline = "", candidate = "" } = noted();
  return `${at("demo")}/compare?${new URLSearchParams({ baseline, candidate, ...more })}`;
}

const rows = (page: Page) => page.getByRole("table", { name: "Questions" }).locator("[data-row]");

test.beforeEach(({ page }) => prefer(page, "en"));

/** The two runs of the recorded story. */
const story = () => ({ baseline: noted().storyBaseline ?? "", candidate: noted().storyCandidate ?? "" });

test("home opens on the recorded story: what wrote and judged it, its sentences, two bubble charts, worse answers", async ({ page }) => {
  await page.goto(`${at("demo")}/`);
  await page.waitForURL(`**/compare?${new URLSearchParams(story())}`);
  await expect(page.getByText(/^Recorded replies, \d{4}-\d{2}-\d{2}$/).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Result" })).toContainText("Of 40 questions asked in both runs");
  await expect(page.locator("[data-said=recorded]")).toContainText("recorded replies of a large language model");
  const nothingToAsk = page.locator("[data-said=verify]");
  await expect(nothingToAsk).toHaveText(
    /^By the scores that these runs have, asking both configurations again would find hardly any more answers that got worse.* neither worse nor better\.$/,
  );
  await expect(nothingToAsk).toHaveCSS("font-weight", "400"); // bold is the headline's
  await expect(page.getByRole("button", { name: "Verify" })).toHaveCount(0); // what would ask nothing is not offered
  const sentence = page.getByRole("region", { name: "Result" }).locator("p").nth(1); // the first is bold
  const look = (of: typeof sentence) => of.evaluate((p) => [getComputedStyle(p).fontSize, getComputedStyle(p).color]);
  expect(await look(page.locator("[data-said=recorded]"))).toEqual(await look(sentence)); // what limits a sentence is as readable as it
  await expect(page.getByRole("region", { name: "Result" }).locator("p").first()).toHaveText(/\S/);
  await expect(page.locator("figure svg[role=group]")).toHaveCount(2);
  await expect(rows(page).nth(2)).toBeVisible();
  for (const i of [0, 1, 2]) await expect(rows(page).nth(i)).toContainText("worse");
});

interface Said {
  en: string;
}
interface FindingsRead {
  matched: number;
  verdicts: { worse: number; better: number };
  low: { before: number; after: number };
  headline: Said;
  sentences: Said[];
  release: { text: Said };
  worst: { question_id: string; question: string; before?: string; after?: string }[];
  best: { question_id: string; question: string; before?: string; after?: string }[];
  causes: { text: Said; list: { text: Said; how: Said; n: number }[] };
  recommendations: { text: Said }[];
  untested: Said[];
}

test("the page of a comparison says what the findings say, number for number", async ({ page }) => {
  const { baseline = "", candidate = "" } = noted();
  const answer = await page.request.get(`${at("demo")}/api/v1/comparisons?${new URLSearchParams({ baseline, candidate })}`);
  const { findings: f } = (await answer.json()) as { findings: FindingsRead };
  await page.goto(comparison());
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.locator("[data-said=headline]")).toHaveText(f.headline.en);
  await expect(result.locator("[data-said=release]")).toHaveText(f.release.text.en);
  const text = (await result.innerText()).replace(/\s+/g, " ");
  for (const s of f.sentences) expect(text).toContain(s.en);
  const counts = /Of (\d+) questions asked in both runs, (\d+|none) got worse and (\d+|none) got better/.exec(text);
  expect(counts?.slice(1).map((n) => (n === "none" ? 0 : Number(n)))).toEqual([f.matched, f.verdicts.worse, f.verdicts.better]);
  const low = /Low-score answers went from (\d+) to (\d+)/.exec(text);
  if (low) expect(low.slice(1).map(Number)).toEqual([f.low.before, f.low.after]);
  const cards = page.locator("[data-findings]");
  for (const e of [...f.worst, ...f.best]) {
    const shown = cards.locator(`[data-question="${e.question_id}"]`);
    await expect(shown.getByRole("heading")).toHaveText(e.question);
    for (const a of [e.before, e.after]) if (a) await expect(shown).toContainText(a.replace(/\s+/g, " ").trim().slice(0, 200));
  }
  await expect(cards).toContainText(f.causes.text.en);
  const causes = cards.locator("[data-said=causes] li");
  await expect(causes).toHaveText([f.causes.text.en, ...f.causes.list.map((c) => `${c.text.en}: ${c.n} (${c.how.en})`)]);
  for (const r of f.recommendations) await expect(cards.locator("[data-said=recommendations]")).toContainText(r.text.en);
  for (const u of f.untested) await expect(cards.locator("[data-said=untested]")).toContainText(u.en);
  figure(`compare page: ${f.matched} questions, ${f.verdicts.worse} worse, ${f.verdicts.better} better, read back equal to the findings`);
});

test("a regressed answer's evidence is at most two clicks from home", async ({ page }) => {
  const worse = new URLSearchParams({ ...story(), label: "worse", class: "evidence_lost_by_retrieval" });
  const { items } = (await (await page.request.get(`${at("demo")}/api/v1/comparisons/questions?${worse}`)).json()) as {
    items: { question_id: string }[];
  };
  const lost = items[0]?.question_id ?? "none lost its evidence";
  await page.goto(`${at("demo")}/`);
  let clicks = 0;
  const evidence = page
    .getByRole("complementary", { name: /^Question / })
    .locator("blockquote")
    .first();
  await rows(page).filter({ hasText: "worse" }).filter({ hasText: lost }).first().click();
  clicks++;
  await expect(evidence).toBeVisible();
  await expect(page.getByRole("complementary", { name: /^Question / })).toContainText(/retrieved/);
  expect(clicks).toBeLessThanOrEqual(2);
  figure(`from home to a regressed answer's evidence: ${clicks} click(s)`);
});

test("the same by keyboard only, and back", async ({ page }) => {
  await page.goto(`${at("demo")}/`);
  await expect(rows(page).first()).toBeVisible();
  await settled(page);
  const pressed: string[] = [];
  const press = async (key: string) => {
    pressed.push(key);
    await page.keyboard.press(key);
  };
  await press("j");
  await expect(rows(page).first()).toBeFocused();
  await press("Enter");
  const panel = page.getByRole("complementary", { name: /^Question / });
  await expect(panel).toBeFocused();
  await expect(panel.getByRole("heading", { name: "Evidence" })).toBeVisible();
  for (let i = 0; i < 10 && (await panel.locator("blockquote").count()) === 0; i++) {
    const place = await panel.textContent();
    await press("j");
    await expect(panel).not.toHaveText(place ?? "");
    await expect(panel.getByRole("heading", { name: "Evidence" })).toBeVisible();
  }
  await expect(panel.locator("blockquote").first()).toBeVisible();
  figure(`keyboard from home to a regressed answer's evidence: ${pressed.length} keys (${pressed.join(" ")})`);
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(rows(page).first()).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("every place of the navigation can be reached by two keys", async ({ page }) => {
  await page.goto(`${at("demo")}/runs`);
  await expect(page.getByRole("table", { name: "Runs" })).toBeVisible();
  for (const [key, path] of Object.entries({
    e: "experiments",
    d: "datasets",
    o: "corpora",
    a: "agreements",
    j: "judge-cards",
    p: "endpoints",
    s: "settings",
    c: "compare",
    r: "runs",
  })) {
    await pressPair(page, "g", key);
    await page.waitForURL(`**/${path}`);
    await settled(page);
    // What reads the screen says where it is now, and Tab goes on from there.
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  }
});

test("brushing over bubbles narrows the bars and the questions of a run", async ({ page }) => {
  await page.goto(`${at("demo")}/runs/${noted().candidate}`);
  await settled(page);
  const svg = page.locator("figure svg[role=group]").first();
  await expect(svg).toBeVisible();
  const place = async () => JSON.stringify(await svg.boundingBox());
  await expect(async () => {
    const before = await place();
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
    expect(await place()).toBe(before); // what comes later moves it
  }).toPass();
  const count = page.getByText(/^[\d,]+ of [\d,]+ questions$/);
  await expect(count).toHaveText("198 of 198 questions");
  const bars = () => page.locator("figure:has(h3) svg text.value").allTextContents();
  const before = await bars();
  const low = await Promise.all((await svg.getByRole("button", { name: /Correctness: [12], Trust: 5/ }).all()).map((b) => b.boundingBox()));
  const boxes = low.filter((b) => b !== null);
  expect(boxes.length, "bubbles of wrong answers").toBeGreaterThan(1);
  const [left, top] = [Math.min(...boxes.map((b) => b.x)), Math.min(...boxes.map((b) => b.y))];
  const [right, bottom] = [Math.max(...boxes.map((b) => b.x + b.width)), Math.max(...boxes.map((b) => b.y + b.height))];
  const plot = await svg.boundingBox(); // the largest bubble reaches its edge: a brush begins beside it
  await page.mouse.move(right + 6, bottom + 6);
  await page.mouse.down();
  await page.mouse.move(right - 20, bottom - 20, { steps: 4 });
  await page.mouse.move(Math.max(left, (plot?.x ?? 0) + 2), Math.max(top, (plot?.y ?? 0) + 2), { steps: 6 });
  await page.mouse.up();
  await expect(page).toHaveURL(/[?&]c=/);
  await expect(count).not.toHaveText("198 of 198 questions");
  await expect.poll(bars).not.toEqual(before);
  const shown = Number((await count.textContent())?.split(" ")[0]);
  expect(shown).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(count).toHaveText("198 of 198 questions");
  const bar = page.locator("figure:has(h3) svg [role=button]").first();
  await bar.click();
  await expect(bar).toHaveAttribute("aria-pressed", "true");
  await expect(count).not.toHaveText("198 of 198 questions");
});

test("a chosen bubble of a comparison shows where its answers went, by keyboard, and in the run", async ({ page }) => {
  await page.goto(comparison());
  const charts = page.locator("figure svg[role=group]");
  const counted = async (i: number) => {
    const names = await charts
      .nth(i)
      .locator("[role=button][aria-label*='answers:']")
      .evaluateAll((all) => all.map((e) => e.getAttribute("aria-label") ?? ""));
    return names.reduce((sum, name) => sum + Number(/answers: ([\d,]+)/.exec(name)?.[1]?.replace(",", "")), 0);
  };
  const bubble = charts.first().locator("[role=button]").first();
  await expect(bubble).toBeVisible();
  const [before, after] = [await counted(0), await counted(1)];
  const own = Number(/answers: (\d+)/.exec((await bubble.getAttribute("aria-label")) ?? "")?.[1]);
  await bubble.focus();
  await page.keyboard.press("ArrowRight");
  await expect(charts.first().locator("[role=button]").nth(1)).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(bubble).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => counted(1)).toBe(own);
  expect(await counted(0)).toBe(before);
  const link = page.getByRole("link", { name: "Show these answers in the run" });
  await expect(link).toHaveAttribute("href", /[?&]c=\d&t=\d/);
  await page.getByRole("button", { name: "Clear all" }).first().click();
  await expect.poll(() => counted(1)).toBe(after);
  const table = page.locator("figure details").first();
  await table.locator("summary").click();
  await expect(table.getByRole("row")).toHaveCount((await charts.first().locator("[role=button][aria-label*='answers:']").count()) + 1);
});

test("a point of a sweep's quality against cost says what it is and leads to its run", async ({ page }) => {
  const { items } = (await (await page.request.get(`${at("demo")}/api/v1/runs?kind=sweep&limit=1`)).json()) as {
    items: { run_id: string }[];
  };
  await page.goto(`${at("demo")}/sweeps/${items[0]?.run_id}`);
  const point = page.getByRole("link", { name: /^configuration: .*, standing: on the front$/ }).first();
  await expect(point).toBeVisible();
  const run = (await point.getAttribute("href")) ?? "";
  await point.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${run}`);
});

test("a link restores filters, sorting and what is open", async ({ page }) => {
  await page.goto(comparison({ label: "better", q: "a", sort: "-correctness" }));
  await expect(rows(page).first()).toContainText("better");
  await rows(page).first().click();
  const panel = page.getByRole("complementary", { name: /^Question / });
  await expect(panel.getByRole("heading", { name: "Evidence" })).toBeVisible();
  const address = page.url();
  const title = await panel.getAttribute("aria-label");
  const first = await rows(page).first().textContent();
  await page.goto(`${at("demo")}/runs`);
  await page.goto(address);
  await expect(panel).toHaveAttribute("aria-label", title ?? "");
  await expect(rows(page).first()).toHaveText(first ?? "");
  await expect(page.getByRole("searchbox")).toHaveValue("a");
  await expect(page.getByRole("group", { name: "Filters that are set" })).toContainText("better");
  await page.goBack();
  await page.goForward();
  await expect(panel).toBeVisible();
});

test("language and colours are remembered", async ({ browser, watch }) => {
  const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const html = page.locator("html");
  await page.goto(`${at("demo")}/settings`);
  await expect(html).toHaveAttribute("lang", "en");
  await page.getByRole("banner").getByText("日本語").click();
  await expect(html).toHaveAttribute("lang", "ja");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("設定");
  await page.getByRole("banner").locator("label").filter({ hasText: "ダーク" }).click();
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.reload();
  await expect(html).toHaveAttribute("lang", "ja");
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("設定");
  await context.close();
  watch.quiet("settings");
});

test("a comparison prints: without navigation, on white, with every worse answer", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto(comparison());
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByRole("button", { name: "Copy link" })).toBeHidden();
  await expect(page.getByRole("searchbox")).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(0, 0, 0)");
  const total = Number(await page.getByRole("table", { name: "Questions" }).getAttribute("aria-rowcount")) - 1;
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(rows(page)).toHaveCount(total);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.subarray(0, 4).toString()).toBe("%PDF");
});

test("the first page needs little script", async ({ page }) => {
  await page.goto(`${at("demo")}/`);
  await expect(rows(page).first()).toBeVisible();
  const scripts = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter((e) => new URL(e.name).pathname.endsWith(".js"))
      .map((e) => ({ packed: e.encodedBodySize, plain: e.decodedBodySize })),
  );
  const packed = scripts.reduce((sum, s) => sum + s.packed, 0);
  const plain = scripts.reduce((sum, s) => sum + s.plain, 0);
  figure(
    `first page: ${(packed / 1024).toFixed(1)} KiB of JavaScript as sent (gzip), ${(plain / 1024).toFixed(0)} KiB unpacked, ${scripts.length} files`,
  );
  expect(scripts.length).toBeGreaterThan(0);
  expect(packed, "gzip bytes of JavaScript on the first page").toBeLessThanOrEqual(340 * 1024);
  expect(packed, "scripts are sent compressed").toBeLessThan(plain / 2);
});

import type { Page } from "@playwright/test";
import { questionID } from "./hostile.ts";
import { payloads } from "./payloads.ts";
import { full, inTurn, viewsOf } from "./views.ts";
import { at, expect, figure, noted, prefer, settled, test, turnTo } from "./watch.ts";

const texts = payloads.map((p) => p.text);

test("there are payloads of every kind", () => {
  expect(new Set(texts).size).toBe(payloads.length);
  expect(payloads.length).toBeGreaterThanOrEqual(30);
});

for (const [way, language] of (["en", "ja"] as const).entries()) {
  test(`attacks in data are text on the pages (${language})`, async ({ page, request, watch }) => {
    test.setTimeout(600_000);
    await prefer(page, language);
    const notes = noted();
    const pair = { baseline: notes["log-a"] ?? "", candidate: notes["log-b"] ?? "", run: notes.pipe ?? "" };
    const views = await viewsOf(request, "hostile", pair);
    const runs = (await (await request.get(`${at("hostile")}/api/v1/runs`)).json()) as { items: { run_id: string; experiment: string }[] };
    for (const name of ["refused", "outside"]) {
      const run = runs.items.find((r) => r.experiment === name)?.run_id ?? "";
      const questions = (await (await request.get(`${at("hostile")}/api/v1/runs/${run}/questions`)).json()) as {
        items: { question_id: string }[];
      };
      views.push({ name: `run-${name}`, path: `/runs/${run}?question=${encodeURIComponent(questions.items[1]?.question_id ?? "")}` });
      views.push({ name: `experiment-${name}`, path: `/experiments/${name}` });
    }
    for (const search of texts)
      views.push({
        name: "run-search",
        path: `/runs/${pair.run}?${new URLSearchParams({ q: search, theme: search, tag: search, sort: search, open: search })}`,
      });
    views.push({ name: "notebook-wrong", path: "/notebooks/wrong" }, { name: "notebook-wrong-text", path: "/notebooks/wrong?view=text" });
    let seen = 0;
    let looked = 0;
    for (const [place, view] of views.entries()) {
      if (!inTurn(place, 4 * way, 8)) continue;
      looked++;
      // An attack in the address has to be met by a page that begins with it.
      if (["run-search", "not-found"].includes(view.name)) await page.goto(at("hostile") + view.path);
      else await turnTo(page, "hostile", view.path);
      await settled(page);
      seen += await harmless(page);
      if (view.name === "notebook") {
        for (let i = 0; i < 8; i++) {
          await page.keyboard.press("Enter");
          await expect(page.locator("[data-editor]")).toBeVisible();
          await harmless(page);
          await page.keyboard.press("Escape");
          await page.keyboard.press("j");
        }
      }
      const complaints = watch.complaints.splice(0).filter((c) => !(view.name === "run-search" && /status of 4\d\d/.test(c)));
      expect(complaints, `${view.name} ${view.path}`).toEqual([]);
    }
    figure(
      `attacks, ${language}: ${payloads.length} payloads, ${looked} of ${views.length} views; ` +
        `${seen} times one was on screen as plain text; 0 dialogs, 0 reports, 0 foreign requests`,
    );
    expect(seen).toBeGreaterThan(payloads.length * (full ? 4 : 1));
  });
}

test("every attack is shown as it is in a run's and a comparison's question, and in a document", async ({ page, watch }) => {
  test.setTimeout(600_000);
  await prefer(page, "en");
  const { "log-a": baseline = "", "log-b": candidate = "", pipe = "" } = noted();
  const places = [`/runs/${candidate}`, `/runs/${pipe}`, `/compare?baseline=${baseline}&candidate=${candidate}&label=all`];
  const payloadOf = new Map(texts.map((text, i) => [`Question ${questionID(i)}`, text]));
  let shown = 0;
  for (const [turn, place] of places.entries()) {
    // All of them on one of the pages in every other turn; else the first four.
    const last = inTurn(turn, 0, 2 * places.length) ? 0 : payloadOf.size - 4;
    await page.goto(at("hostile") + place);
    await page.getByRole("table", { name: "Questions" }).locator("[data-row]").first().click();
    const panel = page.getByRole("complementary", { name: /^Question / });
    const left = new Set(payloadOf.keys());
    for (let label = ""; left.size > last; shown++) {
      if (label) {
        await page.keyboard.press("j");
        await expect(panel).not.toHaveAttribute("aria-label", label);
      }
      label = (await panel.getAttribute("aria-label")) ?? "";
      expect(left.delete(label), `${place}: ${label} is new`).toBe(true);
      const payload = payloadOf.get(label) ?? "";
      await expect.poll(async () => (await panel.textContent())?.includes(payload), { message: `${place} ${payload}` }).toBe(true);
      await settled(page);
      await harmless(page);
      watch.quiet(`${place} ${payload}`);
    }
  }
  figure(`attacks shown letter by letter in a question's panel: ${shown} of ${texts.length} payloads × ${places.length} pages`);
});

test("an endpoint's attacks and a provider's message are text", async ({ page, watch }) => {
  await prefer(page, "en");
  await page.goto(`${at("hostile")}/endpoints`);
  await page.getByRole("textbox").first().fill("<img src=x onerror=alert(99)>");
  await page.getByRole("button", { name: "Test" }).first().click();
  await expect(page.getByText("HTTP 200")).toBeVisible();
  await page.getByText("What the reply held").click();
  await harmless(page);
  watch.quiet("endpoints");
  await page.goto(`${at("hostile")}/settings`);
  const row = page.getByRole("row").filter({ hasText: "elsewhere" });
  await row.getByRole("textbox").fill("<svg onload=alert(98)>");
  await row.getByRole("button", { name: "Test" }).click();
  await expect(row.getByRole("alert")).toBeVisible();
  await harmless(page);
  watch.quiet("settings");
});

/** Fails when a payload became anything but text; returns how many payloads are in the page's text as they are. */
async function harmless(page: Page): Promise<number> {
  const found = await page.evaluate((attacks) => {
    const live =
      "script:not([src^='/assets/']), iframe, object, embed, base, meta[http-equiv=refresh], form[action*='evil'], [src*='evil'], [href*='evil'], [href^='javascript:' i], [href^='data:' i], link[href*='evil'], marquee, video, math, details[ontoggle]";
    const handlers = [...document.querySelectorAll("*")].filter((e) => e.getAttributeNames().some((n) => n.startsWith("on"))).length;
    const text = document.body.textContent ?? "";
    return {
      live: [...document.querySelectorAll(live)].map((e) => e.outerHTML.slice(0, 120)),
      handlers,
      pwned: "pwned" in window,
      shown: attacks.filter((a) => text.includes(a)).length,
    };
  }, texts);
  expect({ ...found, shown: 0 }, page.url()).toEqual({ live: [], handlers: 0, pwned: false, shown: 0 });
  return found.shown;
}

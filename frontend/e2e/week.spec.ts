import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "@playwright/test";
import { serveOwn } from "./copies.ts";
import { freePort } from "./identity.ts";
import { inaccessible, overflowing } from "./looks.ts";
import { binary, serve } from "./program.ts";
import { type Mail, type Sink, startMailbox, startPostbox } from "./sinks.ts";
import { unstructured } from "./structure.ts";
import { at, expect, figure, folderOf, noted, prefer, settled, test, type Watch, watched } from "./watch.ts";
import { full } from "./views.ts";
import { askedInAll, prices, recipe, sendTraces, type Shop, startShop, traceOf, tracesToken } from "./week.ts";

const run = promisify(execFile);
const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "week") : "";
const book = recipe("en");

/** What is around the server: the team's system and judge, its mail, its Slack. */
let shop: Shop;
let mails: Sink<Mail>;
let slack: Sink<Record<string, unknown>>;
let environment: Record<string, string> = {};
/** What of the recipe was done, and what its names stand for. */
const done: string[] = [];
const names: Record<string, string> = {};
const links: Record<string, string> = {};

serveOwn("week", async (data) => {
  process.env.E2E_DATA_WEEK = data;
  [shop, mails, slack] = await Promise.all([startShop(noted().provider ?? ""), startMailbox(), startPostbox()]);
  environment = {
    OPENAI_BASE_URL: `${shop.address}/v1`,
    OPENAI_API_KEY: "not-a-secret",
    SLACK_URL: `http://127.0.0.1:${slack.port}/hook`,
    WORKBENCH_TRACES_TOKEN: tracesToken,
  };
  const port = await freePort();
  process.env.E2E_AT_WEEK = `http://127.0.0.1:${port}`;
  for (const [name, body] of Object.entries(book.files)) writeFileSync(join(data, name), ours(body));
  const rows = prices.map((p) => `${p.id},${p.question},${p.reference}\n`);
  writeFileSync(join(data, "faq.csv"), `id,question,reference\n${rows.join("")}`);
  const once = [...(book.commands[0] ?? [])];
  done.push(once.pop() ?? ""); // to serve, which is next
  for (const line of once) {
    const made = JSON.parse((await say(line)).stdout) as { run_id?: string; link?: string; secret?: string };
    names.BASELINE = made.run_id ?? names.BASELINE ?? "";
    const of = /^workbench (?:user|token) add (\w+)/.exec(line)?.[1];
    if (of) links[of] = made.link ?? made.secret ?? "";
  }
  return serve(data, environment, ["--addr", `127.0.0.1:${port}`, "--require-sign-in"]);
});

test.afterAll(() => {
  for (const of of [shop, mails, slack]) of.close();
});

/** A text of the recipe, with the addresses of this machine in the place of its examples. */
function ours(text: string): string {
  return text
    .replaceAll("https://bench.example", at("week"))
    .replaceAll("https://rag.example", `${shop.address}/prod`)
    .replaceAll("https://next.rag.example", `${shop.address}/next`)
    .replace("host: smtp.example.org", `host: 127.0.0.1, port: ${mails.port}, tls: none, allow_private: true`)
    .replace("prices: {", "prices: {gpt-4.1-mini: {input: 0.4, output: 1.6}, ")
    .replace("url_env: SLACK_URL", "url_env: SLACK_URL, allow_private: true")
    .replace(/\b(BASELINE|CANDIDATE)\b/g, (name) => names[name] ?? name);
}

interface Outcome {
  code: number;
  stdout: string;
}

/** Runs a command of the recipe where the data is, and notes that it was run. */
async function say(line: string): Promise<Outcome> {
  const words = [...ours(line).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
  const options = { cwd: folderOf("week"), env: { ...process.env, ...environment }, maxBuffer: 1 << 26 };
  const outcome = await run(binary, [...words, "--data", folderOf("week"), "--json", "--quiet"], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => {
      if (error.code !== 3) throw error; // 3: a gate fails, which is what it is for
      return { code: error.code, stdout: error.stdout };
    },
  );
  done.push(line);
  return outcome;
}

/** Runs the commands of a day, the first being 1, and returns what they print. */
async function day(n: number, first = 0, last = Number.POSITIVE_INFINITY): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const lines = (book.commands[n] ?? []).filter((line) => line.startsWith("workbench "));
  for (const line of lines.slice(first, last)) outcomes.push(await say(line));
  return outcomes;
}

interface Somebody {
  page: Page;
  watch: Watch;
  close: () => Promise<void>;
}

/** Opens the link with which somebody sets a password, in a browser of their own, and signs in. */
async function comes(browser: Browser, who: "ann" | "ben", language: "en" | "ja"): Promise<Somebody> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const watch = watched(page);
  await prefer(page, language);
  await page.goto(links[who] ?? "");
  const fields = page.locator("#main input[type=password]");
  await expect(fields).toHaveCount(2);
  for (const field of await fields.all()) await field.fill(`${who} walks to the ticket office`);
  await page.locator("#main button[type=submit]").click();
  await expect(page.locator("#navigation a[href='/schedules']")).toBeAttached();
  return { page, watch, close: () => context.close() };
}

/** Looks at a page closely, at all of them with E2E_FULL=1; with pictures also keeps what it looks like, in both languages. */
async function station({ page }: Somebody, name: string, closely = full) {
  await settled(page);
  if (!closely && !pictures) return;
  const language = (await page.locator("html").getAttribute("lang")) as "en" | "ja";
  const faults = [...(await overflowing(page, name)), ...(await unstructured(page, name)), ...(await inaccessible(page, name))];
  expect(faults).toEqual([]);
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  for (const shown of [language === "en" ? "ja" : "en", language] as const) {
    await page.evaluate((l) => localStorage.setItem("workbench.language", l), shown);
    const other = await page.context().newPage();
    await prefer(other, shown);
    await other.goto(page.url());
    await settled(other);
    for (const width of [1280, 390]) {
      await other.setViewportSize({ width, height: 860 });
      await other.screenshot({ path: join(pictures, `${name}-${shown}-${width}.png`), fullPage: true });
    }
    await other.close();
  }
  await page.evaluate((l) => localStorage.setItem("workbench.language", l), language);
}

interface Waiting {
  next?: { question_id: string; shown: string };
}

/** Whether people would accept what was said to a question of the next release. */
const accepted = (id: string) => !prices.find((p) => p.id === id)?.broken;

/** Somebody decides on all answers that were dealt to them, the first few by keys. */
async function reviews({ page }: Somebody, path: string, byKeys: number) {
  await page.goto(at("week") + path);
  const shown = page.locator("#main h3 .mono");
  for (let n = 0; n < byKeys; n++) {
    const id = await shown.innerText();
    await page.keyboard.press(accepted(id) ? "c" : "i");
    await expect(shown).not.toHaveText(id);
    await expect(page.locator("#main [role=status]").filter({ hasText: id })).toBeVisible();
  }
  // The rest as the page does it, without drawing each.
  await page.evaluate(
    async ([queue, wrong]) => {
      const read = async (reply: Response) => {
        if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
        return (await reply.json()) as Waiting;
      };
      let { next } = await read(await fetch(`${queue}/next`));
      while (next) {
        const body = {
          question_id: next.question_id,
          shown: next.shown,
          verdict: wrong?.includes(next.question_id) ? "incorrect" : "correct",
        };
        const headers = { "content-type": "application/json" };
        ({ next } = await read(await fetch(`${queue}/decisions`, { method: "POST", headers, body: JSON.stringify(body) })));
      }
    },
    [`/api/v1${path.replace(/reviews$/, "review-queue")}`, prices.filter((p) => p.broken).map((p) => p.id)] as const,
  );
}

/** A Python that has pytest; "" where there is none. */
async function pythonWithPytest(): Promise<string> {
  for (const python of ["python3", "/usr/bin/python3"]) {
    const there = await run(python, ["-c", "import sys, pytest; sys.exit(sys.version_info < (3, 10))"]).then(
      () => true,
      () => false,
    );
    if (there) return python;
  }
  return "";
}

test("a week of a team: traces, an alarm, a shared link, two reviewers, a judge that learns, a gate that closes", async ({ browser }) => {
  const began = Date.now();
  const api = <T>(of: Somebody, path: string) =>
    of.page.evaluate(async (p) => (await (await fetch(`/api/v1${p}`)).json()) as unknown, path) as Promise<T>;
  const ann = await comes(browser, "ann", "en");

  await test.step("Monday: what users asked", async () => {
    // Traces that came with the setup are complete half a minute after the last of them.
    await expect(async () => {
      await ann.page.goto(`${at("week")}/schedules/asked`);
      await expect(ann.page.locator("[data-traces]")).toContainText(`${askedInAll + 1} kept this week`, { timeout: 2_000 });
    }).toPass();
    const one = traceOf(prices[0]?.question ?? "", prices[0]?.said ?? "", 1000);
    expect((await sendTraces(at("week"), one, "somebody-else")).status).toBe(401);
    expect((await sendTraces(at("week"), one)).status).toBe(200);
    await ann.page.reload();
    await expect(ann.page.locator("[data-traces]")).toContainText(/1 trace waits for its other spans|50 kept/);
    await station(ann, "monday-schedule", true);
    const [, taken] = await day(1);
    expect(JSON.parse(taken?.stdout ?? "")).toMatchObject({ answers: askedInAll, new_dataset: true });
    await ann.page.goto(`${at("week")}/runs?import=1`);
    await ann.page.getByRole("button", { name: "Take them" }).click();
    await expect(ann.page.getByText("These results were imported before; nothing was changed.")).toBeVisible();
    await station(ann, "monday-taken", true);
    await ann.page.goto(`${at("week")}/datasets/last-week?q=address`);
    await expect(ann.page.getByText("My address is [email]: may I return a ticket?").first()).toBeVisible();
    await expect(ann.page.getByText("kay@mail.example")).toHaveCount(0);
    ann.watch.quiet("Monday");
  });

  await test.step("Tuesday: the alarm", async () => {
    shop.release = 2;
    await ann.page.goto(`${at("week")}/schedules/asked`);
    await ann.page.getByRole("button", { name: "Run now…" }).click();
    await ann.page.getByRole("dialog").getByRole("button", { name: "Run now", exact: true }).click();
    const fire = ann.page.getByRole("table", { name: "Evaluations" }).locator("tbody[data-state=ran]");
    await expect(fire).toHaveCount(1);
    const broken = prices.filter((p) => p.broken);
    await expect(fire).toContainText(`${broken.length} worse than the baseline, no earlier evaluation`);
    await expect.poll(() => [mails.got.length, slack.got.length]).toEqual([1, 1]);
    const [fires] = await day(2);
    names.CANDIDATE = /"run_id": *"(\w+)"/.exec(fires?.stdout ?? "")?.[1] ?? "";
    await station(ann, "tuesday-schedule");
    ann.watch.quiet("Tuesday");

    const [mail] = mails.got;
    expect(mail?.to).toBe("owner@example.org");
    expect(mail?.subject).toContain(`${broken.length} answers got worse`);
    expect(mail?.files["changes.png"]?.subarray(1, 4).toString()).toBe("PNG");
    const html = mail?.parts["text/html"] ?? "";
    expect(html).toContain(`${at("week")}/compare?`);
    const worst = broken.filter((p) => html.includes(p.later));
    expect(worst).toHaveLength(3);
    for (const p of worst) for (const said of [p.question, p.said]) expect(html).toContain(said);
    for (const words of ["got worse", "悪化"]) expect(html).toContain(words);
    const blocks = JSON.stringify(slack.got[0]);
    for (const p of worst) expect(blocks).toContain(p.question);
    const reader = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await reader.setContent(
      html.replace(/cid:changes\.png/g, `data:image/png;base64,${mail?.files["changes.png"]?.toString("base64") ?? ""}`),
    );
    expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await reader.evaluate(() => document.querySelector("img")?.naturalWidth)).toBe(600);
    if (pictures) await reader.screenshot({ path: join(pictures, "tuesday-mail.png"), fullPage: true });
    await reader.close();
  });

  await test.step("Wednesday: the manager opens a link on a phone", async () => {
    await ann.page.goto(`${at("week")}/compare?baseline=${names.BASELINE}&candidate=${names.CANDIDATE}`);
    await station(ann, "wednesday-comparison");
    await ann.page.getByRole("button", { name: "Share…" }).click();
    await ann.page.getByRole("button", { name: "Make the link" }).click();
    const link = (await ann.page.getByRole("status").locator("code").textContent()) ?? "";
    const [made] = await day(3);
    const context = await browser.newContext({ locale: "ja-JP", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const phone = await context.newPage();
    const watch = watched(phone);
    for (const [address, name] of [
      [link, "page"],
      [(JSON.parse(made?.stdout ?? "") as { link: string }).link, "command"],
    ] as const) {
      await phone.goto(address);
      await expect(phone.getByText("閲覧専用の共有ページです。")).toBeVisible();
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      const text = await phone.content();
      for (const p of prices) for (const hidden of [p.question, p.said, p.later, p.reference]) expect(text).not.toContain(hidden);
      for (const language of ["ja", "en"] as const) {
        await expect(phone.locator("html")).toHaveAttribute("lang", language);
        if (pictures) await phone.screenshot({ path: join(pictures, `wednesday-phone-${name}-${language}.png`), fullPage: true });
        if (language === "ja") await phone.getByRole("link", { name: "English" }).click();
      }
    }
    await expect(phone.getByText(`${prices.filter((p) => p.broken).length} got worse`).first()).toBeVisible();
    watch.quiet("the phone");
    expect(await context.cookies()).toEqual([]);
    for (const path of [
      "/runs",
      `/runs/${names.CANDIDATE}`,
      "/api/v1/shares",
      "/api/v1/datasets",
      `/api/v1/runs/${names.CANDIDATE}/questions`,
    ])
      expect((await context.request.get(at("week") + path)).status(), path).toBe(path.startsWith("/api") ? 401 : 200);
    await phone.goto(`${at("week")}/runs/${names.CANDIDATE}`);
    await expect(phone.locator("#main input[type=password]")).toBeVisible();
    await expect(phone.getByText(names.CANDIDATE ?? "none")).toHaveCount(0);
    await context.close();
    ann.watch.quiet("Wednesday");
  });

  const path = `/runs/${names.CANDIDATE}/reviews`;
  await test.step("Thursday: two people review", async () => {
    const ben = await comes(browser, "ben", "ja");
    await say(book.commands[4]?.[0] ?? "");
    await Promise.all([reviews(ann, path, 4), reviews(ben, path, 4)]);
    await ann.page.reload();
    await expect(ann.page.getByText(/Two people decided on 10 answers: kappa 1/)).toBeVisible();
    await ben.page.reload();
    await expect(ben.page.getByText("判定待ちの回答はありません").or(ben.page.getByText("すべて判定")).first()).toBeVisible();
    await station(ben, "thursday-reviews");
    await say(book.commands[4]?.[1] ?? "");
    ben.watch.quiet("Thursday");
    await ben.close();
  });

  await test.step("Friday: the judge is shown what people say", async () => {
    const [plan] = await day(5, 0, 1);
    expect((JSON.parse(plan?.stdout ?? "") as { plan: { buy: number } }).plan.buy).toBeGreaterThan(9);
    await ann.page.getByRole("button", { name: "Test the examples…" }).click();
    await ann.page.getByRole("dialog").getByRole("button", { name: "Test", exact: true }).click();
    await expect(ann.page.locator("[data-decision=offered]")).toBeVisible();
    await station(ann, "friday-offered", true);
    await day(5, 1, 3);
    await ann.page.reload();
    await expect(ann.page.getByText("faq has these examples")).toBeVisible();
    await ann.page.goto(`${at("week")}/judge-cards`);
    const { items } = await api<{ items: { aligned: { rates: { en: string } }[] }[] }>(ann, "/judge-cards");
    const told = items.flatMap((card) => card.aligned).at(0)?.rates.en ?? "";
    expect(told).toMatch(/\d/);
    await expect(ann.page.getByText(told).first()).toBeVisible();
    await station(ann, "friday-card");
    const report = await ann.page.request.get(`${at("week")}/api/v1/comparisons/report.html?lang=en&candidate=${names.CANDIDATE}`);
    expect(await report.text()).toMatch(
      /On \d+ kept-back reviews the judge says what people say \d+ times before it was shown examples, and \d+ times after/,
    );
    ann.watch.quiet("Friday");
  });

  await test.step("Friday: the gate closes in continuous integration", async () => {
    shop.release = 1; // production is as it was
    await day(5, 3, 6);
    const python = await pythonWithPytest();
    const line = book.commands[5]?.find((l) => l.startsWith("pytest ")) ?? "";
    if (python === "")
      figure("the week without its Python: no pytest"); // what follows needs the run that pytest starts
    else {
      const client = join(import.meta.dirname, "..", "..", "clients", "python", "src");
      const options = {
        cwd: folderOf("week"),
        env: { ...process.env, PYTHONPATH: client, PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1", WORKBENCH_TOKEN: links.ci ?? "" },
      };
      const words = ["-m", "pytest", "-p", "rag_workbench.pytest_plugin", "-p", "no:cacheprovider", ...ours(line).split(" ").slice(1)];
      const failed = await run(python, words, options).then(
        () => ({ code: 0, stdout: "" }),
        (error: { code: number; stdout: string }) => error,
      );
      expect(failed.code, failed.stdout).toBe(1);
      for (const said of ["FAIL", "1 failed"]) expect(failed.stdout).toContain(said);
      const worst = prices.filter((p) => failed.stdout.includes(`after: ${p.later}`));
      expect(worst.length, failed.stdout).toBe(5);
      for (const p of worst) expect(p.broken && failed.stdout.includes(`before: ${p.said}`)).toBe(true);
      const [gate] = await day(5, 6);
      expect(gate?.code).toBe(3);
    }
    done.push(line);
  });

  expect(done.toSorted()).toEqual(book.commands.flat().toSorted());
  await ann.close();
  figure(`a week of a team in a browser, with Python: ${((Date.now() - began) / 1000).toFixed(1)} s`);
});

test("the recipe of the week is the same in both languages", () => {
  expect(recipe("ja")).toEqual(book);
  expect(book.commands.flat().length).toBeGreaterThan(20);
});

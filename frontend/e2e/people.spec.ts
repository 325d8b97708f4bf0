import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ownTeam, saidByOwn } from "./copies.ts";
import { inaccessible, overflowing, still } from "./looks.ts";
import { browserAs, buttons, comesIn, keepSession, people, type Person, signIn } from "./team.ts";
import { inTurn, schemes, viewsOf } from "./views.ts";
import { at, expect, figure, noted, prefer, settled, test, turnTo, watched } from "./watch.ts";

ownTeam();
/** The tests follow each other: a team begins with nobody, and the first comes by the link on the console. */
test.describe.configure({ mode: "serial" });

const pictures = process.env.E2E_ARTIFACTS ? join(process.env.E2E_ARTIFACTS, "team") : "";

/** What browsers say themselves of an answer that refuses; each is taken away where it belongs. */
const refusal = (status: number) => expect.stringMatching(new RegExp(`^console error: Failed to load resource: .* ${status} `));

/** Buttons that change something or spend. A viewer sees none of them; that they are called so is seen with the editor. */
const changing = [
  /^Run (all|\d+ cells?)$/,
  /^Import (a dataset|documents)$/,
  /^New (experiment|notebook)$/,
  /^Use this: /,
  /^Edit( |$)/,
  /^(Archive|Clone|Insert|Register|Redo|Undo|Sweep…|Save as next revision|Add a parameter)$/,
  /^(Add|Add a schedule|Delete|Draft questions…|Find evidence…|Import results…|Pause|Run now…|Save)$/,
  /^(Ask everything again|Make it the baseline|Remove the notebook|Rename the notebook|Seal a snapshot here) \(menu\)$/,
  /^(Send to notebook|Deal answers…|Read reviews back|Review this answer|Measure a judge…|Share…|Write an agreement)$/,
];

/** Buttons of administrators. */
const administering = /^(Test|Delete run \(menu\)|End the sessions|Keep out|Link for a password)$/;

test("the link on the console makes the first administrator, who adds an editor and a viewer", async ({ page, browser, watch }) => {
  await prefer(page, "en");
  const link = /https?:\S+\/setup#wbs_\S+/.exec(saidByOwn())?.[0] ?? "";
  expect(new URL(link).origin).toBe(at("team"));
  await page.goto(`${at("team")}/runs`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);

  await page.goto(link);
  const make = page.getByRole("button", { name: "Make the account" });
  await page.getByRole("textbox", { name: "Name" }).fill(people.admin.name);
  await page.getByLabel("New password").fill("password1234");
  await page.getByLabel("Once more").fill("password12345");
  await expect(page.getByText("The two differ.")).toBeVisible();
  await expect(make).toBeDisabled();
  await page.getByLabel("Once more").fill("password1234");
  await make.click();
  await expect(page.getByRole("alert")).toContainText("one of those that are tried first");
  expect(watch.complaints.splice(0)).toEqual([refusal(422)]);
  await page.getByLabel("New password").fill(people.admin.password);
  await page.getByLabel("Once more").fill(people.admin.password);
  await make.click();
  await expect(page).toHaveURL(/\/compare\?/);
  await settled(page);

  await page.goto(`${at("team")}/people`);
  const links: Partial<Record<Person, string>> = {};
  for (const person of ["editor", "viewer"] as const) {
    await page.getByLabel("E-mail address or name").fill(people[person].name);
    const form = page.locator("form", { has: page.getByLabel("E-mail address or name") });
    await form.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: person }).click();
    await form.getByRole("button", { name: "Add" }).click();
    const shown = page.getByRole("status").filter({ hasText: people[person].name }).locator("code");
    await expect(shown).toHaveText(/\/reset#wbr_/);
    links[person] = (await shown.textContent()) ?? "";
  }
  await expect(page.getByRole("table", { name: "Accounts" }).getByRole("row")).toHaveCount(4);
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  watch.quiet("until the administrator signed out");
  await page.goto(link);
  await page.getByRole("textbox", { name: "Name" }).fill("eve@team.example");
  await page.getByLabel("New password").fill(people.viewer.password);
  await page.getByLabel("Once more").fill(people.viewer.password);
  await page.getByRole("button", { name: "Make the account" }).click();
  await expect(page.getByRole("alert")).toContainText(/has been used|administrator already/);
  expect(watch.complaints.splice(0)).toEqual([refusal(404)]);

  for (const person of ["editor", "viewer"] as const) {
    const context = await browser.newContext({ locale: "en-GB" });
    const theirs = await context.newPage();
    await prefer(theirs, "en");
    await theirs.goto(links[person] ?? "");
    await theirs.getByLabel("New password").fill(people[person].password);
    await theirs.getByLabel("Once more").fill(people[person].password);
    await theirs.getByRole("button", { name: "Set the password" }).click();
    await expect(theirs).toHaveURL(/\/compare\?/);
    await settled(theirs);
    await keepSession(person, theirs);
    await context.close();
  }
});

test("a wrong password gets a clear answer, which is the same for a name that nobody has", async ({ page, watch }) => {
  await prefer(page, "en");
  await page.goto(`${at("team")}/runs?q=tuned`);
  const answers: (string | null)[] = [];
  for (const name of [people.editor.name, "nobody@team.example"]) {
    const answered = page.waitForResponse((r) => r.url().endsWith("/api/v1/session"));
    await signIn(page, name, "not the password of anybody");
    const response = await answered;
    answers.push(`${response.status()} ${await response.text()}`, await page.getByRole("alert").textContent());
    await expect(page.getByRole("alert")).toContainText("The name or the password is wrong.");
  }
  expect(answers.slice(0, 2)).toEqual(answers.slice(2));
  expect(watch.complaints.splice(0)).toEqual([refusal(401), refusal(401)]);
  await signIn(page, people.editor.name.toUpperCase(), people.editor.password);
  await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();
  await expect(page).toHaveURL(/\/runs\?q=tuned$/);
  await settled(page);
});

test("the administrator comes in again", async ({ page }) => {
  await prefer(page, "en");
  await comesIn(page, "admin");
  await expect(page.getByRole("heading", { name: "Accounts" })).toBeVisible();
});

/** Pages that are opened with a link: without one they say so. */
const linked = ["people-setup", "people-reset"];

/** Views on which every button of an editor is to be seen. */
const buttoned = ["notebook", "notebooks", "schedule", "datasets"];

for (const person of ["viewer", "editor"] as const) {
  test(`the ${person} walks through all pages: nothing is refused, nothing fails, and the buttons are those of the role`, async ({
    browser,
    request,
  }) => {
    test.setTimeout(400_000);
    test.skip(!inTurn(0, person === "viewer" ? 0 : 1, 2), "the other person has the turn");
    const { page, watch, close } = await browserAs(browser, person);
    const notes = noted();
    const views = await viewsOf(request, "demo", {
      baseline: notes.baseline ?? "",
      candidate: notes.candidate ?? "",
      run: notes.candidate ?? "",
    });
    const faults: string[] = [];
    const seen = new Set<string>();
    // Besides where all buttons are, everybody looks at every fourth page, at the others in the next turns.
    const walked = views.filter((v, place) => !linked.includes(v.name) && (buttoned.includes(v.name) || inTurn(place, 0, 4)));
    for (const view of walked) {
      // Every view is opened by its address for an account that may do everything: see faces.spec.ts.
      if (view.name === "not-found") await page.goto(at("team") + view.path);
      else await turnTo(page, "team", view.path);
      await settled(page);
      await expect(page.locator("#main h1, #main h2").first()).toBeVisible();
      const alerts = await page.locator("#main [role=alert]").allTextContents();
      faults.push(...watch.complaints.splice(0).map((c) => `${view.name}: ${c}`), ...alerts.map((a) => `${view.name} says: ${a}`));
      for (const name of await buttons(page)) {
        seen.add(name);
        const forbidden = person === "viewer" && changing.some((c) => c.test(name));
        if (forbidden || administering.test(name)) faults.push(`${view.name} has the button ${name}`);
      }
    }
    if (person === "editor")
      expect(
        changing.filter((c) => ![...seen].some((name) => c.test(name))),
        "buttons that nobody saw",
      ).toEqual([]);
    expect(faults).toEqual([]);
    figure(`${person}: ${walked.length} of ${views.length - linked.length} views, ${seen.size} buttons, ${faults.length} faults`);
    await close();
  });
}

test("an editor registers an experiment but looks after nobody", async ({ browser, request }) => {
  const { page, watch, close } = await browserAs(browser, "editor");
  const names = (await (await request.get(`${at("demo")}/api/v1/experiments`)).json()) as { items: { name: string }[] };
  const from = names.items[0]?.name ?? "";
  await page.goto(`${at("team")}/experiments/${encodeURIComponent(from)}`);
  await page.getByRole("button", { name: "Clone" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("registered-by-the-editor");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("heading", { name: "registered-by-the-editor" })).toBeVisible();
  await page.goto(`${at("team")}/people`);
  await settled(page);
  await expect(page.getByRole("heading", { name: "API tokens" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Accounts" })).toHaveCount(0);
  await page.goto(`${at("team")}/people/audit`);
  await expect(page.getByText("Only administrators see the audit log.")).toBeVisible();
  watch.quiet("the editor among people");
  const status = await page.evaluate(() => fetch("/api/v1/accounts").then((r) => r.status));
  expect(status).toBe(403);
  await close();
});

test("a token is shown once, works as a bearer, and stops when it is revoked", async ({ browser }) => {
  const { page, watch, close } = await browserAs(browser, "editor");
  await page.goto(`${at("team")}/people`);
  const form = page.locator("form", { has: page.getByLabel("What uses it") });
  await form.getByLabel("What uses it").fill("nightly build");
  await form.getByRole("button", { name: "Make a token" }).click();
  const shown = page.getByRole("status").locator("code");
  await expect(shown).toHaveText(/^wbt_/);
  const secret = (await shown.textContent()) ?? "";
  const asks = async (path: string, method = "GET") =>
    (await fetch(`${at("team")}/api/v1${path}`, { method, headers: { Authorization: `Bearer ${secret}` } })).status;
  expect([await asks("/runs"), await asks("/accounts"), await asks("/tokens/none", "DELETE")]).toEqual([200, 403, 404]);
  await page.reload();
  const row = page.getByRole("row", { name: /nightly build/ });
  await expect(row).toContainText(people.editor.name);
  await expect(row).toContainText("viewer");
  await expect(page.getByText(secret)).toHaveCount(0);
  await row.getByRole("button", { name: "Revoke" }).click();
  await expect(row).toContainText("revoked");
  await expect(row.getByRole("button")).toHaveCount(0);
  expect(await asks("/runs")).toBe(401);
  watch.quiet("tokens");
  await close();
});

test("a session that the administrator ends asks to sign in again, and goes on where it was", async ({ browser }) => {
  const editor = await browserAs(browser, "editor");
  const admin = await browserAs(browser, "admin");
  await editor.page.goto(`${at("team")}/runs?sort=experiment`);
  await settled(editor.page);
  await admin.page.goto(`${at("team")}/people`);
  await admin.page
    .getByRole("row", { name: new RegExp(people.editor.name) })
    .getByRole("button", { name: "End the sessions" })
    .click();
  await expect(admin.page.getByText(`${people.editor.name} is signed out everywhere.`)).toBeVisible();
  admin.watch.quiet("the administrator");
  await admin.close();

  await editor.page.getByRole("searchbox").fill("tuned");
  await expect(editor.page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(editor.page.getByText("Afterwards you are back on this page.")).toBeVisible();
  await expect(editor.page).toHaveURL(/\/runs\?sort=experiment&q=tuned$/);
  for (const complaint of editor.watch.complaints.splice(0)) expect(complaint).toEqual(refusal(401));
  await signIn(editor.page, people.editor.name, people.editor.password);
  await expect(editor.page.getByRole("searchbox")).toHaveValue("tuned");
  await expect(editor.page).toHaveURL(/\/runs\?sort=experiment&q=tuned$/);
  await settled(editor.page);
  editor.watch.quiet("after coming back");
  await keepSession("editor", editor.page);
  await editor.close();
});

test("what was entered stays when the session ends, for the same person only", async ({ browser }) => {
  const editor = await browserAs(browser, "editor");
  const page = editor.page;
  const end = async () => {
    const status = await page.evaluate(async () => {
      const { session } = (await (await fetch("/api/v1/me")).json()) as { session: string };
      return (await fetch(`/api/v1/me/sessions/${session}`, { method: "DELETE" })).status;
    });
    expect(status).toBe(204);
    await page.getByRole("button", { name: "Save as next revision" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    for (const complaint of editor.watch.complaints.splice(0)) expect(complaint).toEqual(refusal(401));
  };
  await page.goto(`${at("team")}/experiments/registered-by-the-editor?view=edit`);
  const notes = page.getByRole("textbox", { name: "Notes" });
  await notes.fill("written before the session ended");
  await end();
  await signIn(page, people.editor.name, people.editor.password);
  await expect(notes).toHaveValue("written before the session ended");
  await end();
  await signIn(page, people.viewer.name, people.viewer.password);
  await expect(page.getByRole("heading", { name: "registered-by-the-editor" })).toBeVisible();
  await expect(page.getByText("written before the session ended")).toHaveCount(0);
  await expect(notes).toHaveCount(0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page).toHaveURL(`${at("team")}/`);
  editor.watch.quiet("after signing out");
  await editor.close();
});

test("an identity provider signs somebody in, who comes back to the page, and keeps strangers out", async ({ page, context, watch }) => {
  await prefer(page, "en");
  await context.addCookies([{ name: "other", value: "1", url: process.env.E2E_AT_IDENTITY ?? "" }]);
  await page.goto(`${at("team")}/runs?q=tuned`);
  const button = page.getByRole("link", { name: "Sign in with Team login" });
  await button.click();
  await expect(page.getByRole("alert")).toContainText("belongs to no domain that is let in");
  await context.clearCookies();
  await button.click();
  await expect(page.getByRole("searchbox")).toHaveValue("tuned");
  await expect(page).toHaveURL(`${at("team")}/runs?q=tuned`);
  await page.goto(`${at("team")}/people`);
  await expect(page.locator("dl").first()).toContainText("kim@team.example");
  await expect(page.locator("dl").first()).toContainText("viewer");
  await settled(page);
  watch.quiet("the provider");
});

test("the audit log has it all", async ({ browser }) => {
  const { page, watch, close } = await browserAs(browser, "admin");
  await page.goto(`${at("team")}/people/audit`);
  await settled(page);
  const table = page.getByRole("table", { name: "Audit log" });
  for (const [who, what] of [
    ["kim@team.example", "session.open"],
    [people.admin.name, "delete-accounts-id-sessions"],
    [people.editor.name, "delete-tokens-id"],
    [people.editor.name, "post-tokens"],
    [people.editor.name, "put-experiments-name"],
    [people.admin.name, "post-accounts"],
  ] as const) {
    await expect(table.getByRole("row", { name: new RegExp(`${who}.*${what}`) }).first()).toBeVisible();
  }
  await page.getByRole("combobox", { name: "Outcome" }).click();
  await page.getByRole("option", { name: "failed" }).click();
  await expect(page).toHaveURL(/outcome=failed/);
  await expect(table.getByRole("row", { name: new RegExp(`failed.*${people.editor.name}.*session.open`) })).toHaveCount(1);
  await expect(table.getByRole("row", { name: /done/ })).toHaveCount(0);
  // What somebody typed who does not exist may be a password in the wrong field.
  await expect(page.getByText("nobody@team.example")).toHaveCount(0);
  watch.quiet("the audit log");
  await close();
});

test("somebody shares a comparison: a phone without an account reads it, and nothing after it is revoked", async ({ browser }) => {
  const { page, watch, close } = await browserAs(browser, "admin");
  const notes = noted();
  await page.goto(`${at("team")}/compare?baseline=${notes.baseline}&candidate=${notes.candidate}`);
  await page.getByRole("button", { name: "Share…" }).click();
  await expect(page.getByLabel("The link works for")).toHaveValue("14");
  await page.getByRole("button", { name: "Make the link" }).click();
  const shown = page.getByRole("status").locator("code");
  await expect(shown).toHaveText(/\/shared\/wbp_[\w-]{43}$/);
  const link = (await shown.textContent()) ?? "";

  const context = await browser.newContext({ locale: "ja-JP", viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const [phone, bare] = [await context.newPage(), await context.newPage()];
  const quiet = watched(phone);
  await phone.goto(link);
  await expect(phone.getByText("閲覧専用の共有ページです。")).toBeVisible();
  const faults: string[] = [];
  for (const [language, colours, other] of [["ja", "dark", "English"] as const, ["en", "light", "日本語"] as const]) {
    await expect(phone.locator("html")).toHaveAttribute("lang", language);
    await bare.setContent(await phone.content()); // no script runs in the page itself, and so no axe
    for (const of of [phone, bare]) await of.emulateMedia({ colorScheme: colours });
    const width = await phone.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) faults.push(`${language} is ${width} px wide`);
    faults.push(...(await inaccessible(bare, `shared ${language} ${colours}`)));
    if (pictures) await phone.screenshot({ path: join(pictures, `shared-${language}-${colours}.png`) });
    await phone.getByRole("link", { name: other }).click();
  }
  expect(faults).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  quiet.quiet("a shared page");

  await page.goto(`${at("team")}/people`);
  const row = page.getByRole("table", { name: "Shared pages" }).getByRole("row").nth(1);
  await expect(row).toContainText(people.admin.name);
  await expect(row).toContainText("left out");
  await row.getByRole("button", { name: "Revoke" }).click();
  await expect(row).toContainText("revoked");
  watch.quiet("sharing");
  await close();
  await phone.reload();
  await expect(phone.getByRole("heading", { name: "このリンクではページを開けません" })).toBeVisible();
  expect(quiet.complaints.splice(0)).toEqual([refusal(404)]);
  await context.close();
});

for (const language of ["en", "ja"] as const) {
  test(`the pages about people in ${language}, in turn light or dark: quiet, accessible, within the window`, async ({
    page,
    browser,
    watch,
  }) => {
    if (pictures) mkdirSync(pictures, { recursive: true });
    const admin = await browserAs(browser, "admin");
    const faults: string[] = [];
    const pages = ["sign-in", "sign-in-refused", "setup", "reset", "audit", "people"];
    const looked = (name: string) => schemes(language, pages.indexOf(name));
    const look = async (of: Page, name: string) => {
      await settled(of);
      await expect(of.locator("html")).toHaveAttribute("lang", language);
      faults.push(...(await overflowing(of, name)));
      await of.setViewportSize({ width: 1280, height: name === "people" ? 1500 : 860 });
      for (const colours of looked(name)) {
        await of.emulateMedia({ colorScheme: colours });
        await expect(of.locator("html")).toHaveAttribute("data-mantine-color-scheme", colours);
        await still(of);
        faults.push(...(await inaccessible(of, `${name} ${language} ${colours}`)));
        if (pictures) await of.screenshot({ path: join(pictures, `${name}-${language}-${colours}.png`) });
      }
    };
    await prefer(page, language);
    for (const [name, path] of [
      ["sign-in", "/runs"],
      ["sign-in-refused", "/?problem=oidc_domain"],
      ["setup", "/setup#wbs_x"],
      ["reset", "/reset"],
    ] as const) {
      if (looked(name).length === 0) continue;
      await page.goto(at("team") + path);
      await look(page, name);
    }
    watch.quiet("without a session");
    await prefer(admin.page, language);
    if (looked("audit").length > 0) {
      await admin.page.goto(`${at("team")}/people/audit`);
      await look(admin.page, "audit");
    }
    if (looked("people").length > 0) {
      await admin.page.goto(`${at("team")}/people`);
      await settled(admin.page);
      const form = admin.page.locator("form", { has: admin.page.getByLabel(language === "en" ? "What uses it" : "用途") });
      await form.getByRole("textbox").first().fill(`pictures ${language}`);
      await form.locator("button[type=submit]").click();
      await expect(admin.page.locator("code").filter({ hasText: "wbt_" })).toBeVisible();
      await admin.page
        .getByRole("row", { name: /vi@team/ })
        .getByRole("button")
        .first()
        .click();
      await expect(admin.page.locator("code").filter({ hasText: "wbr_" })).toBeVisible();
      await look(admin.page, "people");
    }
    admin.watch.quiet("with a session");
    await admin.close();
    expect(faults).toEqual([]);
  });
}

import { defineConfig } from "@playwright/test";
import { leftOut } from "./e2e/turns.ts";

/** Where the browser is. Nothing is downloaded: the one of the system is used. */
const executablePath = process.env.E2E_CHROMIUM ?? "/usr/bin/chromium";

/** A page lives for seconds: to compile what it runs often once more, and better, costs a tenth of all that the browser does. */
const scripts = "--no-opt,--no-maglev,--min-semi-space-size=32";

export default defineConfig({
  testDir: "e2e",
  testIgnore: leftOut().map((file) => `**/${file}`),
  globalSetup: "./e2e/setup.ts",
  outputDir: process.env.E2E_RESULTS ?? "/tmp/workbench-e2e-results",
  workers: Number(process.env.E2E_WORKERS ?? 3),
  fullyParallel: false,
  forbidOnly: true,
  // A test that passes only when it is tried again is named in the summary.
  retries: 1,
  // Waiting ends with its condition: these are for machines that do much else at the same time.
  timeout: 400_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000 } },
  reporter: process.env.E2E_EVENTS === "1" ? [["./e2e/report.ts"]] : [["list"], ["./e2e/report.ts"]],
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 860 },
    colorScheme: "light",
    screenshot: "only-on-failure",
    actionTimeout: 60_000,
    navigationTimeout: 90_000,
    trace: "off",
    launchOptions: {
      executablePath,
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb", "--disable-gpu", `--js-flags=${scripts}`],
    },
  },
});

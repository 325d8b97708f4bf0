import { defineConfig } from "@playwright/test";

/** Where the browser is. Nothing is downloaded: the one of the system is used. */
const executablePath = process.env.E2E_CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/setup.ts",
  outputDir: process.env.E2E_RESULTS ?? "/tmp/workbench-e2e-results",
  workers: Number(process.env.E2E_WORKERS ?? 2),
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: process.env.E2E_EVENTS === "1" ? [["./e2e/report.ts"]] : [["list"], ["./e2e/report.ts"]],
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 860 },
    colorScheme: "light",
    screenshot: "only-on-failure",
    actionTimeout: 20_000,
    navigationTimeout: 40_000,
    trace: "off",
    launchOptions: { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"] },
  },
});

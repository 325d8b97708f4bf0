import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";

/**
 * Prints the figures that tests measured. With E2E_EVENTS=1 it also prints what happened as go test -json would, for
 * scripts/testsummary, which counts tests of all kinds together.
 */
export default class Report implements Reporter {
  private readonly figures: string[] = [];
  private readonly counts = { passed: 0, failed: 0, skipped: 0 };
  private readonly began = Date.now();
  private readonly events = process.env.E2E_EVENTS === "1";

  onBegin(_config: FullConfig, _suite: Suite) {
    this.event({ Action: "start" });
  }

  onError(error: { message?: string; stack?: string }) {
    this.event({ Action: "output", Output: `${error.stack ?? error.message ?? "unknown"}\n` });
  }

  onTestEnd(test: TestCase, result: TestResult) {
    for (const { type, description } of test.annotations) if (type === "figure" && description) this.figures.push(description);
    const outcome = result.status === "skipped" ? "skipped" : result.status === test.expectedStatus ? "passed" : "failed";
    this.counts[outcome]++;
    const Test = `${test.location.file.split("/").pop()?.replace(".spec.ts", "")}: ${test.title.replaceAll("/", "∕")}`;
    for (const error of result.errors) this.event({ Action: "output", Test, Output: `${plain(error.stack ?? error.message ?? "")}\n` });
    this.event({ Action: outcome === "skipped" ? "skip" : outcome === "passed" ? "pass" : "fail", Test, Elapsed: result.duration / 1000 });
  }

  onEnd(result: FullResult) {
    const seconds = Math.round((Date.now() - this.began) / 1000);
    this.event({ Action: result.status === "passed" ? "pass" : "fail", Elapsed: seconds });
    if (this.figures.length > 0) console.log("measured in the browser:");
    for (const line of this.figures) console.log(`  ${line}`);
    const { passed, failed, skipped } = this.counts;
    if (!this.events) console.log(`\nbrowser: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`);
  }

  private event(what: { Action: string; Test?: string; Output?: string; Elapsed?: number }) {
    if (this.events) console.log(JSON.stringify({ ...what, Package: "frontend/e2e" }));
  }
}

/** A text without the colours of a terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}

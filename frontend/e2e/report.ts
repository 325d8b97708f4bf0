import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { leftOut } from "./turns.ts";

/**
 * Prints the figures that tests measured. With E2E_EVENTS=1 it also prints what happened as go test -json would, for
 * scripts/testsummary, which counts tests of all kinds together. A test that passed only when it was tried again is an event of its own,
 * "flaky", with the error of the first try: whoever reads the summary sees it.
 */
export default class Report implements Reporter {
  private readonly figures = new Set<string>();
  /** Errors of tests that are tried again, by id. */
  private readonly firstTries = new Map<string, { Test: string; errors: string }>();
  private suite: Suite | undefined;
  private readonly began = Date.now();
  private readonly events = process.env.E2E_EVENTS === "1";

  onBegin(_config: FullConfig, suite: Suite) {
    this.suite = suite;
    this.event({ Action: "start" });
    const left = leftOut();
    if (left.length > 0) console.log(`these files have their turn on other commits: ${left.join(", ")}`);
  }

  onError(error: { message?: string; stack?: string }) {
    this.event({ Action: "output", Output: `${error.stack ?? error.message ?? "unknown"}\n` });
  }

  onTestEnd(test: TestCase, result: TestResult) {
    const outcome = result.status === "skipped" ? "skipped" : result.status === test.expectedStatus ? "passed" : "failed";
    const Test = `${test.location.file.split("/").pop()?.replace(".spec.ts", "")}: ${test.title.replaceAll("/", "∕")}`;
    const errors = result.errors.map((e) => `${place(e)}${plain(e.stack ?? e.message ?? "")}\n`).join("");
    if (outcome === "failed" && result.retry < test.retries) {
      this.firstTries.set(test.id, { Test, errors });
      return;
    }
    for (const { type, description } of test.annotations) if (type === "figure" && description) this.figures.add(description);
    if (outcome === "failed") this.event({ Action: "output", Test, Output: errors });
    if (outcome === "skipped") this.event({ Action: "output", Test, Output: `${skipped(test)}\n` });
    this.event({ Action: outcome === "skipped" ? "skip" : outcome === "passed" ? "pass" : "fail", Test, Elapsed: result.duration / 1000 });
    const first = this.firstTries.get(test.id);
    if (outcome === "passed" && first) this.event({ Action: "flaky", Test, Output: first.errors });
  }

  onEnd(result: FullResult) {
    const seconds = Math.round((Date.now() - this.began) / 1000);
    this.event({ Action: result.status === "passed" ? "pass" : "fail", Elapsed: seconds });
    if (this.figures.size > 0) console.log("measured in the browser:");
    for (const line of this.figures) console.log(`  ${line}`);
    if (this.events) return;
    const of = (outcome: string) => this.suite?.allTests().filter((t) => t.outcome() === outcome) ?? [];
    for (const t of of("flaky")) console.log(`passed at the second try: ${t.title}`);
    console.log(
      `\nbrowser: ${of("expected").length + of("flaky").length} passed, ${of("unexpected").length} failed, ${of("skipped").length} skipped in ${seconds} s`,
    );
  }

  private event(what: { Action: string; Test?: string; Output?: string; Elapsed?: number }) {
    if (this.events) console.log(JSON.stringify({ ...what, Package: "frontend/e2e" }));
  }
}

/** Why a test did not run. */
function skipped(test: TestCase): string {
  return test.annotations.find((a) => a.type === "skip")?.description ?? "a test before it failed";
}

/** Where in the tests something went wrong. */
function place({ location }: TestError): string {
  return location ? `${location.file.split("/").pop()}:${location.line}: ` : "";
}

/** A text without the colours of a terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}

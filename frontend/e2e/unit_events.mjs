// Turns vitest's JSON report on standard input into events as go test -json writes them, for scripts/testsummary.
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const say = (event) => console.log(JSON.stringify({ Package: "frontend/src", ...event }));
const text = Buffer.concat(chunks).toString();
const begin = text.indexOf("{");
if (begin < 0) {
  say({ Action: "output", Output: text || "vitest printed nothing\n" });
  say({ Action: "fail", Elapsed: 0 });
} else {
  const report = JSON.parse(text.slice(begin));
  for (const file of report.testResults) {
    const name = file.name.split("/src/").pop();
    if (file.assertionResults.length === 0) say({ Action: "output", Output: `${name}: ${file.message}\n` });
    for (const test of file.assertionResults) {
      const Test = `${name.replaceAll("/", "∕")}: ${test.fullName.replaceAll("/", "∕")}`;
      for (const message of test.failureMessages ?? []) say({ Action: "output", Test, Output: `${message}\n` });
      say({ Action: { passed: "pass", failed: "fail" }[test.status] ?? "skip", Test, Elapsed: (test.duration ?? 0) / 1000 });
    }
  }
  const ends = report.testResults.map((f) => f.endTime);
  say({ Action: report.success ? "pass" : "fail", Elapsed: (Math.max(...ends) - report.startTime) / 1000 });
}

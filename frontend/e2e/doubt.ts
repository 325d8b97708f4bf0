import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { copied, folder } from "./folders.ts";
import { binary, workbenchWith } from "./program.ts";

/** A judge that costs money and is sometimes of two minds: the fake provider, which turns one judgement in ten round. */
export interface Judge {
  env: Record<string, string>;
  stop: () => void;
}

/** Starts the judge on a free port. */
export async function startJudge(): Promise<Judge> {
  const child = spawn(binary, ["fake-provider", "--flip", "0.1"], { stdio: ["ignore", "pipe", "inherit"] });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line === "}") break;
  }
  const { base_url } = JSON.parse(said.join("\n")) as { base_url: string };
  return { env: { OPENAI_BASE_URL: base_url, OPENAI_API_KEY: "not-a-secret" }, stop: () => child.kill() };
}

/** A copy of the demo with a comparison that this judge leaves in doubt. */
export async function makeDoubt(root: string, judge: Judge): Promise<Record<string, string>> {
  const data = join(root, "doubt");
  rmSync(data, { recursive: true, force: true });
  copied(folder(root, "demo"), data);
  const runs: string[] = [];
  for (const [name, k] of [
    ["doubt-before", 4],
    ["doubt-after", 3],
  ] as const) {
    writeFileSync(
      join(data, `${name}.yaml`),
      `name: ${name}\ncorpus: airline-en\ndataset: airline-en\nsuite: [correctness, trust]\njudge: {provider: openai, model: gpt-4.1-mini}\nbase: {retrieve: {k: ${k}}}\n`,
    );
    const made = await workbenchWith<{ run_id: string } | { run_id: string }[]>(judge.env, data, "run", `${name}.yaml`, "--limit", "60");
    runs.push((Array.isArray(made) ? made[0] : made)?.run_id ?? "");
  }
  return { doubtBefore: runs[0] ?? "", doubtAfter: runs[1] ?? "" };
}

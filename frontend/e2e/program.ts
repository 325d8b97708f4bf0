import { type ChildProcess, execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The program under test: the binary that make build leaves, unless E2E_WORKBENCH names another. */
export const binary = process.env.E2E_WORKBENCH ?? join(import.meta.dirname, "..", "..", "bin", "workbench");

/** Runs a verb of the command line on a data folder and returns what it prints as JSON. */
export function workbench<T = unknown>(data: string, ...args: string[]): Promise<T> {
  return workbenchWith({}, data, ...args);
}

/** The same with more in its environment. */
export async function workbenchWith<T = unknown>(env: Record<string, string>, data: string, ...args: string[]): Promise<T> {
  const { stdout } = await run(binary, [...args, "--data", data, "--json", "--quiet"], {
    cwd: data,
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout) as T;
}

/** The same for verbs whose exit code says that something was found wanting, as runs of unanswered questions do. */
export async function workbenchTrying(data: string, ...args: string[]): Promise<void> {
  await run(binary, [...args, "--data", data, "--quiet"], { cwd: data, maxBuffer: 1 << 28 }).catch(
    (error: { code?: unknown; stderr?: string }) => {
      if (error.code !== 5) throw error;
    },
  );
}

/** A server over a data folder, and how to end it. */
export interface Served {
  address: string;
  /** What it printed on its console before that. */
  said: string[];
  stop: () => Promise<void>;
}

/** Serves a data folder on a free port of the loopback address, unless more says something else. */
export async function serve(data: string, env: Record<string, string> = {}, more: string[] = []): Promise<Served> {
  const child = spawn(binary, ["serve", "--addr", "127.0.0.1:0", "--data", data, ...more], {
    cwd: data,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = await greeting(child);
  return {
    address: said.pop() ?? "",
    said,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

/** A timetable whose next time is half a year away, so that no test meets it. */
export function farOff(): string {
  return `0 6 2 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;
}

/** A configuration with a provider that has a price, and with channels: one that works and one whose address is nowhere. */
export function pricedConfig(provider: string): string {
  return `providers:
  priced: {base_url: "${provider}", api_key_env: HOSTILE_KEY}
private_hosts: [127.0.0.1]
prices:
  writer: {input: 100, output: 200}
currency: USD
notifications:
  channels:
    ops: {kind: webhook, url: "${provider}/nobody", allow_private: true}
    gone: {kind: slack, url_env: WORKBENCH_E2E_GONE}
`;
}

/** A provider of models that has a price: the one of the test rig. */
export async function startProvider(): Promise<{ address: string; stop: () => void }> {
  const child = spawn(binary, ["fake-provider"], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await printed(child);
  return { address: (JSON.parse(line) as { base_url: string }).base_url, stop: () => child.kill("SIGTERM") };
}

/** What a program prints first, until a line that ends it. */
async function printed(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const part of child.stdout as NodeJS.ReadableStream) {
    text += String(part);
    if (text.trimEnd().endsWith("}")) return text;
  }
  throw new Error("the provider ended before it listened");
}

/** What a server prints until it says its address, which is the last of these lines. */
async function greeting(child: ChildProcess): Promise<string[]> {
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`workbench serve ended with ${code} before it listened`)));
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const said: string[] = [];
  const greeted = new Promise<string[]>((resolve) =>
    lines.on("line", (line) => {
      said.push(line);
      if (/^https?:/.test(line)) resolve([...said]);
    }),
  );
  return Promise.race([greeted, ended]);
}

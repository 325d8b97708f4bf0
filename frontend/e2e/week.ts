import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { folder } from "./folders.ts";
import { serve } from "./program.ts";

/** A question about a price, its right answer, and what the system says: rightly in two ways, and wrongly after a release. */
export interface Price {
  id: string;
  question: string;
  reference: string;
  said: string;
  /** What the next release says. */
  later: string;
  /** People accept said, and would not accept later. */
  broken: boolean;
}

const tickets = ["single ticket", "day ticket", "week ticket", "bicycle ticket"];

/** What the team asks its system: 44 prices. Every second one it tells in a form that its judge does not know. */
export const prices: Price[] = tickets.flatMap((ticket, kind) =>
  Array.from({ length: 11 }, (_, i) => {
    const [zone, yen] = [i + 1, 180 + kind * 310 + i * 40];
    const told = (n: number) =>
      (kind + i) % 2 ? `For a ${ticket} you pay ¥${n} in zone ${zone}.` : `A ${ticket} costs ${n} yen in zone ${zone}.`;
    const broken = ticket === "week ticket" && (kind + i) % 2 === 0;
    return {
      id: `${ticket.split(" ")[0]}-${zone}`,
      question: `What does a ${ticket} cost in zone ${zone}?`,
      reference: `A ${ticket} costs ${yen} yen in zone ${zone}.`,
      said: told(yen),
      later: broken ? told(yen + 500) : told(yen),
      broken,
    };
  }),
);

/** What users asked besides, which nobody has written a right answer for. */
export const besides = ["May I take a dog along?", "Where is lost property kept?", "Do children travel free?"];

/** What one of them asked with a mail address in it. */
const personal = "My address is kay@mail.example: may I return a ticket?";

/** How many questions of traces are kept: one of them was asked twice. */
export const askedInAll = prices.length + besides.length + 1;

/** The token of programs that send traces. */
export const tracesToken = "only-traces";

const hex = (text: string, digits: number) => createHash("sha256").update(text).digest("hex").slice(0, digits);

/** The traces of one question as a program with OpenInference sends them: a step that searches within one that answers. */
export function traceOf(question: string, answer: string, n: number): unknown[] {
  const trace = hex(`trace ${n}`, 32);
  const began = BigInt(Date.now()) * 1_000_000n;
  const span = (name: string, kind: string, parent: string, attributes: Record<string, string>) => ({
    traceId: trace,
    spanId: hex(`${name} ${n}`, 16),
    ...(parent ? { parentSpanId: hex(`${parent} ${n}`, 16) } : {}),
    name,
    startTimeUnixNano: String(began),
    endTimeUnixNano: String(began + 1_000_000n),
    attributes: Object.entries({ "openinference.span.kind": kind, ...attributes }).map(([key, value]) => ({
      key,
      value: { stringValue: value },
    })),
  });
  return [
    span("search", "RETRIEVER", "answer", {
      "input.value": question,
      "retrieval.documents.0.document.id": "tariff.md",
      "retrieval.documents.0.document.content": prices.find((p) => p.question === question)?.reference ?? "Please ask at the counter.",
    }),
    span("answer", "CHAIN", "", { "input.value": question, "output.value": answer }),
  ];
}

/** Sends traces to a server as an exporter does. */
export async function sendTraces(address: string, spans: unknown[], token = tracesToken): Promise<Response> {
  return fetch(`${address}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  });
}

/** Makes a data folder to which a week's traces came. They are complete half a minute later, which other worlds take as well. */
export async function makeWeek(root: string) {
  const data = folder(root, "week");
  rmSync(data, { recursive: true, force: true });
  folder(root, "week");
  writeFileSync(join(data, "workbench.yaml"), "traces: {accept: true}\n");
  const server = await serve(data, { WORKBENCH_TRACES_TOKEN: tracesToken }, ["--no-schedules"]);
  const asked = [
    ...prices.map((p) => [p.question, p.said]),
    ...[...besides, personal, besides[0] ?? ""].map((q) => [q, "Please ask at the counter."]),
  ];
  const sent = await sendTraces(
    server.address,
    asked.flatMap(([question = "", answer = ""], n) => traceOf(question, answer, n)),
  );
  await server.stop();
  if (!sent.ok) throw new Error(`traces: ${sent.status} ${await sent.text()}`);
}

/** The team's system, with a build of a pull request beside it, and its judge. */
export interface Shop {
  address: string;
  /** What is in production: 1 is well, 2 is what the pull request has. */
  release: 1 | 2;
  close: () => void;
}

/**
 * Starts them. The judge takes a price for wrong that is written with ¥, until it is shown such an answer that people accept. What
 * else it is asked goes to the provider of the test rig.
 */
export async function startShop(rig: string): Promise<Shop> {
  const shop: Shop = { address: "", release: 1, close: () => server.close() };
  const server = createServer((request, response) => {
    void read(request).then(async (text) => {
      const path = request.url ?? "";
      const reply = path.endsWith("/chat/completions")
        ? await judged(text, rig)
        : JSON.stringify(answered(text, path.startsWith("/next") ? 2 : shop.release));
      response.setHeader("content-type", "application/json");
      response.end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  shop.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shop;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const more of request) text += String(more);
  return text;
}

function answered(text: string, release: 1 | 2): unknown {
  const { query } = JSON.parse(text) as { query: string };
  const price = prices.find((p) => p.question === query);
  if (!price) return { answer: "Please ask at the counter.", sources: [], version: String(release) };
  return {
    answer: release === 1 ? price.said : price.later,
    sources: [{ doc: "tariff.md", text: price.reference }],
    version: String(release),
  };
}

interface Asked {
  messages: { role: string; content: string }[];
  response_format?: { json_schema?: { name?: string } };
}

interface Judged {
  answer?: string;
  reference?: string;
  examples?: { answer: string; accepted: boolean }[];
}

async function judged(text: string, rig: string): Promise<string> {
  const asked = JSON.parse(text) as Asked;
  const prompt = asked.messages.find((m) => m.role === "user")?.content ?? "";
  const data = /^<<<DATA [0-9a-f]+>>>\n(.*)\n<<<END/m.exec(prompt)?.[1];
  if (asked.response_format?.json_schema?.name !== "rubric" || !data) {
    const headers = { "content-type": "application/json", authorization: "Bearer not-a-secret" };
    return (await fetch(`${rig}/chat/completions`, { method: "POST", headers, body: text })).text();
  }
  const content = JSON.stringify(graded(JSON.parse(data) as Judged, prompt));
  const usage = { prompt_tokens: Math.ceil(text.length / 4), completion_tokens: 20, total_tokens: Math.ceil(text.length / 4) + 20 };
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "judge",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage,
  });
}

/** Grades by the price alone: trust by the passages, correctness by the right answer. */
function graded(d: Judged, prompt: string): { reason: string; score: number } {
  const price = /(\d+) yen|¥(\d+)/.exec(d.answer ?? "");
  const yen = price?.[1] ?? price?.[2] ?? "";
  if (d.reference === undefined) {
    const there = yen === "" || prompt.split(yen).length > 2;
    return { reason: there ? "The passages say so." : "The passages name another price.", score: there ? 5 : 1 };
  }
  if (!d.reference.includes(` ${yen} yen`)) return { reason: "It names another price.", score: 1 };
  const known = !d.answer?.includes("¥") || d.examples?.some((e) => e.accepted && e.answer.includes("¥"));
  return known ? { reason: "It names the right price.", score: 5 } : { reason: "It does not say how many yen.", score: 1 };
}

/** The recipe of the week, as docs/week.md tells it: files to write by their names, and commands by their headings. */
export function recipe(language: "en" | "ja"): { files: Record<string, string>; commands: string[][] } {
  const page = language === "en" ? "week.md" : "week.ja.md";
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", page), "utf8");
  const files = Object.fromEntries(
    [...text.matchAll(/^`([\w.-]+)`[:：]\n\n```\w+\n(.*?)```/gms)].map(([, name = "", body = ""]) => [name, body]),
  );
  const commands = text
    .replace(/\\\n\s*/g, "")
    .split(/^## /m)
    .slice(1)
    .map((part) => [...part.matchAll(/^(?:workbench|pytest) .*/gm)].map(([line]) => line.replace(/ {2,}#.*/, "")));
  return { files, commands };
}

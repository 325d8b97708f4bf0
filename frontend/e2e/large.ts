import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, jsonLines, remember, remembered } from "./folders.ts";
import { workbench } from "./program.ts";

/** How many questions the large data folder has. */
export const many = Number(process.env.E2E_LARGE ?? 10_000);

/** Twelve metrics that need no evidence of a corpus: judged, of contexts, and of text. */
export const twelve = [
  "correctness",
  "trust",
  "faithfulness",
  "answer_relevancy",
  "context_precision",
  "context_recall",
  "context_utilization",
  "answer_similarity",
  "answer_correctness",
  "factual_correctness",
  "noise_sensitivity",
  "rouge_l",
];

const services = ["baggage", "refunds", "seats", "meals", "pets", "lounges", "upgrades", "check-in", "delays", "visas"];

/** A data folder with two runs of logged answers to 10,000 questions, twelve metrics each. */
export async function makeLarge(root: string): Promise<Record<string, string>> {
  const data = folder(root, "large");
  const known = remembered(data);
  if (known) return known;
  const random = seeded(8);
  const facts = Array.from({ length: many }, (_, i) => ({
    service: services[i % services.length] ?? "",
    fee: 100 + Math.floor(random() * 900),
    days: 1 + Math.floor(random() * 30),
  }));
  const id = (i: number) => `q-${String(i).padStart(5, "0")}`;
  jsonLines(
    join(data, "questions.jsonl"),
    facts.map((f, i) => ({
      id: id(i),
      question: `What does rule ${i} about ${f.service} cost, and within how many days?`,
      reference: `Rule ${i} costs ${f.fee} dollars within ${f.days} days.`,
      tags: [`hops:${i % 4 === 0 ? "multi" : "single"}`, `lang:${i % 2 === 0 ? "en" : "ja"}`],
      theme: f.service,
    })),
  );
  await workbench(data, "dataset", "import", "questions.jsonl", "--name", "large");
  const notes: Record<string, string> = {};
  for (const [name, wrong] of [
    ["large-before", 0.3],
    ["large-after", 0.22],
  ] as const) {
    const answers = facts.map((f, i) => {
      const draw = random();
      const fee = draw < wrong ? f.fee + 7 : f.fee;
      const days = draw > 1 - wrong / 2 ? f.days + 40 : f.days;
      return {
        question_id: id(i),
        answer: draw < wrong / 4 ? "The documents do not say." : `Rule ${i} costs ${fee} dollars within ${days} days.`,
        contexts: [`About ${f.service}. Rule ${i} costs ${f.fee} dollars within ${draw < 0.9 ? f.days : f.days + 1} days.`],
        latency_ms: 200 + Math.floor(draw * 900),
      };
    });
    jsonLines(join(data, `${name}.jsonl`), answers);
    await workbench(data, "import-answers", `${name}.jsonl`, "--dataset", "large", "--name", name);
    writeFileSync(join(data, `${name}.yaml`), `name: ${name}\nanswers: ${name}\ndataset: large\nsuite: [${twelve.join(", ")}]\n`);
    const run = await workbench<{ run_id: string } | { run_id: string }[]>(data, "run", `${name}.yaml`);
    notes[name] = (Array.isArray(run) ? run[0] : run)?.run_id ?? "";
  }
  remember(data, notes);
  return notes;
}

/** Equal numbers in every run of the tests (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

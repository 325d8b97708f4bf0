import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder, jsonLines, remember, remembered } from "./folders.ts";
import { payloads } from "./payloads.ts";
import { workbench, workbenchTrying } from "./program.ts";

const attack = (i: number) => payloads[i % payloads.length]?.text ?? "";

/** The id of the question that carries a payload. Some ids are attacks themselves, or hard to put into an address. */
export function questionID(i: number): string {
  const odd: Record<number, string> = {
    1: 'p1"><i>x</i>',
    2: "p2 <img src=x onerror=alert(1)>",
    3: "p3/../%2e?x=1#y&z",
    4: "p4 {{id}}",
    5: "p5 'or'",
  };
  return odd[i] ?? `p${i}`;
}

/** A data folder in which every text that people can bring in is an attack. */
export async function makeHostile(root: string, elsewhere: string): Promise<Record<string, string>> {
  const data = folder(root, "hostile");
  writeFileSync(join(data, "workbench.yaml"), configuration(elsewhere));
  await workbench(
    data,
    "endpoint",
    "add",
    "outside",
    "--url",
    `${elsewhere}/rag`,
    "--template",
    '{"query": "{{question}}"}',
    "--answer",
    "answer",
    "--contexts",
    "sources",
    "--context-text",
    "text",
    "--context-id",
    "doc",
    "--version-path",
    "version",
  );
  const known = remembered(data);
  if (known) return known;

  const documents = payloads.map((p, i) => ({
    doc_id: i < 6 ? `doc ${attack(i)}` : `doc-${i}`,
    title: p.text,
    source: attack(i + 1),
    text: `${p.text}\n\nThe rule of paragraph ${i} says: ${attack(i + 7)} and ${attack(i + 11)}. It holds for item ${i} alone.`,
  }));
  jsonLines(join(data, "corpus.jsonl"), documents);
  await workbench(data, "corpus", "import", "corpus.jsonl", "--name", "hostile");

  const questions = payloads.map((p, i) => ({
    id: questionID(i),
    question: `What does ${p.text} mean for item ${i}?`,
    reference: `It means ${attack(i + 3)} and ${p.text}.`,
    references: [`Or ${attack(i + 4)}`],
    evidence: [{ doc_id: documents[i]?.doc_id, quote: `The rule of paragraph ${i} says` }],
    expected_urls: [attack(i + 5)],
    tags: [attack(i + 2), `kind:${p.kind}`],
    theme: attack(i % 9),
    critical: i % 5 === 0,
    note: attack(i + 6),
  }));
  jsonLines(join(data, "questions.jsonl"), questions);
  await workbench(data, "dataset", "import", "questions.jsonl", "--name", "hostile", "--corpus", "hostile");

  const notes: Record<string, string> = {};
  for (const [name, shift] of [
    ["log-a", 3],
    ["log-b", 9],
  ] as const) {
    const answers = payloads.map((p, i) => ({
      question_id: questionID(i),
      answer: i % 3 === 0 && shift === 3 ? `It means ${attack(i + 3)} and ${p.text}.` : `${p.text} ${attack(i + shift)}`,
      contexts: [`${documents[i]?.text}`, `${attack(i + shift + 1)} unrelated`],
    }));
    jsonLines(join(data, `${name}.jsonl`), answers);
    await workbench(data, "import-answers", `${name}.jsonl`, "--dataset", "hostile", "--corpus", "hostile", "--name", name);
    notes[name] = await ran(data, name);
  }

  writeFileSync(join(data, "sweep.yaml"), experiment("axes", "sweep:\n  retrieve.k: [1, 2]\n  chunk.size: [200, 400]\n"));
  await workbenchTrying(data, "sweep", "sweep.yaml");
  writeFileSync(join(data, "pipe.yaml"), experiment("pipe", ""));
  notes.pipe = await ran(data, "pipe.yaml");
  await workbenchTrying(data, "questions", notes.pipe);
  await workbenchTrying(data, "diagnose", notes.pipe);

  const model = JSON.stringify(attack(6));
  writeFileSync(
    join(data, "refused.yaml"),
    experiment("refused", `base:\n  generate: {provider: elsewhere, model: ${model}, prompt: ${JSON.stringify(`Answer. ${attack(0)}`)}}\n`),
  );
  await workbenchTrying(data, "run", "refused.yaml", "--limit", "12");
  writeFileSync(
    join(data, "outside.yaml"),
    `name: outside\nendpoint: outside\ndataset: hostile\ntags: [${JSON.stringify(attack(15))}]\nnotes: ${JSON.stringify(attack(14))}\n`,
  );
  await workbenchTrying(data, "run", "outside.yaml", "--limit", "12");
  await workbench(
    data,
    "agreement",
    "set",
    "hostile",
    "--by",
    attack(0),
    "--note",
    attack(6),
    "--item",
    JSON.stringify({ theme: attack(1), action: attack(14), owner: attack(7) }),
  );
  mkdirSync(join(data, "notebooks"), { recursive: true });
  writeFileSync(join(data, "notebooks", "hostile.rag.md"), notebook(notes, true));
  writeFileSync(join(data, "notebooks", "wrong.rag.md"), notebook(notes, false));
  remember(data, notes);
  return notes;
}

/** A notebook whose every text is an attack: title, prose, notes, headings and bodies of cells. One that is wrong refers to what is not there, too. */
function notebook(notes: Record<string, string>, right: boolean): string {
  const used = payloads.filter((p) => !right || !/\{\{|```/.test(p.text));
  const quoted = (i: number) => JSON.stringify(attack(i));
  const prose = used.map((p, i) => `${i % 3 === 0 ? "- " : i % 3 === 1 ? "> " : ""}${p.text}`).join("\n\n");
  const cell = (type: string, name: string, body: string) => `\`\`\`\`rag ${type} ${name}\n${body}\`\`\`\`\n\n`;
  return [
    `---\nragnb: 1\ntitle: {en: ${quoted(0)}, ja: ${quoted(6)}}\n---\n\n`,
    cell("params", "p", `x: {default: ${quoted(8)}, doc: {en: ${quoted(14)}, ja: ${quoted(19)}}}\n`),
    cell("note", "n", `en: |\n${used.map((p) => `  ${p.text.replaceAll("\n", "\n  ")}\n`).join("\n")}ja: ${quoted(3)}\n`),
    cell("corpus", "docs", `source: hostile\ntitle: {en: ${quoted(7)}, ja: ${quoted(15)}}\n`),
    cell("config", "odd", `corpus: docs\ngenerate: {provider: offline, model: extractive, prompt: ${quoted(16)}}\n`),
    cell("failures", "low", `of: run:${notes["log-a"] ?? ""}\n`),
    cell("compare", "c", `title: ${quoted(20)}\nbaseline: run:${notes["log-a"] ?? ""}\ncandidate: run:${notes["log-b"] ?? ""}\n`),
    cell("question", "q", `of: run:${notes["log-b"] ?? ""}\nid: ${JSON.stringify(questionID(2))}\n`),
    right ? "" : cell("failures", "broken", `of: ${quoted(1)}\n`),
    prose,
    "\n",
  ].join("");
}

function configuration(elsewhere: string): string {
  return `providers:\n  elsewhere: {base_url: "${elsewhere}/v1", api_key_env: HOSTILE_KEY}\nprices:\n  ${JSON.stringify(attack(6))}: {input: 1, output: 2}\ncurrency: USD\n`;
}

function experiment(name: string, more: string): string {
  const tags = JSON.stringify([attack(0), attack(6), attack(30)]);
  return `name: ${name}\ncorpus: hostile\ndataset: hostile\ntags: ${tags}\nnotes: ${JSON.stringify(`${attack(14)} ${attack(20)}`)}\n${more}`;
}

/** Runs an experiment and returns the run's id. */
async function ran(data: string, name: string): Promise<string> {
  const result = await workbench<{ run_id: string } | { run_id: string }[]>(data, "run", name);
  return (Array.isArray(result) ? result[0] : result)?.run_id ?? "";
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Plan, said, shown, shownIn, wordsIn } from "./plan";
import { draw, px, type Scene } from "./scene";

interface Golden {
  name: string;
  plan: Plan;
  said: string;
  scenes: Record<string, string>;
  tables: Record<string, string>;
}

const file = join(import.meta.dirname, "../../../../internal/charts/testdata/plans.json");
const cases = JSON.parse(readFileSync(file, "utf8")) as Golden[];

/** A scene as text, one shape on a line, as the Go test writes it. */
function written(s: Scene): string {
  const n = (...v: (number | undefined)[]) => v.map((x) => String(px(x ?? 0))).join(" ");
  const shapes = s.shapes.map((x) => {
    if (x.text) return `${x.class}|${x.text}|${n(x.x, x.y)}|${x.anchor ?? ""}`;
    return x.d ? `${x.class}|${x.d}` : `${x.class}|${n(x.x, x.y, x.w, x.h)}`;
  });
  return [n(s.width, s.height), ...shapes, ...s.spots.map((at) => n(...at))].join("\n");
}

/** FNV-1a. */
function digest(text: string): string {
  let h = 0x811c9dc5;
  for (const b of new TextEncoder().encode(text)) h = Math.imul(h ^ b, 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

test("there are forty plans and more", () => expect(cases.length).toBeGreaterThanOrEqual(40));

test.each(cases)("$name is laid out as in the files", ({ plan, scenes, said: spoken }) => {
  for (const [at, want] of Object.entries(scenes)) {
    const [lang = "", width = ""] = at.split(" ");
    const text = written(draw(plan, lang, Number(width)));
    expect(digest(text), `${at}\n${text.slice(0, 3000)}`).toBe(want);
  }
  if (plan.marks[0]) expect(said(plan, plan.marks[0], "en")).toBe(spoken);
});

test.each(cases)("the table behind $name says what the files say", ({ plan, tables }) => {
  expect(Object.keys(tables)).toEqual(["en", "ja"]);
  for (const [lang, want] of Object.entries(tables)) {
    const rows = plan.rows.map((row) => plan.head.map((h, k) => shownIn(plan, h, row[k], lang)).join("|"));
    expect(digest([plan.head.map((h) => wordsIn(h.title, lang)).join("|"), ...rows].join("\n")), lang).toBe(want);
  }
});

test("numbers are shown as in the files", () => {
  const head = { title: {}, number: true, digits: 1 };
  expect([1234567.04, -1234.5, -0.04, 0, null, "x"].map((v) => shown(head, v))).toEqual([
    "1,234,567.0",
    "-1,234.5",
    "0.0",
    "0.0",
    "–",
    "x",
  ]);
});

test("whatever is drawn has its look on pages and in files", () => {
  const drawn = new Set<string>();
  for (const { plan, scenes } of cases)
    for (const at of Object.keys(scenes))
      for (const { class: names } of draw(plan, "en", Number(at.split(" ")[1])).shapes)
        for (const name of names.split(" ")) drawn.add(name);
  drawn.delete("tile"); // its shade has a name of its own
  expect(drawn.size).toBeGreaterThan(30);
  for (const path of ["chart.module.css", "../../../../internal/charts/chart.css"]) {
    const text = readFileSync(join(import.meta.dirname, path), "utf8");
    expect(
      [...drawn].filter((name) => !new RegExp(`\\.${name}\\b`).test(text)),
      path,
    ).toEqual([]);
  }
});

/** The colours that a style sheet gives charts, by scheme: the first block of a name is light, a second one dark. */
function coloursOf(path: string): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  for (const [, name = "", value = ""] of readFileSync(join(import.meta.dirname, path), "utf8").matchAll(
    /--(c\d|heat|cool|base):\s*([^;}]+)/g,
  )) {
    out[name] = [...(out[name] ?? []), value.trim()];
  }
  return out;
}

test("pages, print and files have the same colours", () => {
  const files = coloursOf("../../../../internal/charts/chart.css");
  expect(Object.keys(files)).toHaveLength(11);
  expect(coloursOf("../../app/tokens.css")).toEqual(files);
  expect(coloursOf("../../app/print.css")).toEqual(Object.fromEntries(Object.entries(files).map(([name, [light]]) => [name, [light]])));
});

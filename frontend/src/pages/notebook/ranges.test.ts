import { describe, expect, it } from "vitest";
import { entriesOf, keysOf, setField, setPath } from "./fields";

/** A generator of numbers that gives the same ones every time. */
function seeded(seed: number) {
  let x = seed;
  return (below: number) => {
    x = (x * 1103515245 + 12345) & 0x7fffffff;
    return (x >> 8) % below;
  };
}

const scalars = ["chars", "800", "${p.size}", '"5.00"', "'it''s'", "日本語", "true", '"a: b # c"', "${p.a}-${p.b}", "name@2"];
const comments = ["", "", " # ours", "   # ${p.k} は例", " # {a: b}"];

/** A body of fields in all styles, as parts; the one that is changed stands alone, with what changes it. */
function bodyOf(next: (below: number) => number) {
  const pick = (list: string[]) => list[next(list.length)] ?? "";
  const inner = () => `{ by:  ${pick(scalars)}, size: ${pick(scalars)} }`;
  const plain = (key: string) => [`${key}: `, pick(scalars), `${pick(comments)}\n`] as const;
  const parts: { text: readonly [string, string, string]; field: string; inner?: string }[] = [];
  for (let i = 0; i < 2 + next(5); i++) {
    const key = `f${i}`;
    switch (next(4)) {
      case 0:
        parts.push({ text: plain(key), field: key });
        break;
      case 1: {
        const rest = `, size: ${pick(scalars)} }${pick(comments)}\n`;
        parts.push({ text: [`${key}: { by:  `, pick(scalars), rest], field: key, inner: "by" });
        break;
      }
      case 2: {
        const before = `${key}:${pick(comments)}\n  # above\n  one: ${pick(scalars)}\n  two:   `;
        const after = `${pick(comments)}\n  three: [1,   2]\n`;
        parts.push({ text: [before, pick(scalars), after], field: key, inner: "two" });
        break;
      }
      default:
        parts.push({
          text: [`\n# before ${key}\n${key}: |\n  ${pick(scalars)}\n\n  more\nlist${i}: [a,  ${inner()}]\nlast${i}: `, pick(scalars), "\n"],
          field: `last${i}`,
        });
    }
  }
  return parts;
}

describe("what a form changes", () => {
  it("is the range of one value: 200 bodies with comments and parameters, every other byte stays", () => {
    const next = seeded(7);
    let changed = 0;
    for (let n = 0; n < 200; n++) {
      const parts = bodyOf(next);
      const body = parts.map((p) => p.text.join("")).join("");
      expect(
        entriesOf(body)?.every((e) => e.value !== null),
        body,
      ).toBe(true);
      expect(keysOf(body)).toEqual(entriesOf(body)?.map(({ key, first }) => ({ key, first })));
      for (const [i, p] of parts.entries()) {
        const [before, , after] = p.text;
        const value = scalars[next(scalars.length)] ?? "";
        const want = parts.map((q, k) => (k === i ? before + value + after : q.text.join(""))).join("");
        expect(p.inner ? setPath(body, [p.field, p.inner], value) : setField(body, p.field, value)).toBe(want);
        changed++;
      }
    }
    expect(changed).toBeGreaterThan(600);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixed, formats } from "./format";

const table = join(import.meta.dirname, "../../../internal/stats/testdata/shown.json");

it("rounds numbers as the program's texts do", () => {
  const cases = JSON.parse(readFileSync(table, "utf8")) as { value: number; mean: string; fixed: string; percent: string }[];
  expect(cases.length).toBeGreaterThan(300);
  for (const language of ["en", "ja"]) {
    const f = formats(language);
    for (const c of cases) {
      const plain = (text: string) => text.replaceAll(",", "");
      expect([plain(f.mean(c.value)), fixed(c.value, 3), plain(f.share(c.value))], String(c.value)).toEqual([c.mean, c.fixed, c.percent]);
    }
  }
});

it("writes numbers beside their difference as the program's texts do", () => {
  for (const language of ["en", "ja"]) {
    const f = formats(language);
    for (const [before, after, ...shown] of [
      [0.0751, 0.7349, "0.075", "0.735", "+0.660"],
      [3.2, 0.41, "3.20", "0.41", "-2.79"],
      [0.676, 2.044, "0.676", "2.044", "+1.368"],
      [1.001, 1.002, "1.00", "1.00", "0.00"],
      [0.1, 0.3, "0.10", "0.30", "+0.20"],
      [0, 1 / 19, "0.00", "0.05", "+0.05"],
      [0.4444444, 1.0035555, "0.44", "1.00", "+0.56"],
      [0.4454444, 1.0045555, "0.45", "1.00", "+0.56"],
    ] as const) {
      expect(Object.values(f.beside(before, after)), `${before} → ${after}`).toEqual(shown);
    }
  }
});

it("writes times on one clock, which counts to 24", () => {
  for (const language of ["en", "ja"]) {
    const f = formats(language);
    for (const hour of [0, 7, 12, 16, 23]) {
      const at = new Date(2026, 10, 30, hour, 5).toISOString();
      for (const text of [f.moment(at), f.brief(at)]) {
        expect(text).toMatch(new RegExp(`(^|[^0-9])0?${hour}:05$`));
      }
    }
  }
});

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
      expect([plain(f.mean(c.value)), fixed(c.value, 3), plain(f.share(c.value))], String(c.value)).toEqual([
        c.mean,
        c.fixed,
        `${c.percent}%`,
      ]);
    }
  }
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap } from "yaml";
import { expect, it } from "vitest";
import { parsed } from "./yamltext";

const table = join(import.meta.dirname, "../../../../internal/text/yaml/testdata/scalars.json");

it("60 scalars mean the same to this reader and to the program's", () => {
  const cases = JSON.parse(readFileSync(table, "utf8")) as { text: string; value: unknown }[];
  expect(cases.length).toBe(60);
  for (const { text, value } of cases) {
    const { root, sound } = parsed(`v: ${text}\nl:\n  - ${text}\n`);
    expect(sound, text).toBe(true);
    expect(isMap(root) && root.toJSON(), text).toEqual({ v: value, l: [value] });
  }
});

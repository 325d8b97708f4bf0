import { expect, it } from "vitest";
import { withRepair } from "./repairing";
import { blocksOf } from "./text";

const before =
  "# Why\n\n```rag dataset qa\nsource: faq\n```\n\n```rag run r\nconfigs: [base]\ndataset: qa\njudge: {provider: offline}\n" +
  "title: First\nbudget: 2.50\n```\n\n```rag cause why\nof: r.base\n```\n\n## After\n";

it("writes repair, run and comparison below a diagnosis, and the run asks and judges as the diagnosed one did", () => {
  const made = withRepair(before, 5, "[2]");
  const cells = blocksOf(made?.source ?? "").flatMap((b) => b.cell ?? []);
  expect(cells.slice(-3).map((c) => [c.type, c.name, c.body])).toEqual([
    ["repair", "repair", "of: why\ntake: [2]\n"],
    ["run", "repaired", "configs: [repair]\ndataset: qa\njudge: {provider: offline}\n"],
    ["compare", "change", "baseline: r.base\ncandidate: repaired\n"],
  ]);
  expect(blocksOf(made?.source ?? "")[made?.at ?? 0]?.cell?.name).toBe("repair");
  expect(made?.source.replace(/```rag (repair|compare) [^`]*```\n\n|```rag run repaired[^`]*```\n\n/g, "")).toBe(before);
});

it("takes free names a second time, and the nearest dataset where no cell ran what is diagnosed", () => {
  const once = withRepair(before, 5, "auto")?.source ?? "";
  const twice = blocksOf(withRepair(once, 5, "auto")?.source ?? "").flatMap((b) => b.cell?.name ?? []);
  expect(new Set(twice).size).toBe(twice.length);
  const outside = withRepair(before.replace("of: r.base", "of: run:abc"), 5, "auto")?.source ?? "";
  expect(outside).toContain("```rag run repaired\ndataset: qa\nconfigs: [repair]\n```");
  expect(outside).toContain("baseline: run:abc\n");
});

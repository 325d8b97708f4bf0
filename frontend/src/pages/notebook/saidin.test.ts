import { expect, it } from "vitest";
import type { CellDetail } from "../../api/types_notebook";
import { saidIn } from "./saidin";

const cell = (type: string, name: string, value: unknown) => ({ type, name, value }) as CellDetail;

it("finds the comparison that says what a report would say again", () => {
  const report = cell("report", "monday", { run_id: "b", baseline: "a" });
  const same = cell("compare", "c", { baseline: { run_id: "a" }, candidate: { run_id: "b" } });
  const other = cell("compare", "d", { baseline: { run_id: "x" }, candidate: { run_id: "b" } });
  expect(saidIn(report, [other, same])).toBe("c");
  expect(saidIn(report, [other])).toBeUndefined();
  expect(saidIn(cell("report", "alone", { run_id: "b" }), [same])).toBeUndefined();
  expect(saidIn(same, [same])).toBeUndefined();
});

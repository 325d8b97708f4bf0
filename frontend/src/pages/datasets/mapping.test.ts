import { describe, expect, it } from "vitest";
import type { UploadPreview } from "../../api/types_library";
import { asks, changed, checked, doubled, grouped, hasQuestions, mapped, nameFrom, reasonOf, turned } from "./mapping";

const preview: UploadPreview = {
  token: "t",
  file: "x.csv",
  name: "x",
  fields: ["question", "reference"],
  rows: [],
  total: 2,
  problems: [],
  report: {
    format: "csv",
    rows: 2,
    columns: [
      { source: "質問", field: "question" },
      { source: "正解", field: "reference" },
      { source: "回答", field: "metadata" },
    ],
  },
};

describe("what is asked of a file", () => {
  it("is nothing of a refused one, and its name only where it can be stored", () => {
    const refused = { code: "dataset_file_kind", status: 422, detail: "", title: "", type: "" } as NonNullable<UploadPreview["problem"]>;
    const empty = { ...preview.report, columns: [] };
    expect(asks({ ...preview, problem: refused, total: 0, report: empty })).toEqual({ corpus: false, store: false });
    expect(asks({ ...preview, problem: refused, total: 0 })).toEqual({ corpus: true, store: false });
    expect(asks({ ...preview, total: 0 })).toEqual({ corpus: true, store: false });
    expect(asks(preview)).toEqual({ corpus: true, store: true });
  });
});

describe("the sheets to read", () => {
  const sheets = ["4月", "5月", "表紙"].map((name, i) => ({ name, rows: 1, read: i < 2, why: { en: "", ja: "" } }));

  it("are those that the reader chose, until people choose", () => {
    expect(checked(sheets, undefined)).toEqual(["4月", "5月"]);
    expect(checked(sheets, [])).toEqual([]);
  });

  it("are turned on and off one by one, and stand in the order of the workbook", () => {
    expect(turned(sheets, undefined, "4月")).toEqual(["5月"]);
    expect(turned(sheets, ["表紙"], "4月")).toEqual(["4月", "表紙"]);
    expect(turned(sheets, ["5月"], "5月")).toEqual([]);
  });
});

describe("the mapping of columns", () => {
  it("is what was found, except what people changed", () => {
    expect(mapped(preview, { 回答: "reference", 質問: "question" })).toMatchObject([
      { source: "質問", field: "question", changed: false },
      { source: "正解", field: "reference", changed: false },
      { source: "回答", field: "reference", changed: true },
    ]);
  });

  it("says why a column was taken for what it is, where the reader does not", () => {
    expect(["reference", "tag", "metadata", "ignore"].map(reasonOf)).toEqual(["read", "tag", "kept", "kept"]);
  });

  it("gives a field to the column that was chosen last and keeps the other beside", () => {
    expect(changed(preview, {}, "回答", "reference")).toEqual({ 回答: "reference", 正解: "metadata" });
    expect(changed(preview, { 正解: "ignore" }, "回答", "metadata")).toEqual({ 正解: "ignore", 回答: "metadata" });
  });

  it("names fields that two columns claim, but not what is only kept", () => {
    expect(doubled(mapped(preview, { 回答: "reference" }))).toEqual(["reference"]);
    expect(doubled([{ field: "metadata" }, { field: "metadata" }, { field: "ignore" }, { field: "ignore" }])).toEqual([]);
  });

  it("needs a column with questions", () => {
    expect(hasQuestions(mapped(preview, {}))).toBe(true);
    expect(hasQuestions(mapped(preview, { 質問: "ignore" }))).toBe(false);
  });
});

it("tells equal problems of rows once, the most frequent first", () => {
  const one = { row: 2, field: "reference", message: "is empty" };
  expect(grouped([{ row: 9, message: "other" }, one, { ...one, row: 3 }])).toEqual([
    { field: "reference", message: "is empty", rows: [2, 3] },
    { field: "", message: "other", rows: [9] },
  ]);
});

it("names what a file holds after it", () => {
  expect(nameFrom("C:\\data\\FAQ 2026 (final).xlsx")).toBe("FAQ-2026-final");
  expect(nameFrom("問い合わせ.csv")).toBe("問い合わせ");
  expect(nameFrom("_x.v2.jsonl")).toBe("x.v2");
});

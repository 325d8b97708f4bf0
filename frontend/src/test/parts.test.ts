import { describe, expect, it } from "vitest";
import { formatSearch, parseSearch } from "../app/url";
import { isLow, readSteps, writeSteps } from "../parts/bubblegrid";
import { absent, formats } from "../parts/format";
import { cut } from "../parts/markedtext";
import { diffWords } from "../parts/worddiff";

describe("formats", () => {
  const f = formats("en");
  it("never shows a missing value as zero", () => {
    for (const value of [undefined, null, Number.NaN]) {
      expect([f.mean(value), f.score(value), f.share(value), f.signed(value), f.count(value)]).toEqual([
        absent,
        absent,
        absent,
        absent,
        absent,
      ]);
    }
    expect(f.moment("not a time")).toBe(absent);
  });
  it("shows the sign of a difference, and none of nothing", () => {
    expect([f.signed(0.5), f.signed(-0.5), f.signed(0), f.signed(0.001)]).toEqual(["+0.50", "-0.50", "0.00", "0.00"]);
    expect(Object.values(f.beside(undefined, 1))).toEqual(["–", "1.00", "–"]);
  });
});

describe("marks", () => {
  it("are counted in code points, not in UTF-16 units", () => {
    expect(cut("𠮷野家は安い", [{ start: 1, end: 3, kind: "quote" }]).map((p) => [p.text, p.kinds])).toEqual([
      ["𠮷", []],
      ["野家", ["quote"]],
      ["は安い", []],
    ]);
  });
  it("may overlap, touch and lie outside", () => {
    const pieces = cut("abcdef", [
      { start: 0, end: 4, kind: "quote" },
      { start: 2, end: 9, kind: "evidence" },
      { start: 5, end: 5, kind: "search" },
    ]);
    expect(pieces.map((p) => [p.text, p.kinds])).toEqual([
      ["ab", ["quote"]],
      ["cd", ["quote", "evidence"]],
      ["ef", ["evidence"]],
    ]);
  });
});

describe("word difference", () => {
  it("parts Japanese into words, which no space does", () => {
    const parts = diffWords("手数料は5,500円です。", "手数料は14,000円です。", "ja");
    expect(parts.filter((p) => p.kind !== "same")).toEqual([
      { kind: "removed", text: "5,500" },
      { kind: "added", text: "14,000" },
    ]);
  });
  it("loses nothing of either text", () => {
    const [before, after] = ["one two  three", "one 2 three four"];
    const parts = diffWords(before, after, "en");
    const join = (kinds: string[]) =>
      parts
        .filter((p) => kinds.includes(p.kind))
        .map((p) => p.text)
        .join("");
    expect([join(["same", "removed"]), join(["same", "added"])]).toEqual([before, after]);
  });
});

describe("bubbles", () => {
  it("are low by either score, up to the threshold", () => {
    expect([isLow(2, 5, 2), isLow(5, 2, 2), isLow(3, 3, 2)]).toEqual([true, true, false]);
  });
  it("are chosen through the address", () => {
    expect(readSteps("2,1,9,x")).toEqual([2, 1]);
    expect([writeSteps([2, 1]), writeSteps([1, 2, 3, 4, 5]), writeSteps([])]).toEqual(["1,2", "", ""]);
  });
});

describe("addresses", () => {
  it("keep values as text", () => {
    const values = { id: "007", q: "a b&c=d", label: "worse" };
    expect(parseSearch(formatSearch(values))).toEqual(values);
    expect(formatSearch({ a: "", b: undefined })).toBe("");
  });
});

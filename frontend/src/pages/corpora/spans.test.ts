import { describe, expect, it } from "vitest";
import { evidenceRanges, markAt, shownChunks } from "./spans";

const evidence = [
  { start: 2, end: 5, question_id: "q1", question: "?" },
  { start: 8, end: 14, question_id: "q2", question: "?" },
];

describe("marks in a document", () => {
  it("are found by place, in code points", () => {
    const text = "𠮷𠮷abcdefghijklmnop";
    const ranges = evidenceRanges(evidence);
    expect(markAt(text, ranges, 2)).toBe(0);
    expect(markAt(text, ranges, 8)).toBe(1);
    expect(markAt(text, ranges, 6)).toBe(-1);
    expect(markAt(text, ranges, 99)).toBe(-1);
  });
});

describe("chunks", () => {
  const chunk = (start: number, end: number) => ({ doc_id: "d", start, end, text: "x".repeat(end - start) });

  it("tell what they share, and which evidence none of them holds whole", () => {
    const shown = shownChunks(
      { chunk: { by: "chars", size: 10, overlap: 0 }, total: 2, chunks: [chunk(0, 10), chunk(6, 16)], evidence_cut: 0, evidence_whole: 2 },
      evidence,
    );
    expect(shown.map((c) => [c.number, c.shared, c.broken])).toEqual([
      [1, 0, 0],
      [2, 4, 0],
    ]);
    expect(shown[1]?.ranges).toEqual([{ start: 2, end: 8, kind: "evidence", title: "q2: ?" }]);

    const torn = shownChunks(
      { chunk: { by: "chars", size: 10, overlap: 0 }, total: 2, chunks: [chunk(0, 10), chunk(10, 16)], evidence_cut: 1, evidence_whole: 1 },
      evidence,
    );
    expect(torn.map((c) => c.broken)).toEqual([1, 1]);
    expect(torn[0]?.ranges.map((r) => r.kind)).toEqual(["evidence", "conflict"]);
    expect(torn[1]?.ranges[0]).toMatchObject({ start: 0, end: 4, kind: "conflict" });
  });
});

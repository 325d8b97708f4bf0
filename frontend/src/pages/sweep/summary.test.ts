import { describe, expect, it } from "vitest";
import type { SweepView } from "../../api/types_sweep";
import { strongest } from "./summary";

const shown = (n: number) => n.toFixed(2);

function view(levels: [param: string, value: string, mean: number][]): SweepView {
  return {
    effects: [{ metric: "correctness", levels: levels.map(([param, value, mean]) => ({ param, value, mean })) }],
  } as unknown as SweepView;
}

describe("the parameter that matters most", () => {
  it("is named alone where no other does as much", () => {
    const found = strongest(
      view([
        ["chunk.size", "2", 3],
        ["chunk.size", "4", 3.5],
        ["retrieve.k", "2", 3.2],
        ["retrieve.k", "5", 3.3],
      ]),
      shown,
    );
    expect(found.map((f) => [f.param, f.best, f.worst])).toEqual([["chunk.size", "4", "2"]]);
  });
  it("is named with those whose effect is equal as it is shown", () => {
    const found = strongest(
      view([
        ["chunk.size", "2", 3.1],
        ["chunk.size", "4", 3.15],
        ["retrieve.k", "2", 3.1],
        ["retrieve.k", "5", 3.1501],
      ]),
      shown,
    );
    expect(found.map((f) => f.param)).toEqual(["chunk.size", "retrieve.k"]);
  });
  it("is none where nothing has an effect", () => {
    expect(
      strongest(
        view([
          ["chunk.size", "2", 3],
          ["chunk.size", "4", 3],
        ]),
        shown,
      ),
    ).toEqual([]);
  });
});

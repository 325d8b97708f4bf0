import { expect, it } from "vitest";
import type { NotebookParam } from "../../api/types_notebook";
import { found, paramChoices } from "./choices";

const choice = (label: string, also = "") => ({ kind: "x", label, also, run: () => {} });

it("finds what has every typed word, what begins with them first", () => {
  const list = [choice("Run the cell", "Ctrl+Enter"), choice("cell"), choice("Move up")];
  expect(found(list, "cell").map((c) => c.label)).toEqual(["cell", "Run the cell"]);
  expect(found(list, "ctrl cell").map((c) => c.label)).toEqual(["Run the cell"]);
  expect(found(list, "nothing")).toEqual([]);
  expect(found(list, "")).toEqual(list);
});

it("gives a parameter the value that is typed, or one of its choices", () => {
  const params = [
    { cell: "p", name: "k", type: "integer", default: 3, value: 4 },
    { cell: "p", name: "lang", type: "text", default: "en", value: "en", choices: ["en", "ja"] },
  ] as NotebookParam[];
  const given: string[] = [];
  const give = (p: NotebookParam, value: string) => given.push(`${p.cell}.${p.name}=${value}`);
  expect(paramChoices(params, "", give).map((c) => c.label)).toEqual(["k = 4", "lang = en", "lang = ja"]);
  paramChoices(params, "k = 6", give)[0]?.run();
  expect(given).toEqual(["p.k=6"]);
});

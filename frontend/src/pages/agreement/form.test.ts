import { describe, expect, it } from "vitest";
import type { Agreement } from "../../api/types_agreement";
import { bodyOf, changesOf, draftOf, faultsOf, names, newItem, newTarget, passed, themeSearch } from "./form";

const first: Agreement = {
  dataset: "faq",
  version: 1,
  low_score: 2,
  targets: [{ theme: "refunds", metric: "low_score_share", target: 0.07, was: 0.2 }],
  items: [
    { component: "retriever", action: "raise k", priority: "high" },
    { theme: "legal", out_of_scope: true, why: "not ours" },
  ],
  agreed_by: ["CS"],
  agreed_on: "2026-11-20",
  run_id: "9c41",
  at: "2026-11-20T09:00:00Z",
};

describe("the form of an agreement", () => {
  it("keeps what was agreed, and forgets who agreed when", () => {
    const draft = draftOf(first, "2026-12-01", "ab12");
    expect([draft.agreed_by, draft.agreed_on, draft.run, draft.targets[0]?.target]).toEqual(["", "2026-12-01", "ab12", 7]);
    const body = bodyOf({ ...draft, agreed_by: "CS (lead)、IT" }, 1);
    expect(body.targets).toEqual([{ theme: "refunds", metric: "low_score_share", target: 0.07 }]);
    expect(body.items).toEqual([
      { component: "retriever", action: "raise k", priority: "high" },
      { theme: "legal", out_of_scope: true, why: "not ours" },
    ]);
    expect([body.agreed_by, body.based_on, body.run]).toEqual([["CS (lead)", "IT"], 1, "ab12"]);
  });

  it("names every field that is missing", () => {
    const draft = { ...draftOf(undefined, "", ""), targets: [newTarget], items: [newItem, { ...newItem, theme: "x", out_of_scope: true }] };
    expect(faultsOf(draft).map((f) => f.field)).toEqual([
      "targets[0].target",
      "items[0]",
      "items[0].action",
      "items[1].why",
      "agreed_by",
      "agreed_on",
    ]);
    expect(faultsOf({ ...draftOf(first, "2026-12-01", ""), agreed_by: "CS" })).toEqual([]);
  });

  it("splits names at commas of any language", () => expect(names(" a, b、c，,")).toEqual(["a", "b", "c"]));
});

describe("the history", () => {
  it("calls everything of the first version new", () => {
    expect(changesOf(undefined, first).map((c) => [c.kind, "how" in c ? c.how : ""])).toEqual([
      ["target", "added"],
      ["item", "added"],
      ["item", "added"],
    ]);
  });

  it("tells added, removed and changed apart", () => {
    const second: Agreement = {
      ...first,
      version: 2,
      low_score: 3,
      targets: [
        { theme: "refunds", metric: "low_score_share", target: 0.05 },
        { metric: "trust", target: 4 },
      ],
      items: [{ component: "retriever", action: "raise k", priority: "low", due: "2026-12-24" }],
    };
    const changes = changesOf(first, second);
    expect(changes.map((c) => [c.kind, "how" in c ? c.how : "", "fields" in c ? c.fields.map((f) => f.field) : []])).toEqual([
      ["threshold", "", []],
      ["target", "changed", ["target"]],
      ["target", "added", []],
      ["item", "changed", ["priority", "due"]],
      ["item", "removed", []],
    ]);
    expect(changesOf(second, second)).toEqual([]);
  });
});

it("opens the questions of a theme by what it is counted by", () => {
  expect(themeSearch("baggage", { by: "tags", tag: "theme:baggage" })).toEqual({ tag: "theme:baggage" });
  expect(themeSearch("baggage", { by: "analysis" })).toEqual({ theme: "baggage" });
});

it("marks a date that has passed, and no other", () => {
  expect(["2026-11-01", "2026-11-29", "2026-11-30", undefined].map((day) => passed(day, "2026-11-29"))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

import type { NotebookParam } from "../../api/types_notebook";

/** Something that can be chosen in the palette. */
export interface Choice {
  kind: string;
  label: string;
  also: string; // its key, type or meaning
  run: () => void;
}

/** The choices in which every typed word stands, in their order; those whose label begins with what was typed come first. */
export function found(choices: Choice[], typed: string): Choice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = choices.filter((c) => words.every((w) => `${c.label} ${c.also} ${c.kind}`.toLowerCase().includes(w)));
  const first = (c: Choice) => Number(!c.label.toLowerCase().startsWith(typed.trim().toLowerCase()));
  return fits
    .map((c, i) => ({ c, i }))
    .sort((a, b) => first(a.c) - first(b.c) || a.i - b.i)
    .map((x) => x.c);
}

/** "k = 6" gives a parameter a value; its choices, or its value as it is, without one. */
export function paramChoices(params: NotebookParam[], typed: string, give: (p: NotebookParam, value: string) => void): Choice[] {
  const [, name = "", value = ""] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(typed) ?? [];
  return params.flatMap((p) => {
    const now = String(p.value ?? p.default ?? "");
    const values = p.name === name && value !== "" ? [value] : (p.choices ?? (p.type === "boolean" ? ["true", "false"] : [now]));
    return values.map((v) => ({ kind: p.cell, label: `${p.name} = ${v}`, also: v === now ? "●" : "", run: () => give(p, v) }));
  });
}

import { diffArrays } from "diff";

/** A run of words that is in both texts, or only in one. */
export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Cuts a text into words, also where no spaces part them. */
function words(text: string, language: string): string[] {
  return Array.from(new Intl.Segmenter(language || "en", { granularity: "word" }).segment(text), (s) => s.segment);
}

/** The difference of two texts, word by word. */
export function diffWords(before: string, after: string, language: string): DiffPart[] {
  const parts = diffArrays(words(before, language), words(after, language)).map(
    (part): DiffPart => ({
      kind: part.added ? "added" : part.removed ? "removed" : "same",
      text: part.value.join(""),
    }),
  );
  return joined(parts);
}

/** Joins changes that only a space or a tiny word parts: a sentence that was replaced reads as one change, not as twenty. */
function joined(parts: DiffPart[]): DiffPart[] {
  const out: DiffPart[] = [];
  let change = { removed: "", added: "" };
  const flush = () => {
    if (change.removed) out.push({ kind: "removed", text: change.removed });
    if (change.added) out.push({ kind: "added", text: change.added });
    change = { removed: "", added: "" };
  };
  parts.forEach((part, i) => {
    const between = change.removed + change.added !== "" && i < parts.length - 1;
    if (part.kind !== "same") change[part.kind] += part.text;
    else if (between && tiny(part.text, change)) {
      change.removed += part.text;
      change.added += part.text;
    } else {
      flush();
      out.push(part);
    }
  });
  flush();
  return out;
}

function tiny(same: string, change: { removed: string; added: string }): boolean {
  const length = same.trim().length;
  return !same.includes("\n") && length <= 3 && length * 6 <= Math.max(change.removed.length, change.added.length);
}

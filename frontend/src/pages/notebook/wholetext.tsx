import { useMemo } from "react";
import type { NotebookProblem } from "../../api/types_notebook";
import { Faults } from "./cell";
import { CodeArea } from "./codearea";
import { complete, type Completion, type Known } from "./completion";
import { blocksOf } from "./text";

interface WholeTextProps {
  label: string;
  text: string;
  known: Known;
  problems: NotebookProblem[];
  readOnly: boolean;
  onChange: (text: string) => void;
}

/** The whole notebook as the text that it is. */
export function WholeText({ label, text, known, problems, readOnly, onChange }: WholeTextProps) {
  const wrong = useMemo(() => new Map(problems.flatMap((p) => (p.line ? [[p.line, p.detail] as const] : []))), [problems]);
  return (
    <div className="stack">
      <Faults problems={problems} />
      <CodeArea
        label={label}
        value={text}
        wrong={wrong}
        most={1_000_000}
        readOnly={readOnly}
        onChange={onChange}
        complete={(t, caret) => inCell(known, t, caret)}
      />
    </div>
  );
}

/** Completion in the cell that the caret stands in. */
function inCell(known: Known, text: string, caret: number): Completion | null {
  let start = 0;
  for (const b of blocksOf(text)) {
    if (caret <= start + b.text.length && b.cell) {
      const body = start + b.cell.opening.length;
      if (caret < body || caret > body + b.cell.body.length) return null;
      const found = complete(known, b.cell.type, b.cell.body, caret - body);
      return found && { ...found, from: found.from + body };
    }
    if (caret <= start + b.text.length) {
      const found = complete(known, "", b.text, caret - start);
      return found && { ...found, from: found.from + start };
    }
    start += b.text.length;
  }
  return null;
}

import { useTranslation } from "react-i18next";
import type { NotebookProblem } from "../../api/types_notebook";
import { Faults } from "./cell";
import { Code } from "./code/code";
import { marksOf } from "./code/marks";
import { complete, type Completion, type Known } from "./completion";
import { blocksOf } from "./text";
import { worded } from "./worded";

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
  const { i18n } = useTranslation();
  return (
    <div className="stack">
      <Faults problems={problems} />
      <Code
        kind="document"
        label={label}
        value={text}
        marks={marksOf(
          problems.map((p) => worded(p, i18n)),
          1,
        )}
        high
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

import { useTranslation } from "react-i18next";
import type { NotebookProblem } from "../../api/types_notebook";
import { Faults, useFocus } from "./cell";
import { Code } from "./code/code";
import { complete, type Known } from "./completion";
import { Preview, Prose } from "./prose";
import type { Block } from "./text";
import css from "./notebook.module.css";

interface ProseBlockProps {
  block: Block;
  html: string | undefined;
  known: Known;
  selected: boolean;
  chosen: boolean; // with others
  editing: boolean;
  readOnly: boolean;
  problems: NotebookProblem[];
  onSelect: () => void;
  onEdit: () => void;
  onText: (text: string) => void;
}

/** Prose between cells, as it is read or as it is written. */
export function ProseBlock({
  block,
  html,
  known,
  selected,
  chosen,
  editing,
  readOnly,
  problems,
  onSelect,
  onEdit,
  onText,
}: ProseBlockProps) {
  const { t } = useTranslation();
  const ref = useFocus(selected, editing);
  return (
    <section
      ref={ref}
      className={`${css.cell} ${css.proseBlock}`}
      data-prose
      data-selected={selected || undefined}
      data-chosen={chosen || undefined}
      tabIndex={selected ? 0 : -1}
      aria-label={t("notebook.proseOf", { line: block.line })}
      aria-current={selected ? "true" : undefined}
      onMouseDown={() => !selected && onSelect()}
      onDoubleClick={() => !readOnly && !editing && onEdit()}
    >
      {editing ? (
        <div data-editor>
          <Code
            kind="prose"
            first={0}
            label={t("notebook.proseOf", { line: block.line })}
            value={block.text.replace(/\n$/, "")} // its last line end belongs to the file, and putting it back would move the caret
            onChange={(text) => onText(`${text}\n`)}
            complete={(text, caret) => complete(known, "", text, caret)}
          />
          <Preview markdown={block.text} values={known.values} html={html} current={known.rendered.has(block.text)} />
        </div>
      ) : (
        <Prose html={html} source={block.text} level={2} />
      )}
      <Faults problems={problems} />
    </section>
  );
}

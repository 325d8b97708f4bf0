import { Drawer, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CellDetail } from "../../api/types_notebook";
import { Icon } from "../../parts/icon";
import { useWords } from "../../parts/words";
import { typeIcon } from "./celltypes";
import type { Block } from "./text";
import css from "./outline.module.css";

interface OutlineProps {
  blocks: Block[];
  shown: number[];
  at: number;
  cells: ReadonlyMap<string, CellDetail>;
  comments: ReadonlyMap<string, number>; // that are open, by cell
  editable: boolean;
  onChoose: (at: number) => void;
  onMove: (from: number, to: number) => void;
}

interface Entry {
  at: number;
  level: number; // of a heading; 0 is a cell
  label: string;
}

/** Headings and cells of a notebook in their order, each with its state. Entries can be dragged to another place. */
export function Outline({ blocks, shown, at, cells, comments, editable, onChoose, onMove }: OutlineProps) {
  const { t } = useTranslation();
  const words = useWords();
  const [filter, setFilter] = useState("");
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const wanted = filter.trim().toLowerCase();
  const entries = entriesOf(blocks, shown).filter(
    (e) => !wanted || `${e.label} ${blocks[e.at]?.cell?.type ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <nav className={css.outline} aria-label={t("outline.title")}>
      <TextInput
        size="xs"
        type="search"
        aria-label={t("outline.filter")}
        placeholder={t("outline.filter")}
        value={filter}
        onChange={(e) => setFilter(e.currentTarget.value)}
      />
      <ol>
        {entries.map((e, i) => {
          const cell = blocks[e.at]?.cell;
          const detail = cell && cells.get(cell.name);
          const said = cell ? (comments.get(cell.name) ?? 0) : 0;
          return (
            <li
              key={`${e.at} ${i}`}
              data-over={over === e.at || undefined}
              draggable={editable}
              onDragStart={(event) => {
                event.dataTransfer.setData("text/plain", e.label);
                setDragged(e.at);
              }}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
              onDragOver={(event) => {
                if (dragged === null || dragged === e.at) return;
                event.preventDefault();
                setOver(e.at);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null && dragged !== e.at) onMove(dragged, e.at);
              }}
            >
              <button
                type="button"
                aria-current={e.at === at || undefined}
                data-level={e.level || undefined}
                onClick={() => onChoose(e.at)}
                title={e.label}
              >
                {cell && <Icon name={typeIcon(cell.type)} size={13} />}
                <span className="clip">{e.label}</span>
                {said > 0 && (
                  <span
                    className={css.said}
                    role="img"
                    aria-label={t("comments.count", { count: said })}
                    title={t("comments.count", { count: said })}
                  >
                    <Icon name="comment" size={11} />
                    {said}
                  </span>
                )}
                {detail?.error ? (
                  <span className={css.error} role="img" aria-label={words.word("notebook_state", "error")}>
                    <Icon name="warning" size={12} />
                  </span>
                ) : (
                  detail &&
                  detail.state !== "fresh" && (
                    <span
                      className={css.dot}
                      data-state={detail.state}
                      role="img"
                      aria-label={words.word("notebook_state", detail.state)}
                      title={words.word("notebook_state", detail.state)}
                    />
                  )
                )}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** The outline of a narrow screen, over the page. */
export function OutlineDrawer({ opened, onClose, ...rest }: OutlineProps & { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t("outline.title")}
      size={280}
      lockScroll={false} // it writes a style that the policy of the page refuses
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": t("parts.close") }}
    >
      <Outline
        {...rest}
        onChoose={(at) => {
          rest.onChoose(at);
          onClose();
        }}
      />
    </Drawer>
  );
}

const heading = /^(#{1,6})[ \t]+(.+?)[ \t#]*$/;

/** The headings of prose, and the cells. */
export function entriesOf(blocks: Block[], shown: number[]): Entry[] {
  return shown.flatMap((at): Entry[] => {
    const block = blocks[at];
    if (!block) return [];
    if (block.cell) return [{ at, level: 0, label: block.cell.name }];
    return block.text.split("\n").flatMap((line) => {
      const m = heading.exec(line);
      return m ? [{ at, level: (m[1] ?? "").length, label: m[2] ?? "" }] : [];
    });
  });
}

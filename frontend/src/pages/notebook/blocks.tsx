import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type NotebookProblem, said } from "../../api/types_notebook";
import { Empty } from "../../parts/faces";
import { CellView } from "./cell";
import type { Comments } from "./comments";
import type { Known } from "./completion";
import type { Operations } from "./operations";
import type { Reader } from "./presence";
import { saidIn } from "./saidin";
import { renderedOf } from "./rendered";
import { ProseBlock } from "./proseblock";
import type { useKnown } from "./state";
import type { Block } from "./text";
import css from "./notebook.module.css";

interface BlocksProps {
  ops: Operations;
  known: Known;
  state: ReturnType<typeof useKnown>;
  folded: ReadonlySet<string>;
  lines: boolean; // of cells that are not written in have numbers
  readers: Reader[];
  comments: Comments | null; // null where nothing can be said
  mayEdit: boolean;
  mayRun: boolean;
  onFold: (cell: string) => void;
  onRun: (cell: string, upstream: boolean) => void;
  onRepeat: (more: number) => void;
  onRename: () => void;
  onInsert: () => void;
  onRemove: (at: number) => void;
}

const remembered = "workbench.cellview";

/** The blocks of a notebook that people see, in order. */
export function Blocks({ ops, known, state, folded, lines, readers, comments, mayEdit, mayRun, ...on }: BlocksProps) {
  const { t, i18n } = useTranslation();
  const [view, setView] = useState<"form" | "text">(() => (localStorage.getItem(remembered) === "text" ? "text" : "form"));
  const changeView = (v: "form" | "text") => {
    localStorage.setItem(remembered, v);
    setView(v);
  };
  const rendered = renderedOf(ops.blocks, state.known.blocks);
  if (ops.shown.length === 0)
    return (
      <Empty
        title={t("notebook.empty")}
        next={t("notebook.emptyNext")}
        action={mayEdit ? <Button onClick={on.onInsert}>{t("notebook.insert")}</Button> : undefined}
      />
    );
  return (
    <div className={css.blocks}>
      {ops.shown.map((at) => {
        const block = ops.blocks[at] as Block;
        const common = {
          block,
          html: rendered[at] && said(rendered[at], i18n.language),
          selected: at === ops.at,
          chosen: ops.chosen.length > 1 && ops.chosen.includes(at),
          editing: at === ops.at && ops.editing && mayEdit,
          problems: problemsOf(state.known.problems, block),
          onSelect: () => ops.choose(at),
          onEdit: () => ops.choose(at, true),
          readOnly: !mayEdit,
        };
        if (!block.cell) return <ProseBlock key={at} {...common} known={known} onText={(text) => ops.setProse(at, text)} />;
        const { name } = block.cell;
        const here = (act: () => void) => () => {
          ops.choose(at);
          act();
        };
        return (
          <CellView
            key={`${at} ${name}`}
            {...common}
            detail={state.cells.get(name)}
            saidIn={saidIn(state.cells.get(name), state.cells.values())}
            schema={known.schemas.find((s) => s.type === block.cell?.type)}
            known={known}
            folded={folded.has(name)}
            lines={lines}
            readers={readers}
            comments={comments}
            view={view}
            onView={changeView}
            onBody={(body) => ops.setBody(at, body)}
            onRepair={(take) => ops.repair(at, take)}
            onRows={(sql) => ops.query(at, sql)}
            onRun={() => ops.begin("run", at)}
            onScores={(of) => ops.scores(at, of)}
            actions={{
              mayRun: mayRun && state.job?.state !== "running",
              run: here(() => on.onRun(name, true)),
              runAlone: here(() => on.onRun(name, false)),
              repeat: (more) => {
                ops.choose(at);
                on.onRepeat(more);
              },
              fold: () => on.onFold(name),
              up: () => ops.shift(false, at),
              down: () => ops.shift(true, at),
              toNote: () => ops.toNote(at),
              rename: here(on.onRename),
              remove: () => on.onRemove(at),
            }}
          />
        );
      })}
    </div>
  );
}

function problemsOf(problems: NotebookProblem[], block: Block): NotebookProblem[] {
  const last = block.line + block.text.split("\n").length - 1;
  return problems.filter((p) => (p.line ? p.line >= block.line && p.line < last : p.cell !== undefined && p.cell === block.cell?.name));
}

import { SegmentedControl } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CellDetail, type CellSchema, type NotebookProblem, said } from "../../api/types_notebook";
import { Icon } from "../../parts/icon";
import { CellMenu, type CellActions } from "./cellmenu";
import { canRun, typeIcon } from "./celltypes";
import { Code } from "./code/code";
import { CodeText } from "./code/codetext";
import { brief, marksOf } from "./code/marks";
import { type CommentedRow, type Comments, RowComments } from "./comments";
import { Thread } from "./commentthread";
import { complete, type Known } from "./completion";
import { setField, textOf } from "./fields";
import { CellForm } from "./form";
import { CellOutput } from "./output";
import { Preview, Prose } from "./prose";
import type { Reader } from "./presence";
import { Readers } from "./readers";
import { useTurnedStale } from "./stale";
import { Standing } from "./statechip";
import { type Block, closesFence } from "./text";
import { worded } from "./worded";
import css from "./notebook.module.css";

/** What people type into. */
const typed = "input,select,textarea,code-editor";

/** Types whose text is long and whose output is one line. */
const stacked = new Set(["config", "sweep"]);

export interface CellProps {
  block: Block;
  detail: CellDetail | undefined;
  saidIn?: string | undefined; // the cell that says what this one would say again
  schema: CellSchema | undefined;
  known: Known;
  problems: NotebookProblem[];
  html: string | undefined; // of a note
  selected: boolean;
  chosen: boolean; // with others
  editing: boolean;
  folded: boolean;
  lines: boolean; // have numbers
  readers: Reader[];
  comments: Comments | null;
  view: "form" | "text";
  readOnly: boolean;
  actions: CellActions;
  onRepair: (take: string) => void;
  onRows: (sql: string) => void;
  /** Begins a run cell above this one. */
  onRun: () => void;
  /** Writes a query of the scores of a cell above this one, which draws it. */
  onScores: (of: string) => void;
  onView: (view: "form" | "text") => void;
  onBody: (body: string) => void;
  onSelect: () => void;
  onEdit: () => void;
}

/** One cell: what it is and how it stands, what it says as a form or as text, and what it has published. */
export function CellView(props: CellProps) {
  const { block, detail, selected, editing, folded, problems, comments } = props;
  const { t, i18n } = useTranslation();
  const cell = block.cell;
  const ref = useFocus(selected, editing);
  const turned = useTurnedStale(detail?.state);
  const [saying, setSaying] = useState<"nothing" | "cell" | CommentedRow>("nothing");
  if (!cell) return null;
  const unresolved = comments?.of(cell.name).filter((c) => !c.resolved_at) ?? [];
  const rows = comments && {
    open: (row: CommentedRow) => unresolved.filter((c) => c.run === row.run && c.question === row.question).length,
    say: (row: CommentedRow) => setSaying(row),
  };
  const title = said(detail?.title, i18n.language);
  const output =
    detail?.value !== undefined &&
    cell.type !== "note" &&
    cell.type !== "params" &&
    !(cell.type === "config" && !textOf(cell.body, "extends"));
  return (
    <section
      ref={ref}
      className={css.cell}
      data-cell={cell.name}
      data-state={detail?.state}
      data-turned={turned || undefined}
      data-selected={selected || undefined}
      data-chosen={props.chosen || undefined}
      tabIndex={selected ? 0 : -1}
      aria-label={t("notebook.cell", { type: cell.type, name: cell.name })}
      aria-current={selected ? "true" : undefined}
      onMouseDown={(e) => {
        if (!selected && !(e.target as HTMLElement).closest(`a,button,${typed}`)) props.onSelect();
      }}
      onFocusCapture={(e) => {
        if (!selected && e.target !== e.currentTarget && (e.target as HTMLElement).matches(typed)) props.onSelect();
      }}
    >
      <header className={css.cellHead}>
        <span className={css.type} title={said(props.schema?.doc, i18n.language)}>
          <Icon name={typeIcon(cell.type)} size={14} /> {cell.type}
        </span>
        <strong className={css.name}>{cell.name}</strong>
        {title && <span className={css.cellTitle}>{title}</span>}
        {detail && <Standing cell={detail} />}
        <Readers readers={props.readers} cell={cell.name} />
        <span className={css.tools}>
          {canRun(detail) && props.actions.mayRun && (
            <button type="button" className={css.run} onClick={props.actions.run}>
              <Icon name="play" size={11} /> {t("notebook.runCell")}
            </button>
          )}
          {!props.readOnly && !editing && (
            <button
              type="button"
              className={css.tool}
              onClick={props.onEdit}
              aria-label={t("notebook.editCell", { name: cell.name })}
              title={t("keys.edit")}
            >
              <Icon name="edit" size={14} />
            </button>
          )}
          {comments && (
            <button
              type="button"
              className={css.tool}
              aria-expanded={saying !== "nothing"}
              aria-label={t("comments.open", { name: cell.name, count: unresolved.length })}
              title={t("comments.open", { name: cell.name, count: unresolved.length })}
              onClick={() => setSaying(saying === "nothing" ? "cell" : "nothing")}
            >
              <Icon name="comment" size={14} />
              {unresolved.length > 0 && <span className={css.count}>{unresolved.length}</span>}
            </button>
          )}
          {!props.readOnly && <CellMenu name={cell.name} type={cell.type} hasOutput={!!output} folded={folded} actions={props.actions} />}
        </span>
      </header>
      {detail?.command_line && <p className="soft small">{t("notebook.commandLine")}</p>}
      {editing ? <CellEditor {...props} /> : null}
      <div className={!editing && output && !folded ? (stacked.has(cell.type) ? undefined : css.beside) : undefined}>
        {!editing && <Written {...props} />}
        {output && !folded && (
          <div className={css.output}>
            <RowComments value={rows}>
              <CellOutput
                cell={detail}
                saidIn={props.saidIn}
                onKeep={props.readOnly ? undefined : (fields) => props.onBody(withFields(cell.body, fields))}
                onRepair={props.readOnly ? undefined : props.onRepair}
                onRows={props.readOnly ? undefined : props.onRows}
                onRun={props.readOnly ? undefined : props.onRun}
                past={props.known.names.runs}
              />
            </RowComments>
          </div>
        )}
      </div>
      {output && folded && <p className="soft small">{t("notebook.folded")}</p>}
      {!editing && <Faults problems={faultsOf(problems, detail)} />}
      {comments && saying !== "nothing" && (
        <Thread cell={cell.name} comments={comments} row={saying === "cell" ? null : saying} onRow={(row) => setSaying(row ?? "cell")} />
      )}
    </section>
  );
}

/** All that is wrong with a cell, each mistake once: with its text, and with what came of it. */
function faultsOf(problems: NotebookProblem[], detail: CellDetail | undefined): NotebookProblem[] {
  const all = [...problems, ...(detail?.error ? [detail.error] : []), ...(detail?.more ?? [])];
  return all.filter((p, i) => all.findIndex((q) => q.detail === p.detail) === i);
}

/** A body with fields set as they are written; null takes one out. */
function withFields(body: string, fields: Record<string, string | null>): string {
  return Object.entries(fields).reduce((text, [name, value]) => setField(text, name, value), body);
}

/** Keeps the focus where the keys go: on the chosen block, or in what is written. */
export function useFocus(selected: boolean, editing: boolean) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element || !selected) return;
    const inside = element.contains(document.activeElement) && document.activeElement !== element;
    if (editing) element.scrollIntoView?.({ block: "nearest" });
    if (editing && !inside) element.querySelector<HTMLElement>(`[data-editor] :is(${typed})`)?.focus();
    if (!editing && !document.activeElement?.closest("[role=dialog],[role=menu],[data-own-keys],input[type=search]")) {
      element.focus({ preventScroll: true });
      element.scrollIntoView?.({ block: "nearest" });
    }
  }, [selected, editing]);
  return ref;
}

/** The language in which a note is shown: that of the page where it has any text in it. */
function noteLang(body: string, mine: string): string {
  const other = mine === "ja" ? "en" : "ja";
  return textOf(body, mine) || !textOf(body, other) ? mine : other;
}

/** What a cell says, when it is not written in. */
function Written({ block, html, lines, onEdit, readOnly }: CellProps) {
  const { i18n } = useTranslation();
  const cell = block.cell;
  if (!cell) return null;
  if (cell.type === "note") {
    const lang = noteLang(cell.body, i18n.language);
    return (
      <div onDoubleClick={readOnly ? undefined : onEdit}>
        <Prose html={html} source={textOf(cell.body, lang)} lang={lang} level={2} />
      </div>
    );
  }
  return (
    <pre className={css.body} onDoubleClick={readOnly ? undefined : onEdit}>
      {lines ? (
        <Numbered cell={cell.type} body={cell.body} first={block.line + 1} />
      ) : (
        <CodeText kind={cell.type} text={setField(cell.body, "title", null).trimEnd()} />
      )}
    </pre>
  );
}

/** The lines of a body with their numbers in the file. */
function Numbered({ cell, body, first }: { cell: string; body: string; first: number }) {
  const text = body.trimEnd();
  return (
    <span className={css.numbered}>
      <span aria-hidden="true" className={css.numbers}>
        {text
          .split("\n")
          .map((_, i) => first + i)
          .join("\n")}
      </span>
      <CodeText kind={cell} text={text} />
    </span>
  );
}

function CellEditor({ block, detail, html, schema, known, problems, view, onView, onBody, onScores }: CellProps) {
  const { t, i18n } = useTranslation();
  const cell = block.cell;
  if (!cell) return null;
  const faults = faultsOf(problems, detail);
  const wrong = faults.map((p) => worded(p, i18n));
  const byField = new Map(wrong.flatMap((p) => (p.field ? [[p.field, brief(p)] as const] : [])));
  return (
    <div className={css.editor}>
      <SegmentedControl
        size="xs"
        aria-label={t("notebook.viewOf", { name: cell.name })}
        value={view}
        onChange={(v) => onView(v as "form" | "text")}
        data={[
          { value: "form", label: t("notebook.form") },
          { value: "text", label: t("notebook.text") },
        ]}
      />
      <div data-editor>
        {view === "form" && schema ? (
          <CellForm
            {...{ schema, known, onScores }}
            name={cell.name}
            body={cell.body}
            wrong={byField}
            onChange={onBody}
            onText={() => onView("text")}
          />
        ) : (
          <Code
            kind={cell.type}
            label={t("notebook.textOf", { name: cell.name })}
            value={cell.body.replace(/\n$/, "")} // its last line end belongs to the fence
            first={block.line + 1}
            marks={marksOf(wrong, block.line + 1)}
            onChange={(text) => onBody(`${text}\n`)}
            accepts={(text) => !closesFence(cell, text)}
            complete={(text, caret) => complete(known, cell.type, text, caret)}
          />
        )}
      </div>
      <Faults problems={faults} />
      {cell.type === "note" && (
        <Preview
          markdown={textOf(cell.body, noteLang(cell.body, i18n.language))}
          values={known.values}
          html={html}
          current={known.rendered.has(block.text)}
        />
      )}
    </div>
  );
}

/** What is wrong, with what to do next. */
export function Faults({ problems }: { problems: NotebookProblem[] }) {
  const { i18n } = useTranslation();
  const seen = new Set<string>();
  const list = problems.map((p) => worded(p, i18n)).filter((p) => !seen.has(p.detail) && seen.add(p.detail));
  if (list.length === 0) return null;
  return (
    <div role="alert">
      <ul className={css.faults}>
        {list.map((p) => (
          <li key={p.detail} lang={i18n.language}>
            <Icon name="warning" size={13} /> {brief(p)} {p.hint && <span className="soft">{p.hint}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { type NotebookDetail, type NotebookJob, said } from "../../api/types_notebook";
import { useShortcutList } from "../../app/keys";
import { Blocks } from "./blocks";
import type { CodeElement } from "./code/element";
import { openByCell, useComments } from "./comments";
import { GoneComments } from "./commentthread";
import type { Known } from "./completion";
import { ConflictNotice } from "./conflict";
import { useDocument } from "./document";
import { sortedByNeed } from "./graph";
import { GraphDialog } from "./graphdialog";
import { HistoryDialog } from "./history";
import { InsertDialog } from "./insertdialog";
import { useNotebookKeys } from "./keys";
import { useKnownNames } from "./knownnames";
import { useOperations } from "./operations";
import { Outline, OutlineDrawer } from "./outline";
import { Palette } from "./palette";
import { useFollow } from "./presence";
import { RemovedCells } from "./removed";
import { RenameCell } from "./renamecell";
import { RunDialog, type Wanted } from "./rundialog";
import { unsaved, useSaving } from "./saving";
import { SearchDialog } from "./searchdialog";
import { beginning, notebookPath, paramList, useArrivals, useKnown } from "./state";
import { useWords } from "../../parts/words";
import { withRepeats } from "./celltypes";
import { type Block, blocksOf } from "./text";
import { Top } from "./top";
import { WholeText } from "./wholetext";
import { useUndo } from "../../parts/undo";
import layout from "./outline.module.css";

interface EditorProps {
  detail: NotebookDetail;
  updated: number;
  view: string;
  cell: string;
  given: Record<string, string>;
  onUrl: (change: Record<string, string>) => void;
}

/** A notebook that is edited: its cells in order, each with what it has published. */
export function Editor({ detail, updated, view, cell: first, given, onUrl }: EditorProps) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const path = notebookPath(detail.name);
  const [begin] = useState(() => beginning(detail, unsaved(detail.name)));
  const doc = useDocument(begin.text);
  const mayEdit = useMay("edit") && !detail.read_only;
  const mayRun = useMay("run") && !detail.read_only;
  const saving = useSaving({
    name: detail.name,
    text: doc.text,
    first: { text: detail.text ?? begin.text, digest: detail.digest ?? "", modified: detail.modified ?? "" },
    enabled: mayEdit,
    conflict: begin.conflict,
    load: doc.load,
  });
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [started, setStarted] = useState<NotebookJob>();
  const [free, setFree] = useState("");
  useArrivals(detail, updated, saving.arrived);
  const params = useMemo(() => paramList(given), [given]);
  const state = useKnown(detail, doc.text, params, started);
  const { schemas, names } = useKnownNames();
  const known: Known = {
    schemas,
    cells: [...state.cells.values()],
    params: state.known.params,
    names,
    values: state.known.embeds,
    rendered: new Set(state.known.blocks.map((b) => b.text)),
    say: (words) => said(words, i18n.language),
  };
  const [start] = useState(() =>
    Math.max(
      0,
      blocksOf(begin.text).findIndex((b) => b.cell?.name === first),
    ),
  );
  const ops = useOperations(doc, known, start);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [inserting, setInserting] = useState<"above" | "below" | "instead" | null>(null);
  const [renaming, setRenaming] = useState(false);
  const [past, setPast] = useState(false);
  const [graph, setGraph] = useState(false);
  const [outline, setOutline] = useState(false);
  const [palette, setPalette] = useState(false);
  const [copied, setCopied] = useState<Block[]>([]);
  const [finding, setFinding] = useState(false);
  const [lines, setLines] = useState(false);
  const shortcuts = useShortcutList();
  const undo = useUndo(10);
  const name = ops.block?.cell?.name ?? "";
  useSelectionInUrl(name, first, onUrl);
  const client = useQueryClient();
  const router = useRouter();
  const comments = useComments(path, !detail.read_only, saving.save);
  const readers = useFollow(path, !detail.read_only, name, {
    saved: (digest) => {
      if (digest === saving.disk.digest) return;
      void client.invalidateQueries({ queryKey: [path] });
      void comments.again(); // of cells that were renamed
    },
    comment: () => void comments.again(),
  });
  const goTo = (cell: string) => {
    const at = ops.blocks.findIndex((b) => b.cell?.name === cell);
    if (view === "text") onUrl({ view: "" });
    if (at >= 0) ops.choose(at);
  };
  /** Takes a block out; a bar offers it back for a while, and the list of removed cells for longer. */
  const drop = (at?: number) => {
    const where = at ?? ops.at;
    const gone = ops.drop(where);
    if (!gone) return;
    const said = gone.cell ? t("removed.now", { name: gone.cell.name }) : t("removed.prose");
    void undo.doUndoably(said, async () => async () => putBack.current(gone, where));
  };
  /** Takes out what is chosen: several at once come back at once, by a step back. */
  const dropChosen = () => (ops.chosen.length > 1 ? ops.dropChosen() : drop());
  const putBack = useRef(ops.putBack);
  putBack.current = ops.putBack;

  /** Saves first: what runs is the file, and the price is that of what is on screen. */
  const run = async (cells: string[], upstream = true) => {
    if (mayRun && (await saving.save())) setWanted({ cells, upstream });
  };
  const fold = (of = name) =>
    setFolded((before) => (before.has(of) ? new Set([...before].filter((n) => n !== of)) : new Set([...before, of])));
  const repeat = async (more: number) => {
    const body = ops.block?.cell ? withRepeats(ops.block.cell.body, more) : null;
    if (body === null) return ops.choose(ops.at, true);
    ops.setBody(ops.at, body);
    setRepeated(name);
  };
  const addHeat = () =>
    ops.addHeat((setting) => ({
      [i18n.language]: t("heat.titleAll", {
        metric: words.metric("correctness"),
        rows: t("heat.theme"),
        setting: setting.slice(setting.lastIndexOf(".") + 1),
      }),
    }));
  const [repeated, setRepeated] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once for each cell that was repeated, with what is on screen then
  useEffect(() => {
    if (!repeated) return;
    setRepeated("");
    void run([repeated]);
  }, [repeated]);
  const runOne = () => {
    ops.choose(ops.at);
    const c = state.cells.get(name);
    if (c?.paid && state.job?.state !== "running") void run([name]);
  };
  const about = {
    blocks: ops.blocks,
    shown: ops.shown,
    at: ops.at,
    cells: state.cells,
    comments: openByCell(comments.all),
    editable: mayEdit,
    onChoose: (at: number) => ops.choose(at),
    onMove: ops.drag,
  };
  const dialog = inserting !== null || renaming || past || graph || outline || palette || finding || wanted !== null;
  useNotebookKeys({
    active: !dialog && view !== "text",
    editable: mayEdit,
    up: () => ops.step(-1),
    down: () => ops.step(1),
    edit: () => ops.choose(ops.at, true),
    command: () => ops.choose(ops.at),
    run: runOne,
    runNext: () => {
      runOne();
      ops.step(1);
    },
    above: () => setInserting("above"),
    below: () => setInserting("below"),
    remove: dropChosen,
    undo: doc.undo,
    redo: doc.redo,
    toNote: () => ops.toNote(),
    moveUp: () => ops.shift(false),
    moveDown: () => ops.shift(true),
    fold: () => fold(),
    graph: () => setGraph(true),
    palette: () => setPalette(true),
    cut: () => {
      setCopied(ops.chosen.flatMap((i) => ops.blocks[i] ?? []));
      dropChosen();
    },
    copy: () => setCopied(ops.chosen.flatMap((i) => ops.blocks[i] ?? [])),
    pasteBelow: () => copied.length > 0 && ops.paste(copied, true),
    pasteAbove: () => copied.length > 0 && ops.paste(copied, false),
    moreDown: () => ops.extend(1),
    moreUp: () => ops.extend(-1),
    merge: ops.mergeNotes,
    split: () => {
      const caret = (document.activeElement as CodeElement | null)?.caret;
      if (caret?.lang) ops.splitNote(caret.lang, caret.at);
    },
    fromNote: () => ops.fromNote() || setInserting("instead"),
    lines: () => setLines((on) => !on),
    find: () => setFinding(true),
    help: () =>
      shortcuts()
        .find((s) => s.press === "?")
        ?.run(),
    stop: () => state.job?.state === "running" && mayRun && void send("POST", `${path}/stop`),
  });

  return (
    <>
      <Top
        {...{ state, saving, doc, mayEdit, mayRun, view, onUrl, params, given, readers, free }}
        onRunAll={() => void run([])}
        onStop={() => void send("POST", `${path}/stop`)}
        onInsert={() => setInserting("below")}
        onCell={goTo}
        onOutline={() => setOutline(true)}
        onGraph={() => setGraph(true)}
        onHistory={() => void saving.save().then(() => setPast(true))}
      />
      {past && <HistoryDialog name={detail.name} digest={saving.disk.digest} mayEdit={mayEdit} onClose={() => setPast(false)} />}
      {saving.conflict && (
        <ConflictNotice
          base={saving.disk.text}
          mine={doc.text}
          theirs={saving.conflict.theirs.text}
          cells={saving.conflict.cells}
          onKeep={saving.keepMine}
          onTake={saving.takeTheirs}
        />
      )}
      {view === "text" ? (
        <WholeText
          text={doc.text}
          known={known}
          problems={state.known.problems}
          readOnly={!mayEdit}
          onChange={ops.setText}
          label={t("notebook.wholeText")}
        />
      ) : (
        <div className={layout.page}>
          <div className={`${layout.side} no-print`}>
            <Outline {...about} />
          </div>
          <div>
            <Blocks
              {...{ ops, known, folded, readers, lines, mayEdit, mayRun }}
              comments={detail.read_only ? null : comments}
              state={state}
              onFold={fold}
              onRun={(cell, upstream) => void run([cell], upstream)}
              onRepeat={(more) => void repeat(more)}
              onRename={() => setRenaming(true)}
              onInsert={() => setInserting("below")}
              onRemove={drop}
            />
            <GoneComments comments={comments} />
            {!detail.read_only && (
              <RemovedCells
                name={detail.name}
                digest={saving.disk.digest}
                mayEdit={mayEdit}
                onBack={async (c) => {
                  await saving.save();
                  await send("POST", `${path}/removed/${c.id}/restore`, {});
                  await client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith("/notebooks") });
                }}
              />
            )}
          </div>
        </div>
      )}
      <OutlineDrawer opened={outline} onClose={() => setOutline(false)} {...about} />
      {graph && (
        <GraphDialog
          cells={[...state.cells.values()]}
          editable={mayEdit}
          onChoose={(cell) => {
            setGraph(false);
            goTo(cell);
          }}
          onSort={(nodes) => {
            setGraph(false);
            ops.setText(sortedByNeed(doc.text, nodes));
          }}
          onClose={() => setGraph(false)}
        />
      )}
      {palette && (
        <Palette
          cells={[...state.cells.values()]}
          schemas={mayEdit ? schemas : []}
          params={state.known.params}
          datasets={names.registered.dataset ?? []}
          onDataset={(dataset) => {
            const schema = mayEdit && schemas.find((s) => s.type === "dataset");
            if (schema) ops.add(schema, true, `source: ${dataset}\n`);
            else router.history.push(`/datasets/${encodeURIComponent(dataset)}`);
          }}
          onTemplate={(id) => void saving.save().then(() => router.history.push(`/notebooks?new=${encodeURIComponent(id)}`))}
          onCell={goTo}
          onInsert={(schema) => ops.add(schema, true)}
          onHeat={addHeat}
          onParam={onUrl}
          onClose={() => setPalette(false)}
        />
      )}
      {finding && (
        <SearchDialog
          text={doc.text}
          mayEdit={mayEdit}
          onText={ops.setText}
          onGo={(at) => {
            setFinding(false);
            ops.choose(at);
          }}
          onClose={() => setFinding(false)}
        />
      )}
      {undo.bar}
      <InsertDialog
        where={inserting}
        schemas={schemas}
        onClose={() => setInserting(null)}
        onHeat={() => {
          setInserting(null);
          addHeat();
        }}
        onInsert={(schema) => {
          setInserting(null);
          if (inserting !== "instead") ops.add(schema, inserting === "below");
          else if (schema) ops.fromNote(schema.type);
        }}
      />
      <RenameCell opened={renaming} name={name} onClose={() => setRenaming(false)} onRename={ops.rename} />
      <RunDialog
        path={path}
        wanted={wanted}
        params={params}
        digest={saving.disk.digest}
        onClose={() => setWanted(null)}
        onStarted={(job, free) => {
          setStarted(job);
          if (free) setFree(job.id);
          // whoever goes away and comes back sees it at once, and not how the notebook stood before
          client.setQueriesData<NotebookDetail>({ queryKey: [path] }, (before) => before && { ...before, job });
        }}
      />
    </>
  );
}

/** Keeps the chosen cell in the address, a moment after it was chosen. */
function useSelectionInUrl(name: string, shown: string, onUrl: (change: Record<string, string>) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another cell is what is waited for, not another function
  useEffect(() => {
    if (name === shown || !name) return;
    const timer = setTimeout(() => onUrl({ cell: name }), 400);
    return () => clearTimeout(timer);
  }, [name, shown]);
}

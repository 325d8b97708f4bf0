import { Button, Popover, TagsInput, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../api/client";
import { useMay } from "../api/me";
import { useGet } from "../api/queries";
import type { NoteChange, NotesChanged, RunRow, TagCount } from "../api/types";
import { Icon } from "./icon";
import css from "./runnotes.module.css";
import type { DoUndoably } from "./undo";

type Written = Pick<RunRow, "run_id" | "note" | "tags">;

/** Changes what stands beside runs, and offers to take that back. */
function useChange(doUndoably: DoUndoably) {
  const client = useQueryClient();
  const again = () => client.invalidateQueries({ predicate: (q) => /^\/run(s|-tags)\b/.test(String(q.queryKey[0])) });
  const write = (run: string, change: NoteChange) => send<NotesChanged>("PATCH", `/runs/${run}/notes`, change);
  return (said: string, runs: Written[], change: NoteChange) =>
    doUndoably(said, async () => {
      const changed: NotesChanged[] = [];
      try {
        for (const run of runs) changed.push(await write(run.run_id, change));
      } finally {
        await again();
      }
      return async () => {
        for (const { run_id, back } of changed) await write(run_id, back);
        await again();
      };
    });
}

/** Keeps what happens in an editor from the row of a table that it hangs on. */
const apart = {
  onClick: (event: SyntheticEvent) => event.stopPropagation(),
  onKeyDown: (event: SyntheticEvent) => event.stopPropagation(),
};

interface EditorProps {
  doUndoably: DoUndoably;
  target: (open: () => void, opened: boolean) => ReactNode;
}

/** Gives one or several runs tags, and takes them away: each at once. */
function TagEditor({ runs, doUndoably, target }: EditorProps & { runs: Written[] }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const known = useGet<{ items: TagCount[] }>(opened ? "/run-tags" : null);
  const change = useChange(doUndoably);
  const [first, ...others] = runs;
  const tags = (first?.tags ?? []).filter((tag) => others.every((r) => r.tags?.includes(tag)));
  const set = (next: string[]) => {
    const add = next.filter((tag) => !tags.includes(tag));
    const remove = tags.filter((tag) => !next.includes(tag));
    const said = [...add.map((tag) => t("notes.tagged", { tag })), ...remove.map((tag) => t("notes.untagged", { tag }))].join(" ");
    if (said) void change(`${said} ${runs.length > 1 ? t("notes.onRuns", { count: runs.length }) : ""}`.trim(), runs, { add, remove });
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" withinPortal trapFocus returnFocus width={280}>
      <Popover.Target>{target(() => setOpened((o) => !o), opened)}</Popover.Target>
      <Popover.Dropdown {...apart}>
        <TagsInput
          size="xs"
          data-autofocus
          label={runs.length > 1 ? t("notes.tagsOfRuns", { count: runs.length }) : t("notes.tagsOf", { run: first?.run_id })}
          description={t("notes.tagsMeaning")}
          placeholder={tags.length ? "" : t("notes.tagsPlaceholder")}
          maxLength={50}
          maxTags={20}
          splitChars={[","]}
          value={tags}
          onChange={set}
          data={(known.data?.items ?? []).map((known) => known.tag)}
          comboboxProps={{ withinPortal: false }}
          clearButtonProps={{ "aria-label": t("notes.noTags") }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The tags of a run, which narrow the list to those that have it, and a button that changes them. */
export function Tags({ run, doUndoably, onTag }: { run: Written; doUndoably: DoUndoably; onTag: (tag: string) => void }) {
  const { t } = useTranslation();
  const may = useMay("edit");
  return (
    <div className={css.cell}>
      <div className={css.tags}>
        {(run.tags ?? []).map((tag) => (
          <button key={tag} type="button" className={css.tag} title={t("notes.only", { tag })} onClick={() => onTag(tag)}>
            {tag}
          </button>
        ))}
      </div>
      {may && (
        <TagEditor
          runs={[run]}
          doUndoably={doUndoably}
          target={(open, opened) => (
            <button
              type="button"
              className={css.edit}
              aria-expanded={opened}
              aria-label={t("notes.tagsOf", { run: run.run_id })}
              onClick={open}
            >
              <Icon name="tag" size={13} />
            </button>
          )}
        />
      )}
    </div>
  );
}

/** Tags all chosen runs. */
export function TagButton({ runs, doUndoably }: { runs: Written[]; doUndoably: DoUndoably }) {
  const { t } = useTranslation();
  if (!useMay("edit") || runs.length === 0) return null;
  return (
    <TagEditor
      runs={runs}
      doUndoably={doUndoably}
      target={(open, opened) => (
        <Button variant="default" leftSection={<Icon name="tag" size={14} />} aria-expanded={opened} onClick={open}>
          {t("notes.tag")}
        </Button>
      )}
    />
  );
}

/** What people wrote beside a run, in one line unless the whole is asked for, and a button that changes it. */
export function NoteText({ run, doUndoably, whole = false }: { run: Written; doUndoably: DoUndoably; whole?: boolean }) {
  const { t } = useTranslation();
  const may = useMay("edit");
  const [text, setText] = useState<string | null>(null);
  const change = useChange(doUndoably);
  const save = () => {
    const note = (text ?? "").trim();
    setText(null);
    if (note !== (run.note ?? "")) void change(note ? t("notes.noted") : t("notes.unnoted"), [run], { note });
  };
  return (
    <div className={css.cell}>
      <span className={whole ? "text" : "clip"} title={whole ? undefined : run.note}>
        {run.note}
      </span>
      {may && (
        <Popover
          opened={text !== null}
          onChange={(o) => !o && setText(null)}
          position="bottom-start"
          withinPortal
          trapFocus
          returnFocus
          width={340}
        >
          <Popover.Target>
            <button
              type="button"
              className={css.edit}
              aria-expanded={text !== null}
              aria-label={t("notes.noteOf", { run: run.run_id })}
              onClick={() => setText(text === null ? (run.note ?? "") : null)}
            >
              <Icon name="edit" size={13} />
            </button>
          </Popover.Target>
          <Popover.Dropdown {...apart}>
            <form
              className="stack"
              onSubmit={(event) => {
                event.preventDefault();
                save();
              }}
            >
              <Textarea
                size="xs"
                data-autofocus
                autosize
                minRows={3}
                maxRows={12}
                maxLength={2000}
                label={t("notes.noteOf", { run: run.run_id })}
                value={text ?? ""}
                onChange={(event) => setText(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
                }}
              />
              <div className="row apart">
                <Button variant="default" onClick={() => setText(null)}>
                  {t("parts.cancel")}
                </Button>
                <Button type="submit">{t("notes.save")}</Button>
              </div>
            </form>
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  );
}

import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMay, useMe } from "../../api/me";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageLink } from "../../parts/pagelink";
import { type CommentedRow, type Comments, type NotebookComment, RowComments } from "./comments";
import { Prose } from "./prose";
import css from "./comments.module.css";

interface ThreadProps {
  cell: string;
  comments: Comments;
  row: CommentedRow | null; // that the next comment is about; null is the cell
  onRow: (row: CommentedRow | null) => void;
}

/** What people say about a cell and its rows, and room to say more. Those that are resolved stand behind their number. */
export function Thread({ cell, comments, row, onRow }: ThreadProps) {
  const { t } = useTranslation();
  const mayEdit = useMay("edit");
  const [text, setText] = useState("");
  const list = comments.of(cell);
  const done = list.filter((c) => c.resolved_at);
  const add = useMutation({
    mutationFn: () => comments.add(cell, text, row),
    onSuccess: () => {
      setText("");
      onRow(null);
    },
  });
  return (
    <section className={`${css.thread} no-print`} aria-label={t("comments.of", { name: cell })} data-own-keys>
      <ListOf list={list.filter((c) => !c.resolved_at)} comments={comments} />
      {done.length > 0 && (
        <details>
          <summary>{t("comments.resolvedCount", { count: done.length })}</summary>
          <ListOf list={done} comments={comments} />
        </details>
      )}
      {mayEdit && (
        <form
          className={css.form}
          onSubmit={(e) => {
            e.preventDefault();
            add.mutate();
          }}
        >
          {row && (
            <p className="small">
              {t("comments.about")} <RowName row={row} />{" "}
              <Button size="compact-xs" variant="subtle" onClick={() => onRow(null)}>
                {t("comments.wholeCell")}
              </Button>
            </p>
          )}
          <Textarea
            autosize
            minRows={2}
            maxRows={12}
            aria-label={row ? t("comments.sayRow", { question: row.question }) : t("comments.say", { name: cell })}
            placeholder={t("comments.placeholder")}
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
            onKeyDown={(e) => {
              if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && text.trim()) add.mutate();
            }}
            maxLength={10000}
          />
          <Button type="submit" size="xs" loading={add.isPending} disabled={!text.trim()}>
            {t("comments.send")}
          </Button>
          {add.data && add.data.length > 0 && (
            <ul className={css.told} role="status">
              {add.data.map((m) => (
                <li key={m.name} data-untold={m.state === "silent" || m.state === "unknown" || undefined}>
                  {t(`comments.mentions.${m.state}`, { name: m.name })}
                </li>
              ))}
            </ul>
          )}
          {add.error ? <ProblemLine error={add.error} /> : null}
        </form>
      )}
    </section>
  );
}

/** What was said about cells that are not in the notebook now. */
export function GoneComments({ comments }: { comments: Comments }) {
  const { t } = useTranslation();
  if (comments.gone.length === 0) return null;
  return (
    <details className={`${css.gone} no-print`}>
      <summary>{t("comments.gone", { count: comments.gone.length })}</summary>
      <ListOf list={comments.gone} comments={comments} named />
    </details>
  );
}

function ListOf({ list, comments, named = false }: { list: NotebookComment[]; comments: Comments; named?: boolean }) {
  if (list.length === 0) return null;
  return (
    <ol className={css.list}>
      {list.map((c) => (
        <One key={c.id} comment={c} comments={comments} named={named} />
      ))}
    </ol>
  );
}

function One({ comment: c, comments, named }: { comment: NotebookComment; comments: Comments; named: boolean }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const me = useMe().data;
  const mayEdit = useMay("edit");
  const work = useMutation({ mutationFn: (act: () => Promise<void>) => act() });
  const own = me?.name === c.by || me?.role === "admin";
  const row = c.run && c.question ? { run: c.run, question: c.question } : null;
  return (
    <li className={css.one} data-resolved={c.resolved_at ? true : undefined}>
      <div className={css.head}>
        <strong>{c.by}</strong>
        <time className="soft small" dateTime={c.at}>
          {format.brief(c.at)}
        </time>
        {named && <span className="mono small">{c.cell}</span>}
        {row && <RowName row={row} />}
        {c.resolved_at && (
          <span className="soft small">✓ {t("comments.resolvedBy", { name: c.resolved_by, at: format.brief(c.resolved_at) })}</span>
        )}
      </div>
      <Prose html={c.html} lang={i18n.language} level={4} />
      {mayEdit && (
        <div className={css.acts}>
          <Button
            size="compact-xs"
            variant="default"
            loading={work.isPending}
            onClick={() => work.mutate(() => comments.resolve(c.id, !c.resolved_at))}
          >
            {c.resolved_at ? t("comments.reopen") : t("comments.resolve")}
          </Button>
          {own && (
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => work.mutate(() => comments.remove(c.id))}>
              {t("comments.remove")}
            </Button>
          )}
          {work.error ? <ProblemLine error={work.error} /> : null}
        </div>
      )}
    </li>
  );
}

function RowName({ row }: { row: CommentedRow }) {
  return (
    <PageLink to={`/runs/${row.run}`} search={{ question: row.question }} className="mono small">
      {row.question} · {row.run}
    </PageLink>
  );
}

/** A button at a row of a table that says how many comments on it are open, and lets one be written. */
export function RowComment({ run, question }: CommentedRow) {
  const { t } = useTranslation();
  const about = useContext(RowComments);
  if (!about) return null;
  const n = about.open({ run, question });
  const label = n > 0 ? t("comments.rowOpen", { question, count: n }) : t("comments.sayRow", { question });
  return (
    <button type="button" className={css.row} aria-label={label} title={label} onClick={() => about.say({ run, question })}>
      <Icon name="comment" size={12} />
      {n > 0 && <span>{n}</span>}
    </button>
  );
}

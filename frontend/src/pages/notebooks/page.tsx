import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUrlState } from "../../app/url";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import { type GalleryEntry, type NotebookRow, type NotebookSaved, said } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await, Empty } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { VerdictBadge } from "../notebook/output";
import { CreateDialog } from "./create";
import { worded } from "../notebook/worded";
import css from "./notebooks.module.css";

/** All notebooks, and the gallery that new ones begin from. */
export default function NotebooksPage() {
  const { t } = useTranslation();
  const mayEdit = useMay("edit");
  const [url, setUrl] = useUrlState(["new", "removed"]);
  const notebooks = useGet<{ items: NotebookRow[] }>("/notebooks");
  const gallery = useGet<{ items: GalleryEntry[] }>("/notebooks/gallery");
  return (
    <>
      <PageHead
        name={t("nav.notebooks")}
        title={t("nav.notebooks")}
        below={<span className="soft">{t("notebooks.about")}</span>}
        actions={
          mayEdit && (
            <Button leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ new: "empty" }, { push: true })}>
              {t("notebooks.new")}
            </Button>
          )
        }
      />
      {url.removed && <Removed name={url.removed} onDone={() => setUrl({ removed: "" })} />}
      <Await query={notebooks}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              title={t("notebooks.none")}
              next={t("notebooks.noneNext")}
              action={mayEdit ? <Button onClick={() => setUrl({ new: "empty" }, { push: true })}>{t("notebooks.new")}</Button> : <span />}
            />
          ) : (
            <ul className={css.list} aria-label={t("nav.notebooks")}>
              {items.map((n) => (
                <Row key={n.name} notebook={n} />
              ))}
            </ul>
          )
        }
      </Await>
      <Snapshots />
      <section className={css.gallery} aria-label={t("notebooks.gallery")}>
        <h2>{t("notebooks.gallery")}</h2>
        <p className="soft">{t("notebooks.galleryAbout")}</p>
        <Await query={gallery} rows={3}>
          {({ items }) => (
            <ul className={css.cards}>
              {items.map((g) => (
                <Entry key={g.id} entry={g} onUse={mayEdit ? () => setUrl({ new: g.id }, { push: true }) : undefined} />
              ))}
            </ul>
          )}
        </Await>
      </section>
      <CreateDialog
        from={mayEdit ? url.new : ""}
        entry={gallery.data?.items.find((g) => g.id === url.new)}
        taken={notebooks.data?.items.map((n) => n.name) ?? []}
        onClose={() => setUrl({ new: "" })}
      />
    </>
  );
}

function Row({ notebook: n }: { notebook: NotebookRow }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const format = useFormat();
  return (
    <li className={css.row}>
      <PageLink to={`/notebooks/${encodeURIComponent(n.name)}`} className={css.title}>
        {said(n.title, i18n.language) || n.name}
      </PageLink>
      <span className="soft mono small">{n.name}</span>
      <span className="row" style={{ gap: 8 }}>
        {n.running && <Badge tone="accent">{words.word("notebook_state", "running")}</Badge>}
        {n.problems > 0 ? (
          <Badge tone="worse">
            <Icon name="warning" size={11} /> {t("notebook.problems", { count: n.problems })}
          </Badge>
        ) : n.stale > 0 ? (
          <Badge tone="needs_check">
            <Icon name="stale" size={11} /> {t("notebooks.stale", { count: n.stale })}
          </Badge>
        ) : (
          <Badge tone="better">
            <Icon name="done" size={11} /> {words.word("notebook_state", "fresh")}
          </Badge>
        )}
        {n.verdict && <VerdictBadge verdict={n.verdict} />}
        {n.schedules > 0 && <Badge>{t("notebooks.schedules", { count: n.schedules })}</Badge>}
      </span>
      <span className="soft small">
        {t("notebooks.cells", { count: n.cells })} ·{" "}
        {n.last_run ? t("notebooks.lastRun", { at: format.brief(n.last_run) }) : t("notebooks.neverRun")}
      </span>
    </li>
  );
}

function Entry({ entry: g, onUse }: { entry: GalleryEntry; onUse?: (() => void) | undefined }) {
  const { t, i18n } = useTranslation();
  return (
    <li className={css.card}>
      <h3>{said(g.title, i18n.language) || g.id}</h3>
      {g.own && <Badge>{t("notebooks.own")}</Badge>}
      <p className="soft small">{brief(said(g.doc, i18n.language))}</p>
      <p className="soft small mono">{g.types.join(" · ")}</p>
      {g.problem && <p role="note">{t("notebooks.unusable", { detail: worded(g.problem, i18n).detail })}</p>}
      {onUse && !g.problem && (
        <Button variant="light" onClick={onUse} aria-label={t("notebooks.useNamed", { title: said(g.title, i18n.language) })}>
          {t("notebooks.use")}
        </Button>
      )}
    </li>
  );
}

/** The first words of a note, without its heading and signs. */
function brief(markdown: string): string {
  const text = markdown
    .split("\n")
    .filter((l) => !/^\s*#/.test(l))
    .join(" ")
    .replace(/[`*_]/g, "")
    .trim();
  return text.length > 220 ? `${text.slice(0, 218)}…` : text;
}

/** Takes a notebook that was just removed back. */
function Removed({ name, onDone }: { name: string; onDone: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () => send<NotebookSaved>("POST", `/notebooks/${encodeURIComponent(name)}/restore`),
    onSuccess: (saved) => {
      void client.invalidateQueries({ queryKey: ["/notebooks"] });
      router.history.replace(`/notebooks/${encodeURIComponent(saved.name)}`);
    },
  });
  return (
    <div className={`row ${css.removed}`} role="status">
      {t("notebooks.removed", { name })}
      <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
        {t("notebooks.restore")}
      </Button>
      <Button variant="subtle" onClick={onDone}>
        {t("parts.close")}
      </Button>
      {restore.error ? <ProblemLine error={restore.error} /> : null}
    </div>
  );
}

interface Snapshot {
  id: string;
  notebook: string;
  created_at: string;
  verdict: string;
}

/** Sealed snapshots: evidence that opens read-only. */
function Snapshots() {
  const { t } = useTranslation();
  const format = useFormat();
  const items = useGet<{ items: Snapshot[] }>("/notebooks/snapshots").data?.items ?? [];
  const [all, setAll] = useState(false);
  if (items.length === 0) return null;
  return (
    <section className={css.gallery} aria-label={t("notebooks.snapshots")}>
      <h2>{t("notebooks.snapshots")}</h2>
      <ul className={css.plain}>
        {items.slice(0, all ? items.length : 6).map((s) => (
          <li key={s.id} className="row">
            <PageLink to={`/notebooks/${encodeURIComponent(s.notebook)}`} search={{ snapshot: s.id }}>
              {s.id}
            </PageLink>
            {s.verdict && <VerdictBadge verdict={s.verdict} />}
            <span className="soft small">{format.moment(s.created_at)}</span>
          </li>
        ))}
      </ul>
      {items.length > 6 && !all && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          {t("bars.all", { n: items.length })}
        </Button>
      )}
    </section>
  );
}

import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { get, send } from "../../api/client";
import type { NotebookDiff, NotebookVersion } from "../../api/types_history";
import type { NotebookSaved } from "../../api/types_notebook";
import { ProblemLine } from "../../parts/confirmdialog";
import { Dialog } from "../../parts/dialog";
import { Await, Failed, Loading } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { CellChanges } from "./cellchanges";
import { notebookPath } from "./state";
import { UnifiedDiff } from "./unifieddiff";
import css from "./history.module.css";

interface HistoryProps {
  name: string;
  digest: string;
  mayEdit: boolean;
  onClose: () => void;
}

/** What a notebook was: its versions, how each changed text and results, and the way back to it. */
export function HistoryDialog({ name, digest, mayEdit, onClose }: HistoryProps) {
  const { t } = useTranslation();
  const path = `${notebookPath(name)}/versions`;
  const versions = useQuery({
    queryKey: [path, digest],
    queryFn: ({ signal }) => get<{ items: NotebookVersion[] }>(path, {}, signal),
    staleTime: 0,
  });
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <Dialog opened onClose={onClose} title={t("history.title")} size="min(96vw, 1400px)">
      <Await query={versions} rows={8}>
        {({ items }) => {
          const at = Math.max(
            0,
            items.findIndex((v) => v.number === chosen),
          );
          const version = items[at];
          if (!version) return null;
          return (
            <div className={css.history}>
              <ol className={css.list} aria-label={t("history.versions")}>
                {items.map((v) => (
                  <li key={v.number}>
                    <button type="button" aria-current={v === version} onClick={() => setChosen(v.number)}>
                      <Line version={v} newest={v === items[0]} />
                    </button>
                  </li>
                ))}
              </ol>
              <Version
                key={version.number}
                name={name}
                digest={digest}
                version={version}
                before={items[at + 1]}
                newest={at === 0}
                mayEdit={mayEdit}
                onDone={onClose}
              />
            </div>
          );
        }}
      </Await>
    </Dialog>
  );
}

/** A version in a list: when, who, and how it came. */
function Line({ version: v, newest }: { version: NotebookVersion; newest: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <span>
        <strong>{v.name || format.brief(v.at)}</strong> {newest && <span className="soft">{t("history.now")}</span>}
      </span>
      <span className="soft small">
        {[v.name && format.brief(v.at), v.by, t(`history.origin.${v.origin}`), v.ran && t("history.ran")].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

interface VersionProps {
  name: string;
  digest: string;
  version: NotebookVersion;
  before: NotebookVersion | undefined;
  newest: boolean;
  mayEdit: boolean;
  onDone: () => void;
}

function Version({ name, digest, version: v, before, newest, mayEdit, onDone }: VersionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const [beside, setBeside] = useState<"before" | "now">(before || newest ? "before" : "now");
  const path = notebookPath(name);
  const query = beside === "now" ? `from=${v.number}&to=0` : `from=${before?.number ?? 0}&to=${v.number}`;
  const diff = useQuery({
    queryKey: [`${path}/diff`, query, digest],
    queryFn: ({ signal }) => get<NotebookDiff>(`${path}/diff?${query}&results=true`, {}, signal),
    enabled: beside === "now" || !!before,
    staleTime: 0,
  });
  const [asked, setAsked] = useState<string | null>(null);
  const again = () => client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith("/notebooks") });
  const rename = useMutation({
    mutationFn: (wish: string) => send("PUT", `${path}/versions/${v.number}`, { name: wish }),
    onSuccess: () => {
      setAsked(null);
      void again();
    },
  });
  const restore = useMutation({
    mutationFn: () => send<NotebookSaved>("POST", `${path}/versions/${v.number}/restore`, { digest }),
    onSuccess: async () => {
      await again();
      onDone();
    },
  });
  return (
    <section className={css.version} aria-label={t("history.version", { n: v.number })}>
      <div className="row apart">
        <h3>
          {v.name || t("history.version", { n: v.number })} <span className="soft small">{format.moment(v.at)}</span>
        </h3>
        <SegmentedControl
          size="xs"
          aria-label={t("history.beside")}
          value={beside}
          onChange={(b) => setBeside(b as "before" | "now")}
          data={[
            { value: "before", label: t("history.withBefore"), disabled: !before },
            { value: "now", label: t("history.withNow"), disabled: newest },
          ]}
        />
      </div>
      {v.params && v.params.length > 0 && <p className="soft small mono">{v.params.join(" ")}</p>}
      {mayEdit && asked === null && (
        <div className="row">
          <Button onClick={() => restore.mutate()} disabled={newest} loading={restore.isPending}>
            {t("history.restore")}
          </Button>
          <Button variant="default" onClick={() => setAsked(v.name ?? "")}>
            {t("history.name")}
          </Button>
        </div>
      )}
      {asked !== null && (
        <form
          className="row"
          onSubmit={(e) => {
            e.preventDefault();
            rename.mutate(asked);
          }}
        >
          <TextInput
            data-autofocus
            aria-label={t("history.nameOf", { n: v.number })}
            maxLength={80}
            value={asked}
            onChange={(e) => setAsked(e.currentTarget.value)}
          />
          <Button type="submit" loading={rename.isPending}>
            {t("history.nameAction")}
          </Button>
        </form>
      )}
      {restore.error || rename.error ? <ProblemLine error={restore.error ?? rename.error} /> : null}
      {beside === "before" && !before ? (
        <p className="soft">{t("history.first")}</p>
      ) : diff.error ? (
        <Failed error={diff.error} retry={() => void diff.refetch()} />
      ) : !diff.data ? (
        <Loading rows={6} />
      ) : (
        <>
          <h4>{t("history.results")}</h4>
          <CellChanges changes={diff.data.results ?? []} />
          <h4>{t("history.text")}</h4>
          <UnifiedDiff text={diff.data.text} />
        </>
      )}
    </section>
  );
}

import { Button, SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type CellState, said } from "../../api/types_notebook";
import { Badge, OfflineBadge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { Bar } from "./bar";
import type { useDocument } from "./document";
import { JobLine } from "./jobline";
import { NotebookMenu } from "./notebookmenu";
import { VerdictBadge } from "./output";
import type { Reader } from "./presence";
import { Readers } from "./readers";
import type { useSaving } from "./saving";
import { staleOf } from "./stale";
import type { useKnown } from "./state";

interface TopProps {
  state: ReturnType<typeof useKnown>;
  saving: ReturnType<typeof useSaving>;
  doc: ReturnType<typeof useDocument>;
  mayEdit: boolean;
  mayRun: boolean;
  view: string;
  params: string[];
  given: Record<string, string>;
  readers: Reader[];
  free: string; // the job that began without a question
  onUrl: (change: Record<string, string>) => void;
  onRunAll: () => void;
  onStop: () => void;
  onInsert: () => void;
  onHistory: () => void;
  onCell: (name: string) => void;
  onOutline: () => void;
  onGraph: () => void;
}

/** What notebook this is, whether it is saved, and what can be done with all of it. */
export function Top(props: TopProps) {
  const { state, saving, doc, mayEdit, mayRun, view, params, given, readers, onUrl } = props;
  const { t, i18n } = useTranslation();
  const { known, job } = state;
  const running = job?.state === "running";
  const stale = staleOf(state.cells.values());
  const standing = (of: CellState) => [...state.cells.values()].filter((c) => c.state === of).length;
  const title = said(known.title, i18n.language) || known.name;
  return (
    <>
      <PageHead
        name={title}
        title={title}
        above={
          <>
            <PageLink to="/notebooks">{t("nav.notebooks")}</PageLink> › <span className="mono">{known.name}</span>
          </>
        }
        below={
          <>
            {known.read_only && (
              <Badge tone="accent">
                <Icon name="pin" size={11} /> {t("notebook.sealed")}
              </Badge>
            )}
            {known.verdict && <VerdictBadge verdict={known.verdict} />}
            {known.offline && <OfflineBadge whole />}
            {known.problems.length > 0 && (
              <Badge tone="worse">
                <Icon name="warning" size={11} /> {t("notebook.problems", { count: known.problems.length })}
              </Badge>
            )}
            <span className="soft small">{t("notebook.keysHint")}</span>
            <Readers readers={readers} />
          </>
        }
        actions={
          <>
            {mayEdit && (
              <Button.Group>
                <Button variant="default" disabled={!doc.canUndo} onClick={doc.undo} aria-label={t("keys.undo")} title={t("keys.undo")}>
                  <span aria-hidden="true">↶</span>
                </Button>
                <Button variant="default" disabled={!doc.canRedo} onClick={doc.redo} aria-label={t("keys.redo")} title={t("keys.redo")}>
                  <span aria-hidden="true">↷</span>
                </Button>
              </Button.Group>
            )}
            <NotebookMenu {...{ known, params, mayEdit }} onHistory={props.onHistory} onGraph={props.onGraph} />
          </>
        }
      />
      <Bar
        title={title}
        state={known.read_only ? null : <SaveState saving={saving} mayEdit={mayEdit} />}
        params={known.params}
        given={given}
        stale={known.read_only ? [] : stale}
        wrong={standing("error")}
        waiting={standing("blocked")}
        run={
          running ? (
            <Button
              size="compact-sm"
              color="red"
              variant="light"
              leftSection={<Icon name="stop" size={12} />}
              onClick={props.onStop}
              disabled={!mayRun}
            >
              {t("notebook.stop")}
            </Button>
          ) : (
            mayRun && (
              <Button
                size="compact-sm"
                variant={stale.length > 0 ? "filled" : "default"}
                leftSection={<Icon name="play" size={12} />}
                onClick={props.onRunAll}
                disabled={known.problems.length > 0}
              >
                {stale.length > 0 ? t("notebook.runStale", { count: stale.length }) : t("notebook.runAll")}
              </Button>
            )
          )
        }
        insert={
          mayEdit &&
          view !== "text" && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Icon name="add" size={12} />}
              aria-label={t("notebook.insert")}
              onClick={props.onInsert}
            >
              <span data-word>{t("notebook.insert")}</span>
            </Button>
          )
        }
        views={<ViewSwitch view={view} onUrl={onUrl} />}
        onUrl={onUrl}
        onCell={props.onCell}
        onOutline={props.onOutline}
      />
      {job && <JobLine job={job} free={job.id === props.free} />}
      {saving.error || state.error ? <ProblemLine error={saving.error ?? state.error} /> : null}
      {saving.joined.length > 0 && (
        <p className="soft small" role="status">
          {t("notebook.joined", { cells: saving.joined.join(", ") })}
        </p>
      )}
    </>
  );
}

/** Cells, the whole text, or what readers see. */
export function ViewSwitch({ view, onUrl }: { view: string; onUrl: (change: Record<string, string>) => void }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("notebook.view")}
      value={view || "cells"}
      onChange={(v) => onUrl({ view: v === "cells" ? "" : v })}
      data={[
        { value: "cells", label: t("notebook.cells") },
        { value: "text", label: t("notebook.text") },
        { value: "read", label: t("notebook.read") },
      ]}
    />
  );
}

function SaveState({ saving, mayEdit }: { saving: TopProps["saving"]; mayEdit: boolean }) {
  const { t } = useTranslation();
  const word = !mayEdit
    ? "readOnly"
    : saving.conflict
      ? "conflictShort"
      : saving.error
        ? "notSaved"
        : saving.saving
          ? "saving"
          : saving.dirty
            ? "unsaved"
            : "saved";
  return (
    <span className="soft small" role="status" data-saved={word === "saved"}>
      {t(`notebook.saving.${word}`)}
    </span>
  );
}

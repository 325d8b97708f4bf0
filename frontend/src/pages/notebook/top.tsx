import { Button, SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { said } from "../../api/types_notebook";
import { Badge, OfflineBadge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import type { useDocument } from "./document";
import { JobLine } from "./jobline";
import { NotebookMenu } from "./notebookmenu";
import { VerdictBadge } from "./output";
import type { useSaving } from "./saving";
import type { useKnown } from "./state";

interface TopProps {
  state: ReturnType<typeof useKnown>;
  saving: ReturnType<typeof useSaving>;
  doc: ReturnType<typeof useDocument>;
  mayEdit: boolean;
  mayRun: boolean;
  view: string;
  params: string[];
  onUrl: (change: Record<string, string>) => void;
  onRunAll: () => void;
  onStop: () => void;
  onInsert: () => void;
  onHistory: () => void;
}

/** What notebook this is, whether it is saved, and what can be done with all of it. */
export function Top({ state, saving, doc, mayEdit, mayRun, view, params, onUrl, onRunAll, onStop, onInsert, onHistory }: TopProps) {
  const { t, i18n } = useTranslation();
  const { known, job } = state;
  const running = job?.state === "running";
  const stale = [...state.cells.values()].filter((c) => c.paid && ["stale", "partial", "blocked", "error"].includes(c.state)).length;
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
            {known.read_only ? (
              <Badge tone="accent">
                <Icon name="pin" size={11} /> {t("notebook.sealed")}
              </Badge>
            ) : (
              <SaveState saving={saving} mayEdit={mayEdit} />
            )}
            {known.verdict && <VerdictBadge verdict={known.verdict} />}
            {known.offline && <OfflineBadge />}
            {known.problems.length > 0 && (
              <Badge tone="worse">
                <Icon name="warning" size={11} /> {t("notebook.problems", { count: known.problems.length })}
              </Badge>
            )}
            <span className="soft small">{t("notebook.keysHint")}</span>
          </>
        }
        actions={
          <>
            {running ? (
              <Button color="red" variant="light" leftSection={<Icon name="stop" size={12} />} onClick={onStop} disabled={!mayRun}>
                {t("notebook.stop")}
              </Button>
            ) : (
              mayRun && (
                <Button
                  variant={stale > 0 ? "filled" : "default"}
                  leftSection={<Icon name="play" size={12} />}
                  onClick={onRunAll}
                  disabled={known.problems.length > 0}
                >
                  {stale > 0 ? t("notebook.runStale", { count: stale }) : t("notebook.runAll")}
                </Button>
              )
            )}
            {mayEdit && view !== "text" && (
              <Button variant="default" leftSection={<Icon name="add" size={13} />} onClick={onInsert}>
                {t("notebook.insert")}
              </Button>
            )}
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
            <ViewSwitch view={view} onUrl={onUrl} />
            <NotebookMenu {...{ known, params, mayEdit, onHistory }} />
          </>
        }
      />
      {job && <JobLine job={job} />}
      {saving.error || state.error ? <ProblemLine error={saving.error ?? state.error} /> : null}
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

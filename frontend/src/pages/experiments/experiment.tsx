import { Button, SegmentedControl } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import type { ExperimentDetail } from "../../api/types_experiments";
import { usePathPart, useUrlState } from "../../app/url";
import { Badge, OfflineBadge } from "../../parts/badges";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { toolsText } from "../../parts/runwords";
import { experimentCells } from "../../parts/sentcells";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { Editor } from "./editor";
import css from "./experiments.module.css";
import { Overview } from "./overview";
import { Revisions } from "./revisions";
import { StartDialog } from "./start";

/** One experiment: what it is, its runs, its revisions; editing makes the next revision. */
export default function ExperimentPage() {
  const name = usePathPart("experiment");
  const query = useGet<ExperimentDetail>(`/experiments/${encodeURIComponent(name)}`);
  return (
    <Await page query={query}>
      {(e) => <Shown key={`${e.name} ${e.revision}`} e={e} />}
    </Await>
  );
}

function Shown({ e }: { e: ExperimentDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [url, setUrl] = useUrlState(["view"]);
  const views = ["overview", ...(useMay("edit") ? ["edit"] : []), "file", "revisions"];
  const view = views.includes(url.view) ? url.view : "overview";
  return (
    <>
      <PageHead
        title={e.name}
        name={e.name}
        above={<PageLink to="/experiments">{t("nav.experiments")}</PageLink>}
        below={
          <>
            <span className="soft">{t("experiments.revisionAt", { n: e.revision, at: format.moment(e.created_at) })}</span>
            {e.tools?.length ? (
              <span className="soft">{t("run.scoresOf", { tools: toolsText(t, e.tools) })}</span>
            ) : (
              e.definition.judge.provider === "offline" && <OfflineBadge />
            )}
            {e.archived && <Badge>{t("experiments.archived")}</Badge>}
            {(e.definition.tags ?? []).map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </>
        }
        actions={<Actions e={e} />}
      />
      <div className="stack">
        <SegmentedControl
          size="xs"
          className={`${css.kinds} no-print`}
          aria-label={t("experiments.view")}
          value={view}
          onChange={(v) => setUrl({ view: v === "overview" ? "" : v })}
          data={views.map((value) => ({ value, label: t(`experiments.views.${value}`) }))}
        />
        {view === "overview" && <Overview e={e} />}
        {view === "edit" && (
          <Editor
            definition={e.definition}
            yaml={e.yaml}
            fixed={e.name}
            onSaved={() => setUrl({ view: "" })}
            onClose={() => setUrl({ view: "" })}
          />
        )}
        {view === "file" && <pre className={css.file}>{e.yaml}</pre>}
        {view === "revisions" && <Revisions e={e} />}
      </div>
    </>
  );
}

function Actions({ e }: { e: ExperimentDetail }) {
  const { t } = useTranslation();
  const router = useRouter();
  const mayEdit = useMay("edit");
  const mayRun = useMay("run");
  const [asked, setAsked] = useState<"" | "start" | "archive">("");
  return (
    <>
      {mayRun && !e.archived && (
        <Button leftSection={<Icon name="play" size={12} />} onClick={() => setAsked("start")}>
          {(e.definition.sweep ?? []).length > 0 ? t("experiments.startSweep") : t("experiments.startRun")}
        </Button>
      )}
      {mayRun && !e.archived && (
        <Button
          variant="default"
          leftSection={<Icon name="schedules" size={14} />}
          onClick={() => router.history.push(`/schedules?new=1&experiment=${encodeURIComponent(e.name)}`)}
        >
          {t("schedules.schedule")}
        </Button>
      )}
      {mayEdit && (
        <>
          <Button
            variant="default"
            leftSection={<Icon name="copy" size={14} />}
            onClick={() => router.history.push(`/experiments?new=1&from=${encodeURIComponent(e.name)}`)}
          >
            {t("experiments.clone")}
          </Button>
          <SendToNotebook cells={experimentCells(e.definition)} />
          <Button variant="default" onClick={() => setAsked("archive")}>
            {e.archived ? t("experiments.unarchive") : t("experiments.archive")}
          </Button>
        </>
      )}
      {asked === "start" && <StartDialog experiment={e} onClose={() => setAsked("")} />}
      {asked === "archive" && <Archive e={e} onClose={() => setAsked("")} />}
    </>
  );
}

function Archive({ e, onClose }: { e: ExperimentDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const archive = useMutation({
    mutationFn: () => send("POST", `/experiments/${encodeURIComponent(e.name)}/archive`, { archived: !e.archived }),
    onSuccess: async () => {
      await client.invalidateQueries();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={e.archived ? t("experiments.unarchiveAsk", { name: e.name }) : t("experiments.archiveAsk", { name: e.name })}
      action={e.archived ? t("experiments.unarchive") : t("experiments.archive")}
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate()}
      onClose={onClose}
    >
      {e.archived ? t("experiments.unarchiveMeans") : t("experiments.archiveMeans")}
    </ConfirmDialog>
  );
}

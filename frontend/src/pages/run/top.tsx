import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import type { RunDetail } from "../../api/types";
import { said } from "../../api/types_notebook";
import { formatSearch } from "../../app/url";
import { Badge, OfflineBadge, RecordedBadge, StateBadge } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { ReportMenu } from "../../parts/reportmenu";
import { paramsText, refText, toolsText } from "../../parts/runwords";
import { NoteText, Tags } from "../../parts/runnotes";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { ShareButton } from "../../parts/sharebutton";
import { CopyLink } from "../../parts/tools";
import { useUndo } from "../../parts/undo";
import { useWords } from "../../parts/words";
import { RunActions } from "./actions";
import css from "./run.module.css";

/** What people wrote beside the run, with its name before it. */
function Written({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="row" style={{ gap: 6, flexWrap: "nowrap", minWidth: 0 }}>
      <span className="soft small">{name}</span>
      {children}
    </div>
  );
}

/** What run this is, what it measured, and what can be done with it. */
export function RunTop({ detail, baseline }: { detail: RunDetail; baseline: string }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const router = useRouter();
  const { row } = detail;
  const words = useWords();
  const { bar, doUndoably } = useUndo();
  const mayWrite = useMay("edit");
  return (
    <PageHead
      name={row.experiment}
      above={
        <>
          <PageLink to="/runs">{t("nav.runs")}</PageLink>
          {row.sweep_id && (
            <>
              {" › "}
              <PageLink to={`/sweeps/${row.sweep_id}`}>{t("run.sweep")}</PageLink>
            </>
          )}
          {" › "}
          <span className="mono">{row.run_id}</span>
        </>
      }
      title={
        <>
          {row.experiment} <span className={`soft small ${css.params}`}>{paramsText(row.params, words)}</span>
        </>
      }
      below={
        <>
          <StateBadge state={row.state} />
          {row.baseline && (
            <Badge tone="accent">
              <Icon name="pin" size={11} /> {t("runs.baseline")}
            </Badge>
          )}
          {row.offline && <OfflineBadge whole />}
          <RecordedBadge by={detail.recorded} />
          {detail.scored_here && <span className="small">{said(detail.scored_here, i18n.language)}</span>}
          <span className="soft small">
            {t("run.dataset")} <PageLink to={`/datasets/${encodeURIComponent(row.dataset.name)}`}>{refText(row.dataset)}</PageLink>
          </span>
          {row.state === "finished" && row.kind === "evaluate" && (
            <PageLink className="small" to={`/agreements/${encodeURIComponent(row.dataset.name)}`} search={{ run: row.run_id }}>
              {t("agreement.ofRun")}
            </PageLink>
          )}
          {row.corpus.name && (
            <span className="soft small">
              {t("run.corpus")} <PageLink to={`/corpora/${encodeURIComponent(row.corpus.name)}`}>{refText(row.corpus)}</PageLink>
            </span>
          )}
          <span className="soft small">
            {row.tools?.length ? t("run.scoresOf", { tools: toolsText(t, row.tools) }) : `${t("run.judge")} ${row.judge}`}
          </span>
          <span className="soft small">{format.moment(row.finished_at ?? row.started_at ?? row.created_at)}</span>
          {(mayWrite || row.tags) && (
            <Written name={t("notes.tags")}>
              <Tags run={row} doUndoably={doUndoably} onTag={(tag) => router.history.push(`/runs${formatSearch({ tag })}`)} />
            </Written>
          )}
          {(mayWrite || row.note) && (
            <Written name={t("notes.note")}>
              <NoteText run={row} doUndoably={doUndoably} whole />
            </Written>
          )}
          {bar}
        </>
      }
      actions={
        <>
          <RunActions run={row} baseline={baseline} />
          {row.state === "finished" && row.kind === "evaluate" && <ReportMenu candidate={row.run_id} />}
          {row.state === "finished" && row.kind === "evaluate" && <ShareButton page={{ kind: "run", candidate: row.run_id }} />}
          {row.state === "finished" && row.kind === "evaluate" && (
            <SendToNotebook
              cells={["failures", "report", "cause", "agreement"].map((type) => ({ type, body: `of: run:${row.run_id}\n` }))}
            />
          )}
          <CopyLink />
        </>
      }
    />
  );
}

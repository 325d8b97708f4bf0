import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../api/types";
import { Badge, OfflineBadge, StateBadge } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { ReportMenu } from "../../parts/reportmenu";
import { paramsText, refText } from "../../parts/runwords";
import { SendToNotebook } from "../../parts/sendtonotebook";
import { ShareButton } from "../../parts/sharebutton";
import { CopyLink } from "../../parts/tools";
import { RunActions } from "./actions";
import css from "./run.module.css";

/** What run this is, what it measured, and what can be done with it. */
export function RunTop({ detail, baseline }: { detail: RunDetail; baseline: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { row } = detail;
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
          {row.experiment} <span className={`soft small ${css.params}`}>{paramsText(row.params)}</span>
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
          {row.offline && <OfflineBadge />}
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
            {t("run.judge")} {row.judge}
          </span>
          <span className="soft small">{format.moment(row.finished_at ?? row.started_at ?? row.created_at)}</span>
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

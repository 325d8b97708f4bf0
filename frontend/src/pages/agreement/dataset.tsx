import { Button, NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { ApiProblem } from "../../api/problem";
import { useGet, useList } from "../../api/queries";
import type { RunRow } from "../../api/types";
import type { Agreement, AgreementView, Standing } from "../../api/types_agreement";
import { usePathPart, useUrlState } from "../../app/url";
import { Badge } from "../../parts/badges";
import { Await, Empty, Loading } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { Card, PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { runTitle } from "../../parts/runwords";
import { CopyLink } from "../../parts/tools";
import { Editor } from "./editor";
import { History } from "./history";
import { ImportReviews } from "./import";
import { Reviews } from "./reviews";
import { StandingCards } from "./standing";

/** What was agreed about one dataset, where a run stands against it, and what people say about its answers. */
export default function AgreementPage() {
  const dataset = usePathPart("dataset");
  const view = useGet<AgreementView>(`/datasets/${encodeURIComponent(dataset)}/agreement`);
  return (
    <Await page query={view}>
      {(v) => <Agreed key={v.dataset} view={v} />}
    </Await>
  );
}

function Agreed({ view }: { view: AgreementView }) {
  const { t } = useTranslation();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["run", "edit", "import"]);
  const above = (
    <>
      <PageLink to="/agreements">{t("nav.agreements")}</PageLink>
      {" › "}
      <PageLink to={`/agreements/${encodeURIComponent(view.dataset)}`}>{view.dataset}</PageLink>
    </>
  );
  const standing = useGet<Standing>(`/datasets/${encodeURIComponent(view.dataset)}/agreement/progress`, { run: url.run });
  if (url.import && may) return <ImportReviews above={above} onClose={() => setUrl({ import: "" })} />;
  if (url.edit && may && standing.isPending) return <Loading />;
  if (url.edit && may)
    return <Editor view={view} run={standing.data?.run.run_id ?? ""} above={above} onClose={() => setUrl({ edit: "" })} />;
  const edit = may && (
    <Button leftSection={<Icon name={view.newest ? "edit" : "add"} size={14} />} onClick={() => setUrl({ edit: "1" }, { push: true })}>
      {view.newest ? t("agreement.edit") : t("agreement.start")}
    </Button>
  );
  return (
    <>
      <PageHead
        name={t("agreement.titleOf", { name: view.dataset })}
        title={t("agreement.titleOf", { name: view.dataset })}
        above={<PageLink to="/agreements">{t("nav.agreements")}</PageLink>}
        below={view.newest && <Signed a={view.newest} />}
        actions={
          <>
            {view.newest && edit}
            {may && (
              <Button variant="default" leftSection={<Icon name="up" size={14} />} onClick={() => setUrl({ import: "1" }, { push: true })}>
                {t("agreement.importReviews")}
              </Button>
            )}
            <CopyLink />
          </>
        }
      />
      <div className="stack">
        {!view.newest && (
          <Card>
            <Empty title={t("agreement.noneAbout")} next={t("agreement.noneNext")} action={edit} />
          </Card>
        )}
        {standing.error instanceof ApiProblem && standing.error.code === "run_unknown" && !url.run ? (
          view.newest && <WithoutRun a={view.newest} />
        ) : (
          <Await query={standing}>
            {(s) => (
              <>
                {(view.newest || s.progress.targets.length > 0) && (
                  <StandingCards
                    standing={s}
                    agreed={view.newest !== undefined}
                    runs={<RunChooser dataset={view.dataset} chosen={url.run} onChoose={(run) => setUrl({ run })} />}
                  />
                )}
                <Reviews run={s.run.run_id} onImport={may ? () => setUrl({ import: "1" }, { push: true }) : undefined} />
              </>
            )}
          </Await>
        )}
        {view.history.length > 0 && <History history={view.history} />}
      </div>
    </>
  );
}

/** The threshold, and who agreed when, on which run. */
function Signed({ a }: { a: Agreement }) {
  const { t } = useTranslation();
  return (
    <>
      <Badge tone="accent">{t("agreement.thresholdIs", { n: a.low_score })}</Badge>
      <span className="soft small">{t("agreement.signed", { names: a.agreed_by.join(t("agreement.joint")), date: a.agreed_on })}</span>
      {a.run_id && (
        <span className="soft small">
          {t("agreement.onRun")}{" "}
          <PageLink className="mono" to={`/runs/${a.run_id}`}>
            {a.run_id}
          </PageLink>
        </span>
      )}
      <span className="soft small">{t("agreement.versionNo", { n: a.version })}</span>
    </>
  );
}

/** The runs that can be set beside the agreement. */
function RunChooser({ dataset, chosen, onChoose }: { dataset: string; chosen: string; onChoose: (run: string) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const runs = useList<RunRow>("/runs", { dataset, kind: "evaluate", state: "finished" }, 100).rows.filter((r) => !r.parent_id);
  const known = runs.some((r) => r.run_id === chosen);
  return (
    <NativeSelect
      size="xs"
      w={460}
      maw="calc(100vw - 60px)"
      aria-label={t("agreement.chooseRun")}
      value={chosen}
      data={[
        { value: "", label: t("agreement.newestRun") },
        ...(chosen && !known ? [{ value: chosen, label: chosen }] : []),
        ...runs.map((r) => ({ value: r.run_id, label: `${runTitle(r)} · ${format.brief(r.created_at)} · ${r.run_id}` })),
      ]}
      onChange={(e) => onChoose(e.currentTarget.value)}
    />
  );
}

/** What was agreed where no run can be measured yet. */
function WithoutRun({ a }: { a: Agreement }) {
  const { t } = useTranslation();
  return (
    <Card title={t("agreement.progress")}>
      <Empty
        title={t("agreement.noRun")}
        next={t("agreement.noRunNext", { targets: a.targets?.length ?? 0, items: a.items?.length ?? 0 })}
        command="workbench run EXPERIMENT"
      />
    </Card>
  );
}

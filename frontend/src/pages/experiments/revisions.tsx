import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { RunDetail } from "../../api/types";
import type { ExperimentDetail, Revision } from "../../api/types_experiments";
import { useUrlState } from "../../app/url";
import { Await } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import css from "./experiments.module.css";
import { differences, frozenBy } from "./form";

/** The revisions of an experiment, and what two of them differ in: they froze it when they ran. */
export function Revisions({ e }: { e: ExperimentDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [url, setUrl] = useUrlState(["before", "after"]);
  const withRuns = e.revisions.filter((r) => r.last_run);
  const of = (n: string, otherwise: Revision | undefined) => withRuns.find((r) => String(r.revision) === n) ?? otherwise;
  const after = of(url.after, withRuns[0]);
  const before = of(url.before, withRuns[1]);
  const choices = withRuns.map((r) => ({ value: String(r.revision), label: t("experiments.revision", { n: r.revision }) }));
  return (
    <div className={css.two}>
      <Card title={t("experiments.differences")}>
        {before?.last_run && after?.last_run ? (
          <div className="stack">
            <div className="row">
              <NativeSelect
                size="xs"
                aria-label={t("words.before")}
                data={choices}
                value={String(before.revision)}
                onChange={(ev) => setUrl({ before: ev.currentTarget.value })}
              />
              <span aria-hidden="true">→</span>
              <NativeSelect
                size="xs"
                aria-label={t("words.after")}
                data={choices}
                value={String(after.revision)}
                onChange={(ev) => setUrl({ after: ev.currentTarget.value })}
              />
            </div>
            <Difference before={before.last_run} after={after.last_run} />
          </div>
        ) : (
          <p className="soft">{t("experiments.oneRevision")}</p>
        )}
      </Card>
      <Card title={t("experiments.revisions")}>
        <table className={css.plan} aria-label={t("experiments.revisions")}>
          <thead>
            <tr>
              <th scope="col">{t("experiments.revisionWord")}</th>
              <th scope="col">{t("experiments.lastRun")}</th>
            </tr>
          </thead>
          <tbody>
            {e.revisions.map((r) => (
              <tr key={r.revision}>
                <td>{t("experiments.revision", { n: r.revision })}</td>
                <td>
                  {r.last_run ? (
                    <PageLink to={r.sweep ? `/sweeps/${r.sweep}` : `/runs/${r.last_run}`}>{format.moment(r.at)}</PageLink>
                  ) : (
                    <span className="soft">{t("experiments.neverRun")}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </div>
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  return <Frozen run={before}>{(b) => <Frozen run={after}>{(a) => <Fields before={b} after={a} />}</Frozen>}</Frozen>;
}

/** Reads what a run froze; of a run that belongs to a sweep also what the sweep varied. */
function Frozen({ run, children }: { run: string; children: (frozen: object) => ReactNode }) {
  const detail = useGet<RunDetail>(`/runs/${run}`);
  const sweep = detail.data?.row.sweep_id;
  const parent = useGet<RunDetail>(sweep ? `/runs/${sweep}` : null);
  return (
    <Await query={detail}>
      {(d) =>
        sweep ? (
          <Await query={parent}>{(p) => children(frozenBy(d, p.row.params))}</Await>
        ) : (
          children(frozenBy(d, d.row.kind === "sweep" ? d.row.params : undefined))
        )
      }
    </Await>
  );
}

function Fields({ before, after }: { before: object; after: object }) {
  const { t } = useTranslation();
  const changes = differences(before, after);
  if (changes.length === 0) return <p className="soft">{t("experiments.noDifference")}</p>;
  return (
    <table className={css.diff} aria-label={t("experiments.differences")}>
      <thead>
        <tr>
          <th scope="col">{t("experiments.field")}</th>
          <th scope="col">{t("words.before")}</th>
          <th scope="col">{t("words.after")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((c) => (
          <tr key={c.field}>
            <td className="mono">{c.field}</td>
            <td>{c.before === undefined ? absent : <del>{c.before}</del>}</td>
            <td>{c.after === undefined ? absent : <ins>{c.after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RunRow } from "../../api/types";
import type { ExperimentDetail, ModelName } from "../../api/types_experiments";
import { Mean, StateBadge } from "../../parts/badges";
import { absent, useFormat } from "../../parts/format";
import { Card, Facts } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { toolsText } from "../../parts/runwords";
import { useWords, type Words } from "../../parts/words";
import css from "./experiments.module.css";
import { combinationCount, lowOf, topRuns, writeValues } from "./form";

/** What the experiment is, and its latest runs. */
export function Overview({ e }: { e: ExperimentDetail }) {
  const { t } = useTranslation();
  const words = useWords();
  const d = e.definition;
  return (
    <div className={css.two}>
      <Card title={t("nav.runs")}>
        <Runs runs={e.runs} />
      </Card>
      <div className="stack">
        <Card title={t("experiments.what")}>
          <Facts facts={facts(e, t, words)} />
        </Card>
        {(d.sweep ?? []).length > 0 && (
          <Card
            title={t("experiments.sweepTitle")}
            aside={<span className="soft">{t("experiments.combinations", { count: combinationCount(d.sweep ?? []) })}</span>}
          >
            <Facts facts={(d.sweep ?? []).map((a) => [a.name, writeValues(a.values)])} />
          </Card>
        )}
        {d.notes && (
          <Card title={t("experiments.notes")}>
            <p className="text">{d.notes}</p>
          </Card>
        )}
      </div>
    </div>
  );
}

const named = (m: ModelName) => `${m.provider}/${m.model}`;

function facts(e: ExperimentDetail, t: TFunction, words: Words): [string, ReactNode][] {
  const d = e.definition;
  const b = d.base;
  const dataset = <PageLink to={`/datasets/${encodeURIComponent(d.dataset)}`}>{d.dataset}</PageLink>;
  const corpus = d.corpus && <PageLink to={`/corpora/${encodeURIComponent(d.corpus)}`}>{d.corpus}</PageLink>;
  const out: [string, ReactNode][] = [[t("experiments.dataset"), dataset]];
  if (corpus) out.push([t("experiments.corpus"), corpus]);
  if (d.endpoint) out.push([t("experiments.systems.endpoint"), d.endpoint]);
  else if (d.answers) out.push([t("experiments.systems.answers"), d.answers]);
  else {
    out.push(
      [t("experiments.chunk"), `${b.chunk.size} ${words.chunkUnit(b.chunk.by)} · ${words.param("chunk.overlap")} ${b.chunk.overlap}`],
      [words.param("retrieve.mode"), words.value("retrieve.mode", b.retrieve.mode)],
      [words.param("retrieve.k"), String(b.retrieve.k)],
    );
    if (b.retrieve.mode !== "bm25") out.push([words.param("embedding.model"), named(b.embedding)]);
    if (b.rewrite.mode !== "none") out.push([words.param("rewrite"), words.value("rewrite", b.rewrite.mode)]);
    if (b.rerank.mode !== "none") out.push([words.param("rerank"), words.value("rerank", b.rerank.mode)]);
    out.push([words.param("generate.model"), named(b.generate)]);
    if ((b.post_process ?? []).length > 0)
      out.push([words.param("post_process"), (b.post_process ?? []).map((p) => words.value("post_process", p)).join(", ")]);
  }
  out.push(
    [t("experiments.suite"), d.suite.join(", ")],
    e.tools?.length
      ? [t("experiments.scores"), toolsText(t, e.tools)]
      : [
          t("experiments.judge"),
          <PageLink key="judge" to="/judge-cards" search={{ judge: named(d.judge) }}>
            {named(d.judge)}
          </PageLink>,
        ],
    [t("experiments.lowScore"), t("experiments.atMost", { n: d.low_score })],
  );
  return out;
}

/** The runs of an experiment; a sweep is one line, with the figures of its best configuration. */
function Runs({ runs }: { runs: RunRow[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = useWords();
  if (runs.length === 0) return <p className="soft">{t("experiments.noRuns")}</p>;
  return (
    <table className={css.plan} aria-label={t("nav.runs")}>
      <thead>
        <tr>
          <th scope="col">{t("experiments.started")}</th>
          <th scope="col">{t("experiments.state")}</th>
          <th scope="col">{t("experiments.lowScores")}</th>
          <th scope="col">{words.metric("correctness")}</th>
          <th scope="col">{words.metric("trust")}</th>
        </tr>
      </thead>
      <tbody>
        {topRuns(runs).map(({ run: r, best }) => (
          <tr key={r.run_id}>
            <td>
              <PageLink to={r.kind === "sweep" ? `/sweeps/${r.run_id}` : `/runs/${r.run_id}`}>{format.brief(r.created_at)}</PageLink>
              <div className="soft small">
                {t("experiments.revisionShort", { n: r.revision })} {r.kind === "sweep" && t("experiments.sweepRun")}{" "}
                {best && t("experiments.bestOf")}
              </div>
            </td>
            <td>
              <StateBadge state={r.state} />
            </td>
            <Figures run={best ?? r} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Figures({ run }: { run: RunRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { totals } = run;
  if (!totals || run.kind === "sweep") {
    return (
      <>
        <td>{absent}</td>
        <td>{absent}</td>
        <td>{absent}</td>
      </>
    );
  }
  const low = lowOf(totals);
  return (
    <>
      <td>{low ? t("experiments.of", { low: format.count(low.low), of: format.count(low.of) }) : absent}</td>
      <td>
        <Mean mean={totals.scores.correctness?.mean} n={totals.scores.correctness?.n} />
      </td>
      <td>
        <Mean mean={totals.scores.trust?.mean} n={totals.scores.trust?.n} />
      </td>
    </>
  );
}

import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { BesideView } from "../../api/types";
import { absent, decimalsBeside, useFormat } from "../../parts/format";
import { LabelBadge, labels } from "../../parts/labelbadge";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import css from "./beside.module.css";

/** The figures of every run in a column of its own, the baseline first, and what many comparisons do to chance. */
export function Figures({ view }: { view: BesideView }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const first = view.runs[0];
  const line = (key: string, name: ReactNode, before: ReactNode, of: (run: BesideView["runs"][number]) => ReactNode) => (
    <tr key={key}>
      <th scope="row">{name}</th>
      <td>{before}</td>
      {view.runs.map((r) => (
        <td key={r.run.run_id}>{of(r)}</td>
      ))}
    </tr>
  );
  const low = (n: number, rated: number) => (rated > 0 ? `${n} / ${rated}` : t("runs.lowUntold"));
  const parameter = (run: string, name: string) => view.parameters.runs[run]?.[name] ?? absent;
  return (
    <Card title={t("beside.runs")}>
      <p className={css.words}>{i18n.language === "ja" ? view.words.ja : view.words.en}</p>
      {view.runs.flatMap(({ run, warnings }) =>
        (warnings ?? []).map((w) => (
          <p key={`${run.run_id} ${w.code}`} className={css.words} data-said={w.code}>
            <span className="mono">{run.run_id}</span>: {i18n.language === "ja" ? w.message_ja : w.message}
          </p>
        )),
      )}
      <div className={css.scroll} tabIndex={0} role="group" aria-label={t("beside.runs")}>
        <table className={css.figures} aria-label={t("beside.runs")}>
          <thead>
            <tr>
              <td />
              <th scope="col">
                <span className="soft small">{t("runs.baseline")}</span>
                <PageLink to={`/runs/${view.baseline.run_id}`}>{view.baseline.experiment}</PageLink>
                <span className="mono soft small">{view.baseline.run_id}</span>
              </th>
              {view.runs.map(({ run }) => (
                <th key={run.run_id} scope="col">
                  <PageLink to="/compare" search={{ baseline: view.baseline.run_id, candidate: run.run_id }} className="small">
                    {t("runs.compare")}
                  </PageLink>
                  <PageLink to={`/runs/${run.run_id}`}>{run.experiment}</PageLink>
                  <span className="mono soft small">{run.run_id}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {line("low", t("runs.low"), first ? low(first.low_before, first.rated_before) : absent, (r) => low(r.low_after, r.rated_after))}
            {view.metrics.map((id) => {
              // one baseline stands beside them all
              const decimals = view.runs.reduce((n, r) => decimalsBeside(r.changes[id]?.baseline, r.changes[id]?.candidate, n), 2);
              const baseline = first?.changes[id]?.baseline;
              return line(id, words.metric(id), format.beside(baseline, baseline, decimals).before, (r) => {
                const change = r.changes[id];
                if (!change) return absent;
                const shown = format.beside(change.baseline, change.candidate, decimals);
                return (
                  <>
                    {shown.after} <strong>{shown.difference}</strong>
                    {change.ci && (
                      <span className="soft small">
                        {" "}
                        {t("beside.interval", { low: format.signed(change.ci[0] ?? 0), high: format.signed(change.ci[1] ?? 0) })}
                      </span>
                    )}
                  </>
                );
              });
            })}
            {labels.map((label) => line(label, <LabelBadge label={label} />, "", (r) => format.count(r.labels[label])))}
            {view.parameters.differing.map((name) =>
              line(name, <span className="mono small">{name}</span>, parameter(view.baseline.run_id, name), (r) =>
                parameter(r.run.run_id, name),
              ),
            )}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

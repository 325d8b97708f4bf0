import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { ImportedResults } from "../../api/types_sheets";
import { LowerIsBetter } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { refText, toolsText } from "../../parts/runwords";

/** The tools whose results are read, by their names in the API. */
export const tools: [value: string, name: string][] = [
  ["ragas", "Ragas"],
  ["deepeval", "DeepEval"],
  ["promptfoo", "promptfoo"],
  ["ragchecker", "RAGChecker"],
  ["mlflow", "MLflow"],
  ["langfuse", "Langfuse"],
  ["otel", "OpenTelemetry"],
  ["phoenix", "Phoenix"],
  ["langsmith", "LangSmith"],
  ["mlflow-traces", "MLflow traces"],
  ["table", "table"],
];

/** What an import stored, where it is, and what has to be known about it. */
export function Stored({ results: r }: { results: ImportedResults }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const notes = i18n.language === "ja" ? r.notes_ja : r.notes;
  const dataset = refText(r.dataset);
  return (
    <Card title={t("results.stored")}>
      <div className="stack" role="status">
        <p>
          {r.created ? t("results.done", { count: r.answers, tool: toolName(t, r.tool) }) : t("results.same")}{" "}
          {!r.run_id && t("results.noRun")}
        </p>
        <div className="row">
          {r.run_id && <PageLink to={`/runs/${r.run_id}`}>{t("results.openRun")}</PageLink>}
          <PageLink to={`/datasets/${encodeURIComponent(dataset)}`}>
            {t(r.new_dataset ? "results.newDataset" : "results.knownDataset", { name: dataset })}
          </PageLink>
          <PageLink to={`/experiments/${encodeURIComponent(r.experiment)}`}>{t("results.experiment", { name: r.experiment })}</PageLink>
        </div>
        {r.metrics.length > 0 && (
          <ul style={{ margin: 0 }}>
            {r.metrics.map((m) => (
              <li key={m.id}>
                <strong className="mono">{m.id}</strong> {t("results.scored", { count: m.scored })}
                {m.missing > 0 && t("results.missing", { n: format.count(m.missing) })} {m.lower_is_better && <LowerIsBetter />}
              </li>
            ))}
          </ul>
        )}
        {r.low && <p>{t("results.lowIs", { line: r.low.join(" / ") })}</p>}
        {r.low_untold && <p>{t("results.lowUntold")}</p>}
        {r.missing.length > 0 && <p>{t("results.unanswered", { count: r.missing.length, ids: r.missing.slice(0, 5).join(", ") })}</p>}
        {notes.length > 0 && (
          <section>
            <h3>{t("results.notes")}</h3>
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Card>
  );
}

/** A tool as it writes itself; a table that shows no tool's marks is called so. */
export function toolName(t: TFunction, tool: string): string {
  return toolsText(t, [tools.find(([value]) => value === tool)?.[1] ?? tool]);
}

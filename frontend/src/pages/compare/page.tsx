import { useUrlState } from "../../app/url";
import { useGet } from "../../api/queries";
import type { ComparisonView } from "../../api/types";
import { Await } from "../../parts/faces";
import { gateLimits } from "../../parts/gatedialog";
import { LabelCounts } from "../../parts/labelbadge";
import { CauseTable } from "./causetable";
import { ChoosePair } from "./choose";
import { Configuration } from "./configuration";
import { MetricTable } from "./metrics";
import { changeFilters, Changes } from "./changes";
import { FindingsCards } from "./findings";
import { Movement } from "./movement";
import { CompareTop, Sentences } from "./top";
import { Unmatched } from "./unmatched";
import css from "./compare.module.css";

/** Two runs compared: what changed in three sentences, where in two charts, and every worse answer with why. */
export default function ComparePage() {
  const [url, setUrl] = useUrlState(["baseline", "candidate", "sort", "question", ...gateLimits, ...changeFilters]);
  const pair = { baseline: url.baseline, candidate: url.candidate };
  const comparison = useGet<ComparisonView>(pair.candidate ? "/comparisons" : null, {
    ...pair,
    min: url.min,
    margin: url.margin,
    allowance: url.allowance,
  });
  const unpaired = !pair.baseline && comparison.isError; // no baseline is pinned
  if (!pair.candidate || unpaired) return <ChoosePair key={pair.candidate} given={pair} onChoose={(p) => setUrl(p, { push: true })} />;

  return (
    <Await page query={comparison} rows={12}>
      {(c) => {
        const label = labelShown(c, url);
        return (
          <>
            <CompareTop
              comparison={c}
              onSwap={() => setUrl({ baseline: c.candidate.run_id, candidate: c.baseline.run_id, question: "" })}
              onOther={() => setUrl({ candidate: "", question: "" })}
            />
            <Sentences comparison={c} />
            <LabelCounts
              counts={c.labels}
              chosen={label}
              onChoose={(chosen) => setUrl({ label: chosen || "all", match: "", question: "" })}
            />
            <Unmatched comparison={c} chosen={url.match} onChoose={(match) => setUrl({ match, label: "", metric: "", question: "" })} />
            <Movement comparison={c} />
            <Changes comparison={c} label={label} url={url} setUrl={setUrl} />
            <FindingsCards findings={c.findings} parts={c.parts ?? []} />
            {c.causes && c.causes.changes.length > 0 && <CauseTable causes={c.causes} />}
            <div className={css.below}>
              <MetricTable comparison={c} chosen={url.metric} onChoose={(metric, label) => setUrl({ metric, label, question: "" })} />
              <Configuration comparison={c} />
            </div>
          </>
        );
      }}
    </Await>
  );
}

/** The label whose questions are listed: the worst that there is, until people choose another one, or all. */
function labelShown(c: ComparisonView, url: { label: string; match: string; metric: string; q: string; class: string }): string {
  if (url.label) return url.label === "all" ? "" : url.label;
  if (url.match || url.metric || url.q || url.class) return "";
  if (c.labels.worse > 0) return "worse";
  if (c.labels.mixed > 0) return "mixed";
  return c.labels.needs_check > 0 ? "needs_check" : "";
}

import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ComparisonView } from "../../api/types";
import { useFormat } from "../../parts/format";
import { GateDialog } from "../../parts/gatedialog";
import { Card } from "../../parts/page";
import css from "./compare.module.css";

type Findings = ComparisonView["findings"];
type Text = Findings["headline"];
type Example = NonNullable<Findings["worst"]>[number];

/** Picks the language of a text of the findings. */
function useSaid() {
  const { i18n } = useTranslation();
  return (text: Text) => (i18n.language === "ja" ? text.ja : text.en);
}

/** The answer that people come for, with its reasons, and the result in one line: both from the findings. Where a gate decided, its limits are at hand. */
export function Headline({ comparison: c }: { comparison: ComparisonView }) {
  const said = useSaid();
  const { t } = useTranslation();
  const [limits, setLimits] = useState(false);
  const f = c.findings;
  return (
    <>
      <h2 className={css.headline} data-said="headline">
        {said(f.headline)}
      </h2>
      <dl className={css.release}>
        <dt>{t("compare.found.release")}</dt>
        <dd>
          <span data-said="release">{said(f.release.text)}</span>
          {(f.release.limits.en || f.release.reason.code.startsWith("gate.")) && (
            <>
              {" "}
              <button type="button" className={`${css.limits} no-print`} onClick={() => setLimits(true)}>
                {t("compare.found.limits")}
              </button>
              <GateDialog opened={limits} onClose={() => setLimits(false)} baseline={c.baseline.run_id} candidate={c.candidate.run_id} />
            </>
          )}
        </dd>
      </dl>
    </>
  );
}

/** What the findings say beyond the sentences: examples in full, causes, recommendations, what people corrected, what was not tested. */
export function FindingsCards({ findings: f, parts }: { findings: Findings; parts: ComparisonView["parts"] }) {
  const said = useSaid();
  const worst = f.worst ?? [];
  const best = f.best ?? [];
  const titleOf = (name: string) => {
    const part = parts.find((p) => p.name === name);
    return part ? said(part.title) : "";
  };
  return (
    <div className={css.found} data-findings>
      {worst.length > 0 && <Examples title={titleOf("worst")} list={worst} />}
      {best.length > 0 && <Examples title={titleOf("best")} list={best} />}
      {parts
        .filter((p) => !["release", "worst", "best"].includes(p.name))
        .map((p) => (
          <Card key={p.name} title={said(p.title)}>
            <ul data-said={p.name}>
              {p.lines.map((line, i) => (
                <li key={i}>{said(line)}</li>
              ))}
            </ul>
          </Card>
        ))}
    </div>
  );
}

/** Questions in full: what was asked, what would be right, what was answered before and after, with the scores that decide. */
function Examples({ title, list }: { title: string; list: Example[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = useSaid();
  const grade = (n: number | undefined) => (n === undefined ? "–" : format.score(n));
  return (
    <Card title={title}>
      <div className="stack">
        {list.map((e) => (
          <article key={e.question_id} data-question={e.question_id}>
            <h3>{e.question}</h3>
            <dl className={css.example}>
              {e.reference && (
                <>
                  <dt>{t("compare.found.reference")}</dt>
                  <dd>{e.reference}</dd>
                </>
              )}
              <dt>{t("words.before")}</dt>
              <dd>{e.before ?? t("compare.found.noAnswer")}</dd>
              <dt>{t("words.after")}</dt>
              <dd>{e.after ?? t("compare.found.noAnswer")}</dd>
              {(e.scores ?? []).map((s) => (
                <ScoreLine key={s.metric} name={said(s.title)} value={`${grade(s.before)} → ${grade(s.after)}`} />
              ))}
              {e.votes && <ScoreLine name={t("compare.found.votes")} value={said(e.votes)} />}
              {e.why && <ScoreLine name={t("compare.found.why")} value={said(e.why)} />}
            </dl>
          </article>
        ))}
      </div>
    </Card>
  );
}

function ScoreLine({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

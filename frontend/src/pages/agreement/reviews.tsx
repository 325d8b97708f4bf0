import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { address } from "../../api/client";
import { useGet } from "../../api/queries";
import type { HumanLabel, ReviewsView } from "../../api/types_agreement";
import { formatSearch } from "../../app/url";
import { Badge, ScoreBadge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { Await } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { Card } from "../../parts/page";
import css from "./agreement.module.css";
import { useWords } from "../../parts/words";

/** What people say about the answers of a run, beside its judge. */
export function Reviews({ run, onImport }: { run: string; onImport?: (() => void) | undefined }) {
  const { t, i18n } = useTranslation();
  const query = useGet<ReviewsView>(`/runs/${run}/reviews`);
  const lang = i18n.language === "ja" ? "ja" : "en";
  return (
    <Card title={t("agreement.reviews")}>
      <Await query={query} rows={2}>
        {(v) =>
          v.figures.reviews === 0 ? (
            <div className="stack">
              <p className="soft">{t("agreement.noReviews")}</p>
              <div className="row">
                <Button
                  component="a"
                  variant="default"
                  href={address("/comparisons/report.xlsx", { candidate: run, lang })}
                  download
                  leftSection={<Icon name="download" size={14} />}
                >
                  {t("agreement.workbook")}
                </Button>
                {onImport && (
                  <Button variant="default" leftSection={<Icon name="up" size={14} />} onClick={onImport}>
                    {t("agreement.importReviews")}
                  </Button>
                )}
              </div>
            </div>
          ) : (
            <Figures run={run} view={v} />
          )
        }
      </Await>
    </Card>
  );
}

function Figures({ run, view }: { run: string; view: ReviewsView }) {
  const { t } = useTranslation();
  const router = useRouter();
  const columns = useLabelColumns();
  const f = view.figures;
  return (
    <div className="stack">
      <p className="soft small">
        {t("agreement.reviewed", { n: f.labels.length, of: f.answers, names: f.reviewers.join(t("agreement.joint")) })}{" "}
        {f.stale > 0 && t("agreement.stale", { n: f.stale })}
      </p>
      <div className={css.two}>
        <Raters view={view} />
        <Corrected view={view} />
      </div>
      <DataTable
        label={t("agreement.reviews")}
        columns={columns}
        rows={f.labels}
        rowKey={(l) => l.question_id}
        total={f.labels.length}
        onOpen={(l) => router.history.push(`/runs/${run}${formatSearch({ question: l.question_id })}`)}
        rowHeight={38}
        height="min(50vh, 480px)"
      />
    </div>
  );
}

/** How far people agree with the judge and among each other. */
function Raters({ view }: { view: ReviewsView }) {
  const { t } = useTranslation();
  const of = useJudged();
  const format = useFormat();
  const rows = [...view.figures.judge.map((r) => ({ ...r, who: "judge" })), ...view.figures.people.map((r) => ({ ...r, who: "people" }))];
  return (
    <section>
      <h3>{t("agreement.agreementOf")}</h3>
      <table className={css.table} aria-label={t("agreement.agreementOf")}>
        <thead>
          <tr>
            <th scope="col">{t("agreement.between")}</th>
            <th scope="col">{t("agreement.on")}</th>
            <th scope="col" className={css.right}>
              {t("compare.n")}
            </th>
            <th scope="col" className={css.right}>
              {t("agreement.equal")}
            </th>
            <th scope="col" className={css.right}>
              {t("agreement.kappa")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={`${r.who} ${r.of}`}>
              <td>{t(`agreement.raters.${r.who}`)}</td>
              <td>{of(r.of)}</td>
              <td className={css.right}>{r.n}</td>
              <td className={css.right}>{format.share(r.percent_agreement)}</td>
              <td className={css.right}>
                {r.kappa === undefined && r.alpha !== undefined ? `α ${format.mean(r.alpha)}` : format.mean(r.kappa)}{" "}
                {r.ci95 && (
                  <span className="soft small">{t("compare.ci", { low: format.mean(r.ci95.low), high: format.mean(r.ci95.high) })}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {view.accepts.map((a) => (
        <p key={a.of} className="small">
          <Badge tone={a.ok ? "better" : "worse"}>{a.ok ? "✓" : "✗"}</Badge>{" "}
          {t(a.ok ? "agreement.accepts" : "agreement.rejects", { of: of(a.of) })}
        </p>
      ))}
    </section>
  );
}

/** What the headlines are when people are right. */
function Corrected({ view }: { view: ReviewsView }) {
  const { t } = useTranslation();
  const of = useJudged();
  const format = useFormat();
  const say = (metric: string, v: number | null | undefined) => (metric === "incorrect_share" ? format.share(v) : format.mean(v));
  return (
    <section>
      <h3>{t("agreement.corrected")}</h3>
      <table className={css.table} aria-label={t("agreement.corrected")}>
        <thead>
          <tr>
            <th scope="col">{t("agreement.meanOf")}</th>
            <th scope="col" className={css.right}>
              {t("run.judge")}
            </th>
            <th scope="col" className={css.right}>
              {t("agreement.people")}
            </th>
            <th scope="col" className={css.right}>
              {t("agreement.labels")}
            </th>
          </tr>
        </thead>
        <tbody>
          {view.figures.corrected.map((c) => (
            <tr key={c.metric}>
              <td className={css.id}>{of(c.metric)}</td>
              <td className={css.right}>{say(c.metric, c.judge)}</td>
              <td className={css.right}>
                {c.estimate === null ? (
                  <span className={`soft small ${css.wrap}`}>
                    {(c.needs ?? []).map((n) => t(n.low ? "agreement.needLow" : "agreement.needOther", { n: n.want - n.have })).join(" ") ||
                      absent}
                  </span>
                ) : (
                  <>
                    {say(c.metric, c.estimate)}{" "}
                    {c.ci95 && (
                      <span className="soft small">
                        {t("compare.ci", { low: say(c.metric, c.ci95.low), high: say(c.metric, c.ci95.high) })}
                      </span>
                    )}
                  </>
                )}
              </td>
              <td className={css.right}>{t("parts.place", { at: c.labels, of: c.n })}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft small">{t("agreement.correctedRule")}</p>
    </section>
  );
}

function useLabelColumns(): Column<HumanLabel>[] {
  const { t } = useTranslation();
  const words = useWords();
  return useMemo(
    () => [
      { id: "question", header: t("run.question"), width: "120px", cell: (l) => <span className="mono">{l.question_id}</span> },
      {
        id: "verdict",
        header: t("agreement.peopleSay"),
        width: "150px",
        cell: (l) => (l.verdict ? words.word("review_verdict", l.verdict) : absent),
      },
      {
        id: "correctness",
        header: words.metric("correctness"),
        width: "170px",
        cell: (l) => <Pair people={l.correctness} judge={l.judge.correctness} low={l.judge.low} />,
      },
      {
        id: "trust",
        header: words.metric("trust"),
        width: "170px",
        cell: (l) => <Pair people={l.trust} judge={l.judge.trust} low={false} />,
      },
      {
        id: "notes",
        header: t("agreement.differences"),
        width: "minmax(150px, 1fr)",
        cell: (l) => (
          <span className="row" style={{ gap: 6 }}>
            {l.differs && <Badge tone="needs_check">{t("agreement.differs")}</Badge>}
            {l.split && <Badge tone="worse">{t("agreement.split")}</Badge>}
          </span>
        ),
      },
      {
        id: "said",
        header: t("agreement.said"),
        width: "minmax(240px, 3fr)",
        cell: (l) => (
          <span className="clip">
            {l.reviews.map((r) => [r.reviewer, r.comment || r.corrected_reference || r.action].filter(Boolean).join(": ")).join(" · ")}
          </span>
        ),
      },
    ],
    [t, words],
  );
}

/** People's level, and the judge's beside it. */
function Pair({ people, judge, low }: { people: number | undefined; judge: number | undefined; low: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="row" style={{ gap: 6 }}>
      <ScoreBadge value={people} />
      <span className="soft small">{t("agreement.judgeSays")}</span>
      <ScoreBadge value={judge} low={low} />
    </span>
  );
}

/** What people and the judge both said something of, as a sentence says it: a metric, or whether an answer is correct. */
function useJudged(): (of: string) => string {
  const { t } = useTranslation();
  const words = useWords();
  return (of) => (of === "verdict" || of === "incorrect_share" ? t(`agreement.of.${of}`) : words.metric(of).toLowerCase());
}

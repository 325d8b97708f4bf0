import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RunDetail, Spending } from "../../api/types";
import { LowerIsBetter, Mean } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { million, runPath } from "../../parts/runwords";
import css from "./run.module.css";

/** The mean of every metric with its n, and what the run has cost. */
export function Means({ detail }: { detail: RunDetail }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { totals } = detail.row;
  if (!totals) return null;
  const ja = i18n.language === "ja";
  const { spent } = detail;
  return (
    <Card title={t("run.metrics")} className={css.after}>
      <dl className={css.means}>
        {detail.run.setup.suite.map((m) => (
          <div key={m.id}>
            <dt>
              <Tooltip label={ja ? m.meaning_ja : m.meaning_en} multiline maw={360}>
                <span tabIndex={0}>
                  {ja ? m.title_ja : m.title_en} {m.lower_is_better && <LowerIsBetter />}
                </span>
              </Tooltip>
            </dt>
            <dd>
              <Mean mean={totals.scores[m.id]?.mean} n={totals.scores[m.id]?.n} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="soft small" style={{ marginTop: 10 }}>
        {t("run.coverage", { scored: format.count(totals.coverage.scored), applicable: format.count(totals.coverage.applicable) })}{" "}
        {spent.calls > 0
          ? t(detail.recorded ? "run.spentRecorded" : "run.spent", {
              money: format.money((spent.confirmed_micros + spent.possible_micros) / million, detail.currency),
              calls: format.count(spent.calls),
            })
          : t("run.noCalls")}
      </p>
      {detail.children.length > 0 && <Belonging detail={detail} />}
    </Card>
  );
}

/** The runs that belong to this one, each with what it spent of the whole. */
function Belonging({ detail }: { detail: RunDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const bill = (s: Spending) => ({
    money: format.money((s.confirmed_micros + s.possible_micros) / million, detail.currency),
    calls: format.count(s.calls),
  });
  return (
    <div className="soft small">
      {t("run.own", bill(detail.own))}
      <ul style={{ margin: 0, lineHeight: "24px" }}>
        {detail.children.map((c) => (
          <li key={c.run_id}>
            <PageLink to={runPath(c)}>
              {t("run.child", { kind: t(`kind.${c.kind}`, { defaultValue: c.kind }), run: c.run_id, ...bill(c.spent) })}
            </PageLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

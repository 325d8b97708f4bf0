import { Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../api/types";
import { LowerIsBetter, Mean } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { million } from "../../parts/runwords";
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
          ? t("run.spent", {
              money: format.money((spent.confirmed_micros + spent.possible_micros) / million, detail.currency),
              calls: format.count(spent.calls),
            })
          : t("run.noCalls")}
      </p>
    </Card>
  );
}

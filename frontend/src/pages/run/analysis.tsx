import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../api/types";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { million } from "../../parts/runwords";
import { RunProgress } from "./progress";
import { RunTop } from "./top";
import { Troubles } from "./troubles";

/** A run that looks into another one: its state, what it cost, and where what it found stands. It has no scores that could be low. */
export function Analysis({ detail }: { detail: RunDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { row, spent, currency } = detail;
  const of = row.parent_id ?? "";
  return (
    <>
      <RunTop detail={detail} baseline="" />
      <RunProgress detail={detail} />
      <Troubles detail={detail} />
      <Card title={t("run.analysisOf", { kind: t(`kind.${row.kind}`, { defaultValue: row.kind }), run: of })}>
        <p>{t("run.analysisText", { n: format.count(row.totals?.questions ?? row.progress?.total ?? 0) })}</p>
        <p>
          <PageLink to={`/runs/${of}`}>{t("run.analysisOpen", { run: of })}</PageLink>
        </p>
        <p className="soft small">
          {spent.calls > 0
            ? t(detail.recorded ? "run.spentRecorded" : "run.spent", {
                money: format.money((spent.confirmed_micros + spent.possible_micros) / million, currency),
                calls: format.count(spent.calls),
              })
            : t("run.noCalls")}
        </p>
      </Card>
    </>
  );
}

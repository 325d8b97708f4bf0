import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { CauseReport, Points } from "../../api/types";
import { Badge } from "../../parts/badges";
import { Card } from "../../parts/page";
import { useWords } from "../../parts/words";
import css from "./run.module.css";

/** What to change first: repairs by how many low-score answers they heal, with what they put at risk. */
export function Recommendations({ run, points, onCause }: { run: string; points: Points; onCause: (component: string) => void }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const diagnosed = points.cause.some(Boolean);
  const report = useGet<CauseReport>(diagnosed ? `/runs/${run}/causes` : null).data;
  if (!report) return null;
  const say = (text: { en: string; ja: string }) => (i18n.language === "ja" ? text.ja : text.en);
  return (
    <Card
      title={t("run.recommendations")}
      aside={<Badge tone={report.method === "tested" ? "accent" : "neutral"}>{t(`causeMethod.${report.method}`)}</Badge>}
    >
      <p className="text">{say(report.summary)}</p>
      {(report.recommendations?.length ?? 0) > 0 && (
        <ol className={css.recommendations}>
          {report.recommendations?.slice(0, 5).map((r, i) => (
            <li key={i}>
              <span>{say(r.rationale)}</span>
              <div className="row small" style={{ gap: 8 }}>
                <Badge tone="better">
                  {r.outcome
                    ? t("run.repaired", { n: r.outcome.repaired.length, of: r.outcome.tried_low })
                    : t("run.heals", { n: r.heals.length, of: r.low_scores })}
                </Badge>
                {r.outcome && r.outcome.broken.length > 0 && (
                  <Badge tone="worse">{t("run.broken", { n: r.outcome.broken.length, of: r.outcome.tried_good })}</Badge>
                )}
                {r.at_risk.length > 0 && <Badge tone="needs_check">{t("run.atRisk", { n: r.at_risk.length })}</Badge>}
                <button type="button" className={css.link} onClick={() => onCause(r.repair.component)}>
                  {t("run.showCause", { cause: words.cause(r.repair.component) })}
                </button>
              </div>
            </li>
          ))}
        </ol>
      )}
      {report.failed > 0 && <p className="soft small">{t("run.notDiagnosed", { n: report.failed })}</p>}
    </Card>
  );
}

import { useTranslation } from "react-i18next";
import type { JudgeCard } from "../../api/types_judges";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import css from "./judgecards.module.css";

/** What showing the judge people's verdicts did on reviews that were kept back, before and after, the newest first. */
export function Aligned({ tests }: { tests: JudgeCard["aligned"] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const lang = i18n.language === "ja" ? "ja" : "en";
  return (
    <Card title={t("judges.aligned")}>
      <ul className={css.reasons}>
        {tests.map((a) => (
          <li key={`${a.run_id} ${a.measured_at}`}>
            <div>{a.says[lang]}</div>
            {a.rates[lang] && <div className="soft small">{a.rates[lang]}</div>}
            <div className="soft small">
              {format.moment(a.measured_at)} ·{" "}
              <PageLink className="mono" to={`/runs/${a.run_id}/reviews`}>
                {a.run_id}
              </PageLink>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

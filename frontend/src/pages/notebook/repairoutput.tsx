import { useTranslation } from "react-i18next";
import { type Values, said } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { PageLink } from "../../parts/pagelink";
import { SmallTable } from "./figures";

/** What a diagnosis changed of a configuration: which parameters, why, and what is expected of it. */
export function RepairOutput({ config }: { config: Values["config"] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const r = config.repaired;
  if (!r) return null;
  return (
    <>
      <p>
        <strong>{said(r.change, i18n.language)}</strong>{" "}
        {r.names.length > 0 && !r.tried && (
          <Badge tone="better">{t("notebook.repair.expected", { n: format.count(r.repairs), of: format.count(r.low_scores) })}</Badge>
        )}{" "}
        {r.at_risk > 0 && !r.tried && <Badge tone="needs_check">{t("notebook.repair.atRisk", { n: format.count(r.at_risk) })}</Badge>}
      </p>
      <p>{said(r.reason, i18n.language)}</p>
      {r.lines.length > 0 && (
        <SmallTable
          label={t("notebook.repair.lines")}
          head={[t("notebook.repair.param"), t("notebook.repair.line")]}
          rows={r.lines.map((l) => [<span className="mono">{l.param}</span>, said(l.words, i18n.language)])}
        />
      )}
      <p className="soft small">
        {t("notebook.repair.of")}{" "}
        <PageLink to={`/runs/${r.run_id}`} className="mono">
          {r.run_id}
        </PageLink>
      </p>
    </>
  );
}

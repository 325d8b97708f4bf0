import { useTranslation } from "react-i18next";
import type { ComparisonView } from "../../api/types";
import css from "./compare.module.css";

/** Questions that could not be compared: never hidden, and each group can be looked at. */
export function Unmatched({
  comparison: c,
  chosen,
  onChoose,
}: {
  comparison: ComparisonView;
  chosen: string;
  onChoose: (match: string) => void;
}) {
  const { t } = useTranslation();
  const groups = (["added", "removed", "reworded", "reference_changed"] as const).filter((name) => c[name]?.length > 0);
  if (groups.length === 0 && c.excluded.length === 0) return null;
  return (
    <div className={`row ${css.unmatched}`}>
      {groups.length > 0 && <span className="soft">{t("compare.unmatched")}</span>}
      {groups.map((name) => (
        <button key={name} type="button" aria-pressed={chosen === name} onClick={() => onChoose(chosen === name ? "" : name)}>
          {t(`match.${name}`)} <strong className="figures">{c[name].length}</strong>
        </button>
      ))}
      {c.excluded.length > 0 && <span className="soft">{t("compare.excluded", { count: c.excluded.length })}</span>}
    </div>
  );
}

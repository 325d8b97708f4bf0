import { useTranslation } from "react-i18next";
import type { Diagnosis } from "../../api/types";
import { Badge } from "../badges";
import { useWords } from "../words";
import { standingOf } from "./standing";

/** The cause of a low score with the analysis rationale: what is missing, in words. */
export function Rationale({ diagnosis }: { diagnosis: Diagnosis }) {
  const { t, i18n } = useTranslation();
  const words = useWords();
  const known = standingOf(diagnosis);
  return (
    <div className="stack" style={{ gap: 6 }}>
      <div className="row" style={{ gap: 8 }}>
        <strong>
          {words.data(diagnosis.data)} › {words.cause(diagnosis.component)}
        </strong>
        <Badge tone={known.tone}>{words.word(known.vocabulary, known.code)}</Badge>
        <span className="soft small">{t(`certainty.${diagnosis.certainty}`, { defaultValue: diagnosis.certainty })}</span>
      </div>
      <p className="text">{i18n.language === "ja" ? diagnosis.rationale.ja : diagnosis.rationale.en}</p>
    </div>
  );
}

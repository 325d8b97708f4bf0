import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../api/types";
import { said } from "../../api/types_notebook";
import { Card } from "../../parts/page";

/** What went wrong with the calls of a run, in the words of the server or of the model; nothing where nothing did. */
export function Troubles({ detail }: { detail: RunDetail }) {
  const { t, i18n } = useTranslation();
  const troubles = detail.troubles ?? [];
  if (troubles.length === 0) return null;
  return (
    <Card title={t("run.troubles")}>
      <ul>
        {troubles.map((trouble) => (
          <li key={trouble.call_id}>{said(trouble.text, i18n.language)}</li>
        ))}
      </ul>
    </Card>
  );
}

/** How much of what is nearest an approximate search found; nothing where every search was exact. */
export function Search({ detail }: { detail: RunDetail }) {
  const { i18n } = useTranslation();
  return detail.search ? <p>{said(detail.search, i18n.language)}</p> : null;
}

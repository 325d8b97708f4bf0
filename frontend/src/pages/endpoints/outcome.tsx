import { useTranslation } from "react-i18next";
import type { EndpointTest } from "../../api/types_settings";
import { Badge } from "../../parts/badges";
import css from "./endpoints.module.css";

/** What one question brought: the answer and the contexts that the paths found, and what the reply held. */
export function Outcome({ test }: { test: EndpointTest }) {
  const { t } = useTranslation();
  const contexts = test.contexts ?? [];
  return (
    <div className={css.outcome} role="status">
      <div className="row">
        <Badge tone={test.status < 400 ? "better" : "worse"}>{t("endpoints.status", { n: test.status })}</Badge>
        <span className="soft figures">{t("endpoints.took", { n: test.latency_ms })}</span>
        {test.version && <span className="soft mono">{test.version}</span>}
      </div>
      <h3>{t("endpoints.answer")}</h3>
      <p className="text">{test.answer || t("endpoints.noAnswer")}</p>
      <h3>{t("endpoints.contexts", { count: contexts.length })}</h3>
      {contexts.length === 0 && <p className="soft">{t("endpoints.noContexts")}</p>}
      <ol className={css.contexts}>
        {contexts.map((text, i) => (
          <li key={i}>
            {test.context_ids?.[i] && <span className="mono small soft">{test.context_ids[i]} </span>}
            <span className="text">{text}</span>
          </li>
        ))}
      </ol>
      {(test.notes ?? []).map((note) => (
        <p key={note} className="soft small">
          {note}
        </p>
      ))}
      <details>
        <summary>{t("endpoints.received")}</summary>
        <table className={css.received} aria-label={t("endpoints.received")}>
          <tbody>
            {(test.received ?? []).map((line) => (
              <tr key={line.path}>
                <th scope="row" className="mono">
                  {line.path}
                </th>
                <td className="mono">{line.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

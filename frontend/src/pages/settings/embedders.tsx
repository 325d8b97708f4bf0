import { useTranslation } from "react-i18next";
import type { Catalogue } from "../../api/types";
import { absent } from "../../parts/format";
import css from "./settings.module.css";

/** What makers say of their embedding models: what "auto" stands for in an experiment. */
export function Embedders({ known }: { known: Catalogue["known_embedders"] }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="soft small">{t("settings.embeddersRule", { source: known.source, date: known.date })}</p>
      <table className={`${css.table} ${css.known}`} aria-label={t("settings.embedders")}>
        <thead>
          <tr>
            {["nameFits", "length", "inputType", "queryPrefix", "passagePrefix"].map((name) => (
              <th key={name} scope="col">
                {t(`settings.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.embedders?.map((e) => (
            <tr key={e.model}>
              <td className="mono small">{e.model}</td>
              <td>{e.dimensions ?? absent}</td>
              <td className="mono small">{e.role_field ? `${e.role_field}: ${e.query} / ${e.passage}` : absent}</td>
              <td className="small">{e.query_prefix ?? absent}</td>
              <td className="small">{e.passage_prefix ?? absent}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

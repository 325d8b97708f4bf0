import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LibraryRow } from "../../api/types_library";
import type { Column } from "../../parts/datatable";
import { useFormat } from "../../parts/format";
import { Library } from "../../parts/library";
import { PageLink } from "../../parts/pagelink";
import { ImportCorpus } from "./import";

/** Corpora by their newest version, and the import of another. */
export default function CorporaPage() {
  const { t } = useTranslation();
  const words = {
    title: t("nav.corpora"),
    about: t("corpora.about"),
    search: t("corpora.search"),
    add: t("corpora.import"),
    none: t("corpora.none"),
    noneNext: t("corpora.noneNext"),
    notFound: t("corpora.notFound"),
  };
  return <Library path="/corpora" words={words} columns={useColumns()} taking={(close) => <ImportCorpus onClose={close} />} />;
}

function useColumns(): Column<LibraryRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: "name",
        header: t("corpora.name"),
        sort: "name",
        width: "minmax(220px, 2.2fr)",
        cell: (r) => (
          <>
            <PageLink to={`/corpora/${encodeURIComponent(r.name)}`}>{r.name}</PageLink>
            {r.index && <span className="soft"> {t("corpora.index", { index: r.index })}</span>}
          </>
        ),
      },
      { id: "items", header: t("corpora.documents"), sort: "items", right: true, width: "130px", cell: (r) => format.count(r.items) },
      { id: "chars", header: t("corpora.characters"), right: true, width: "150px", cell: (r) => format.count(r.chars) },
      {
        id: "version",
        header: t("corpora.version"),
        right: true,
        width: "150px",
        cell: (r) => t("corpora.versionOf", { n: r.version, count: r.versions }),
      },
      {
        id: "created",
        header: t("corpora.imported"),
        sort: "created_at",
        width: "200px",
        cell: (r) => <span className="soft">{format.moment(r.created_at)}</span>,
      },
    ],
    [t, format],
  );
}

import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LibraryRow } from "../../api/types_library";
import type { Column } from "../../parts/datatable";
import { absent, useFormat } from "../../parts/format";
import { Library } from "../../parts/library";
import { PageLink } from "../../parts/pagelink";
import { ImportDataset } from "./import";

/** Datasets by their newest version, and the import of another. */
export default function DatasetsPage() {
  const { t } = useTranslation();
  const words = {
    title: t("nav.datasets"),
    about: t("datasets.about"),
    search: t("datasets.search"),
    add: t("datasets.import"),
    none: t("datasets.none"),
    noneNext: t("datasets.noneNext"),
    notFound: t("datasets.notFound"),
  };
  return <Library path="/datasets" words={words} columns={useColumns()} taking={(close) => <ImportDataset onClose={close} />} />;
}

function useColumns(): Column<LibraryRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: "name",
        header: t("datasets.name"),
        sort: "name",
        width: "minmax(220px, 2fr)",
        cell: (r) => <PageLink to={`/datasets/${encodeURIComponent(r.name)}`}>{r.name}</PageLink>,
      },
      { id: "items", header: t("datasets.questions"), sort: "items", right: true, width: "120px", cell: (r) => format.count(r.items) },
      {
        id: "version",
        header: t("datasets.version"),
        right: true,
        width: "150px",
        cell: (r) => t("datasets.versionOf", { n: r.version, count: r.versions }),
      },
      {
        id: "baseline",
        header: t("datasets.baseline"),
        width: "minmax(140px, 1fr)",
        cell: (r) =>
          r.baseline ? (
            <PageLink className="mono" to={`/runs/${r.baseline}`}>
              {r.baseline}
            </PageLink>
          ) : (
            absent
          ),
      },
      {
        id: "created",
        header: t("datasets.imported"),
        sort: "created_at",
        width: "180px",
        cell: (r) => <span className="soft">{format.moment(r.created_at)}</span>,
      },
    ],
    [t, format],
  );
}

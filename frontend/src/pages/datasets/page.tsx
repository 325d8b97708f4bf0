import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { useList } from "../../api/queries";
import type { LibraryRow } from "../../api/types_library";
import { useUrlState } from "../../app/url";
import { type Column, DataTable } from "../../parts/datatable";
import { Empty, Failed, Loading } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { SearchBox } from "../../parts/tools";
import { ImportDataset } from "./import";

/** Datasets by their newest version, and the import of another. */
export default function DatasetsPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["q", "sort", "import"]);
  const list = useList<LibraryRow>("/datasets", { q: url.q, sort: url.sort });
  const columns = useColumns();
  if (url.import) return <ImportDataset onClose={() => setUrl({ import: "" })} />;
  const button = may && (
    <Button leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ import: "1" }, { push: true })}>
      {t("datasets.import")}
    </Button>
  );
  const nothing = !list.isPending && !list.error && list.total === 0 && !url.q;
  return (
    <>
      <PageHead
        title={t("nav.datasets")}
        name={t("nav.datasets")}
        below={<span className="soft">{t("datasets.about")}</span>}
        actions={
          !nothing && (
            <>
              <SearchBox value={url.q} onChange={(q) => setUrl({ q })} label={t("datasets.search")} />
              {button}
            </>
          )
        }
      />
      {list.error ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : nothing ? (
        <Empty title={t("datasets.none")} next={t("datasets.noneNext")} action={button} />
      ) : (
        <DataTable
          label={t("nav.datasets")}
          columns={columns}
          rows={list.rows}
          rowKey={(r) => r.name}
          total={list.total}
          more={() => void list.fetchNextPage()}
          sort={url.sort}
          onSort={(sort) => setUrl({ sort })}
          onOpen={(r) => router.history.push(`/datasets/${encodeURIComponent(r.name)}`)}
          height={list.total > 16 ? "calc(100vh - 170px)" : "auto"}
          empty={<Empty title={t("datasets.notFound")} />}
        />
      )}
    </>
  );
}

function useColumns(): Column<LibraryRow>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      { id: "name", header: t("datasets.name"), sort: "name", width: "minmax(220px, 2fr)", cell: (r) => <PageLink to={`/datasets/${encodeURIComponent(r.name)}`}>{r.name}</PageLink> },
      { id: "items", header: t("datasets.questions"), sort: "items", right: true, width: "120px", cell: (r) => format.count(r.items) },
      { id: "version", header: t("datasets.version"), right: true, width: "150px", cell: (r) => t("datasets.versionOf", { n: r.version, count: r.versions }) },
      { id: "baseline", header: t("datasets.baseline"), width: "minmax(140px, 1fr)", cell: (r) => (r.baseline ? <PageLink className="mono" to={`/runs/${r.baseline}`}>{r.baseline}</PageLink> : absent) },
      { id: "created", header: t("datasets.imported"), sort: "created_at", width: "180px", cell: (r) => <span className="soft">{format.moment(r.created_at)}</span> },
    ],
    [t, format],
  );
}

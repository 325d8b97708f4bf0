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
import { useFormat } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { SearchBox } from "../../parts/tools";
import { ImportCorpus } from "./import";

/** Corpora by their newest version, and the import of another. */
export default function CorporaPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["q", "sort", "import"]);
  const list = useList<LibraryRow>("/corpora", { q: url.q, sort: url.sort });
  const columns = useColumns();
  if (url.import) return <ImportCorpus onClose={() => setUrl({ import: "" })} />;
  const button = may && (
    <Button leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ import: "1" }, { push: true })}>
      {t("corpora.import")}
    </Button>
  );
  const nothing = !list.isPending && !list.error && list.total === 0 && !url.q;
  return (
    <>
      <PageHead
        title={t("nav.corpora")}
        name={t("nav.corpora")}
        below={<span className="soft">{t("corpora.about")}</span>}
        actions={
          !nothing && (
            <>
              <SearchBox value={url.q} onChange={(q) => setUrl({ q })} label={t("corpora.search")} />
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
        <Empty title={t("corpora.none")} next={t("corpora.noneNext")} action={button} />
      ) : (
        <DataTable
          label={t("nav.corpora")}
          columns={columns}
          rows={list.rows}
          rowKey={(r) => r.name}
          total={list.total}
          more={() => void list.fetchNextPage()}
          sort={url.sort}
          onSort={(sort) => setUrl({ sort })}
          onOpen={(r) => router.history.push(`/corpora/${encodeURIComponent(r.name)}`)}
          height={list.total > 16 ? "calc(100vh - 170px)" : "auto"}
          empty={<Empty title={t("corpora.notFound")} />}
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
      { id: "name", header: t("corpora.name"), sort: "name", width: "minmax(220px, 2.2fr)", cell: (r) => <PageLink to={`/corpora/${encodeURIComponent(r.name)}`}>{r.name}</PageLink> },
      { id: "items", header: t("corpora.documents"), sort: "items", right: true, width: "130px", cell: (r) => format.count(r.items) },
      { id: "chars", header: t("corpora.characters"), right: true, width: "150px", cell: (r) => format.count(r.chars) },
      { id: "version", header: t("corpora.version"), right: true, width: "150px", cell: (r) => t("corpora.versionOf", { n: r.version, count: r.versions }) },
      { id: "created", header: t("corpora.imported"), sort: "created_at", width: "200px", cell: (r) => <span className="soft">{format.moment(r.created_at)}</span> },
    ],
    [t, format],
  );
}

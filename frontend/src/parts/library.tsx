import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../api/me";
import { useList } from "../api/queries";
import type { LibraryRow } from "../api/types_library";
import { useUrlState } from "../app/url";
import { type Column, DataTable } from "./datatable";
import { Empty, Failed, Loading } from "./faces";
import { Icon } from "./icon";
import { PageHead } from "./page";
import { SearchBox } from "./tools";

interface LibraryProps {
  /** Where its pages are, and its rows below the API. */
  path: string;
  words: { title: string; about: string; search: string; add: string; none: string; noneNext: string; notFound: string };
  columns: Column<LibraryRow>[];
  /** The page that takes in another, for who may. */
  taking: (close: () => void) => ReactNode;
}

/** What is kept in versions, datasets or corpora, by the newest of each; and the import of another. */
export function Library({ path, words, columns, taking }: LibraryProps) {
  const router = useRouter();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["q", "sort", "import"]);
  const list = useList<LibraryRow>(path, { q: url.q, sort: url.sort });
  if (url.import && may) return taking(() => setUrl({ import: "" }));
  const button = may && (
    <Button leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ import: "1" }, { push: true })}>
      {words.add}
    </Button>
  );
  const nothing = !list.isPending && !list.error && list.total === 0 && !url.q;
  return (
    <>
      <PageHead
        title={words.title}
        name={words.title}
        below={<span className="soft">{words.about}</span>}
        actions={
          !nothing && (
            <>
              <SearchBox value={url.q} onChange={(q) => setUrl({ q })} label={words.search} />
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
        <Empty title={words.none} next={words.noneNext} action={button} />
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={list.rows}
          rowKey={(r) => r.name}
          total={list.total}
          more={() => void list.fetchNextPage()}
          sort={url.sort}
          onSort={(sort) => setUrl({ sort })}
          onOpen={(r) => router.history.push(`${path}/${encodeURIComponent(r.name)}`)}
          height={list.total > 16 ? "calc(100vh - 170px)" : "auto"}
          empty={<Empty title={words.notFound} />}
        />
      )}
    </>
  );
}

import { useCallback } from "react";
import { useRouterState, useNavigate } from "@tanstack/react-router";
import { usePathPart } from "../../app/url";
import { Await } from "../../parts/faces";
import { Editor } from "./editor";
import { NotebookName } from "./name";
import { ReadingView } from "./reading";
import { notebookPath, paramList, useDetail } from "./state";

/** A notebook: edited cell by cell, as text, or read without its cells. A sealed snapshot opens the same way and cannot be changed. */
export default function NotebookPage() {
  const name = usePathPart("notebook");
  const search = useRouterState({ select: (s) => s.location.search as Record<string, string> });
  const navigate = useNavigate();
  const onUrl = useCallback(
    (change: Record<string, string>) =>
      void navigate({
        to: ".",
        search: ((before: Record<string, string>) => ({ ...before, ...change })) as never,
        replace: !("view" in change),
        resetScroll: false,
      }),
    [navigate],
  );
  const given = Object.fromEntries(Object.entries(search).filter(([key, value]) => key.includes(".") && value !== ""));
  const params = paramList(given);
  const path = search.snapshot ? `/notebooks/snapshots/${encodeURIComponent(search.snapshot)}` : notebookPath(name);
  const detail = useDetail(path, params);
  return (
    <Await page query={detail} rows={10}>
      {(d) =>
        search.view === "read" ? (
          <ReadingView path={path} detail={d} params={params} lang={search.lang ?? ""} onUrl={onUrl} />
        ) : (
          <NotebookName value={d.read_only ? "" : d.name}>
            <Editor
              key={path}
              detail={d}
              updated={detail.dataUpdatedAt}
              view={search.view ?? ""}
              cell={search.cell ?? ""}
              given={given}
              onUrl={onUrl}
            />
          </NotebookName>
        )
      }
    </Await>
  );
}

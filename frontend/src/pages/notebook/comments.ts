import { useQueryClient } from "@tanstack/react-query";
import { createContext } from "react";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";

/** What somebody says about a cell, or about one row of it: a question of a run. */
export interface NotebookComment {
  id: string;
  cell: string;
  run?: string;
  question?: string;
  text: string;
  html: string;
  by: string;
  at: string;
  resolved_by?: string;
  resolved_at?: string;
  gone?: boolean;
  mentions?: Mention[]; // of one that was written just now
}

/** A name behind an @, and whether its person is told. */
export interface Mention {
  name: string;
  state: "told" | "again" | "author" | "silent" | "unknown";
}

/** A row of a table, wherever it stands. */
export interface CommentedRow {
  run: string;
  question: string;
}

/** Comments on a notebook, and what can be done with them. The notebook is saved before something is said about it: a new cell is known then. */
export function useComments(path: string, enabled: boolean, save: () => Promise<boolean>) {
  const client = useQueryClient();
  const all = useGet<{ items: NotebookComment[] }>(enabled ? `${path}/comments` : null).data?.items ?? [];
  const again = () => client.invalidateQueries({ queryKey: [`${path}/comments`] });
  return {
    all,
    again,
    of: (cell: string) => all.filter((c) => c.cell === cell),
    gone: all.filter((c) => c.gone),
    add: async (cell: string, text: string, row: CommentedRow | null) => {
      await save();
      const said = await send<NotebookComment>("POST", `${path}/comments`, { cell, text, ...row });
      await again();
      return said?.mentions ?? [];
    },
    resolve: async (id: string, resolved: boolean) => {
      await send("POST", `${path}/comments/${id}/resolve`, { resolved });
      await again();
    },
    remove: async (id: string) => {
      await send("DELETE", `${path}/comments/${id}`);
      await again();
    },
  };
}

export type Comments = ReturnType<typeof useComments>;

/** How many comments on each cell are open. */
export function openByCell(all: NotebookComment[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const c of all) if (!c.resolved_at) out.set(c.cell, (out.get(c.cell) ?? 0) + 1);
  return out;
}

/** What rows of a cell's tables know of comments; null where nothing can be said. */
export const RowComments = createContext<{ open: (row: CommentedRow) => number; say: (row: CommentedRow) => void } | null>(null);

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { get, type Params } from "./client";

/** One page of a list. */
export interface Page<T> {
  items: T[];
  next_cursor: string;
  total: number;
}

/**
 * Reads one thing and keeps it. Pass null as the path while it is not known what to read. With keep what was read before under other
 * parameters stays on screen meanwhile.
 */
export function useGet<T>(path: string | null, params: Params = {}, { keep = false } = {}) {
  return useQuery<T>({
    queryKey: [path, params],
    queryFn: ({ signal }) => get<T>(path ?? "", params, signal),
    enabled: path !== null,
    ...(keep && { placeholderData: (before, earlier) => (earlier?.queryKey[0] === path ? before : undefined) }),
  });
}

/** How many rows one page of a long list holds. */
const pageSize = 200;

/** Reads a long list page by page. Rows seen before stay on screen while another filter loads. */
export function useList<T>(path: string | null, params: Params = {}, limit = pageSize) {
  const query = useInfiniteQuery({
    queryKey: [path, "list", limit, params],
    queryFn: ({ pageParam, signal }) => get<Page<T>>(path ?? "", { ...params, limit, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor || undefined,
    enabled: path !== null,
    placeholderData: (before, earlier) => (earlier?.queryKey[0] === path ? before : undefined),
  });
  const rows = query.data?.pages.flatMap((page) => page.items ?? []) ?? [];
  return { ...query, rows, total: query.data?.pages[0]?.total ?? 0 };
}

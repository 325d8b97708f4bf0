import { useTranslation } from "react-i18next";

/** What is used of a list that is read page by page. */
interface Listed<T> {
  rows: T[];
  total: number;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** How near the end of what is read the next page is asked for. */
const near = 5;

/**
 * Goes through a long list beside an open row: more() reads the next page, place says which of how many is open, previous and next open
 * its neighbours and are undefined where there is none.
 */
export function useNeighbours<T>(list: Listed<T>, open: string, keyOf: (row: T) => string, onOpen: (key: string) => void) {
  const { t } = useTranslation();
  const more = () => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage();
  const at = open ? list.rows.findIndex((row) => keyOf(row) === open) : -1;
  const step = (by: number) => {
    const row = list.rows[at + by];
    if (at < 0 || row === undefined) return undefined;
    return () => {
      if (at + by > list.rows.length - near) more();
      onOpen(keyOf(row));
    };
  };
  return { more, place: at >= 0 ? t("parts.place", { at: at + 1, of: list.total }) : "", previous: step(-1), next: step(1) };
}

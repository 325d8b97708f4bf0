import { useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";

/** Reads "?a=1&b=x" as plain text values: an id that looks like a number stays text. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** The opposite of parseSearch. Empty values are left out, so that a page without filters has a short address. */
export function formatSearch(values: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `?${text}` : "";
}

/** Sets some values of the address. Undefined or empty removes one. */
export type ChangeUrl<K extends string> = (change: Partial<Record<K, string | undefined>>, how?: { push?: boolean }) => void;

/**
 * State that lives in the address, so that a view can be linked, reloaded and gone back to. Changes replace the present
 * entry of the history unless push is set (opening something).
 */
export function useUrlState<K extends string>(names: readonly K[]): [Record<K, string>, ChangeUrl<K>] {
  const search = useRouterState({ select: (s) => s.location.search as Record<string, string> });
  const navigate = useNavigate();
  const values = Object.fromEntries(names.map((n) => [n, search[n] ?? ""])) as Record<K, string>;
  const change = useCallback<ChangeUrl<K>>(
    (changes, how) =>
      void navigate({
        to: ".",
        search: ((before: Record<string, string>) => ({ ...before, ...changes })) as never,
        replace: !how?.push,
        resetScroll: false,
      }),
    [navigate],
  );
  return [values, change];
}

/** A part of the path, such as the run in /runs/$run. */
export function usePathPart(name: string): string {
  return (useParams({ strict: false }) as Record<string, string>)[name] ?? "";
}

import { keepPreviousData, type QueryClient, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import { get } from "./client";
import { ApiProblem } from "./problem";
import type { Me } from "./types";

const path = "/me";

/** Who is asking, and where home is. Whoever changes the language stays who they are meanwhile. */
export function useMe() {
  const { i18n } = useTranslation();
  const params = { lang: i18n.language };
  return useQuery<Me>({
    queryKey: [path, params],
    queryFn: ({ signal }) => get<Me>(path, params, signal),
    placeholderData: keepPreviousData,
  });
}

/** Whose page is kept as it is while they sign in again. */
export const KeptFor = createContext<Me | null>(null);

/** Whether the person may do something, such as "run". False until the server said so. */
export function useMay(permission: string): boolean {
  const [me, kept] = [useMe().data, useContext(KeptFor)];
  return (me?.role ? me : (kept ?? me))?.permissions?.includes(permission) ?? false;
}

/** Loads the program anew after somebody came or left: nothing that another was shown stays in memory. */
export function startAgain(at = "/"): void {
  window.location.assign(at);
}

/** Asks who is there when the server says that nobody is, or that they may do less than thought: a session ends elsewhere too. */
export function meetAfter(error: unknown, client: QueryClient): void {
  if (error instanceof ApiProblem && ["token_missing", "permission"].includes(error.code))
    void client.invalidateQueries({ queryKey: [path] });
}

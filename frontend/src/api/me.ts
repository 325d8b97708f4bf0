import { useTranslation } from "react-i18next";
import { useGet } from "./queries";
import type { Me } from "./types";

/** Who is asking, and where home is. */
export function useMe() {
  const { i18n } = useTranslation();
  return useGet<Me>("/me", { lang: i18n.language });
}

/** Whether the person may do something, such as "run". False until the server said so. */
export function useMay(permission: string): boolean {
  return useMe().data?.permissions?.includes(permission) ?? false;
}

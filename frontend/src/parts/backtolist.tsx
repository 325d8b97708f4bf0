import { useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { pages } from "../app/pages";
import { PageLink } from "./pagelink";

/** Leads from a page that is not there to the list it would be on: the nearest place of the navigation, else the runs. */
export function BackToList() {
  const { t } = useTranslation();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const list = path.startsWith("/sweeps/") ? "/runs" : `/${path.split("/")[1]}`;
  const place = pages.find((p) => p.nav && p.path === list) ?? pages.find((p) => p.path === "/runs");
  return <PageLink to={place?.path ?? "/runs"}>{t("notfound.back", { list: t(place?.nav?.label ?? "nav.runs") })}</PageLink>;
}

import { useTranslation } from "react-i18next";
import { Empty } from "../parts/faces";
import { PageLink } from "../parts/pagelink";

/** For addresses that lead nowhere. */
export function NotFound() {
  const { t } = useTranslation();
  return <Empty title={t("notfound.title")} next={t("notfound.next")} action={<PageLink to="/runs">{t("nav.runs")}</PageLink>} />;
}

import { useTranslation } from "react-i18next";
import { BackToList } from "../parts/backtolist";
import { Empty } from "../parts/faces";

/** For addresses that lead nowhere. */
export function NotFound() {
  const { t } = useTranslation();
  return <Empty title={t("notfound.title")} next={t("notfound.next")} action={<BackToList />} />;
}

import { useTranslation } from "react-i18next";
import { BackToList } from "../parts/backtolist";
import { Empty } from "../parts/faces";
import { PageHead } from "../parts/page";

/** For addresses that lead nowhere. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t("notfound.title")} name={t("notfound.title")} />
      <Empty title={t("notfound.next")} action={<BackToList />} />
    </>
  );
}

import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";

interface ImportHeadProps {
  title: string;
  about: string;
  /** What the other way of importing is called. */
  other: string;
  onOther: () => void;
  /** Something was stored, so that nothing is left to cancel. */
  done: boolean;
  onClose: () => void;
}

/** The top of a page that imports a file: what it takes, the other way of importing, and the way back. */
export function ImportHead({ title, about, other, onOther, done, onClose }: ImportHeadProps) {
  const { t } = useTranslation();
  return (
    <PageHead
      title={title}
      name={title}
      above={<PageLink to="/runs">{t("runs.title")}</PageLink>}
      below={<span className="soft">{about}</span>}
      actions={
        <>
          <Button variant="default" onClick={onOther}>
            {other}
          </Button>
          <Button variant="default" onClick={onClose}>
            {done ? t("parts.close") : t("parts.cancel")}
          </Button>
        </>
      }
    />
  );
}

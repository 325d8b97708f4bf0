import { Button, Menu } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { address } from "../api/client";
import { Icon } from "./icon";

interface Of {
  baseline?: string;
  candidate: string;
  /** Of the release check, as in the address of a comparison's page. */
  limits?: Record<string, string>;
}

/** Downloads of the report about a run, or about a run and its baseline, in every format and language. */
export function ReportMenu({ baseline = "", candidate, limits = {} }: Of) {
  const { t, i18n } = useTranslation();
  const languages = i18n.language === "ja" ? ["ja", "en", "both"] : ["en", "ja", "both"];
  const item = (format: string, lang: string) => (
    <Menu.Item
      key={format + lang}
      component="a"
      href={address(`/comparisons/report.${format}`, { baseline, candidate, lang, ...limits })}
      download
    >
      {t(`format.${format}`)}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" className="no-print" leftSection={<Icon name="download" size={14} />}>
          {t("report.title")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((lang) => (
          <Fragment key={lang}>
            <Menu.Label>{t(`report.languages.${lang}`)}</Menu.Label>
            {["xlsx", "html", "md"].map((format) => item(format, lang))}
          </Fragment>
        ))}
        <Menu.Label>{t("report.data")}</Menu.Label>
        {["csv", "jsonl"].map((format) => item(format, ""))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useMay, useMe } from "../../api/me";
import { useGet } from "../../api/queries";
import type { Catalogue } from "../../api/types";
import type { Settings } from "../../api/types_settings";
import { chooseLanguage, type Language } from "../../app/i18n";
import { Await } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Card, Facts, PageHead } from "../../parts/page";
import { AddProvider } from "./added";
import { Embedders } from "./embedders";
import { Providers } from "./providers";
import { VerifyStudy } from "./verify";
import css from "./settings.module.css";

/** What is in force on the server, without secrets; language and colours of this browser. */
export default function SettingsPage() {
  const { t } = useTranslation();
  const query = useGet<Settings>("/settings");
  const catalogue = useGet<Catalogue>("/catalogue");
  const admin = useMay("admin");
  return (
    <>
      <PageHead title={t("nav.settings")} name={t("nav.settings")} />
      <div className="stack">
        <Browser />
        <Await query={query}>
          {(s) => (
            <>
              <Card title={t("settings.providers")} aside={admin && <AddProvider />}>
                <p className="soft small">{t("settings.providersRule")}</p>
                <Providers providers={s.providers} />
              </Card>
              <div className={css.pair}>
                <Card title={t("settings.prices")}>
                  <Prices settings={s} />
                </Card>
                <Card title={t("settings.workbench")}>
                  <Workbench settings={s} />
                </Card>
              </div>
            </>
          )}
        </Await>
        {admin && <VerifyStudy />}
        {catalogue.data && (
          <Card title={t("settings.embedders")}>
            <Embedders known={catalogue.data.known_embedders} />
          </Card>
        )}
      </div>
    </>
  );
}

function Browser() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card title={t("settings.browser")}>
      <div className={css.choices}>
        <span id="settings-language">{t("shell.language")}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="settings-language"
          value={i18n.language}
          onChange={(value) => void chooseLanguage(value as Language)}
          data={[
            { value: "ja", label: "日本語" },
            { value: "en", label: "English" },
          ]}
        />
        <span id="settings-colours">{t("shell.colours")}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="settings-colours"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as "light" | "dark" | "auto")}
          data={(["light", "dark", "auto"] as const).map((value) => ({ value, label: t(`shell.${value}`) }))}
        />
      </div>
    </Card>
  );
}

function Prices({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { host, date, source } = settings.public_prices;
  const shipped = <p className="soft small">{t("settings.publicPrices", { host, date, source })}</p>;
  if (settings.prices.length === 0)
    return (
      <>
        <p className="soft">{t("settings.noPrices")}</p>
        {shipped}
      </>
    );
  return (
    <>
      {shipped}
      <table className={css.table} aria-label={t("settings.prices")}>
        <thead>
          <tr>
            <th scope="col">{t("settings.model")}</th>
            <th scope="col" className={css.right}>
              {t("settings.input")}
            </th>
            <th scope="col" className={css.right}>
              {t("settings.output")}
            </th>
          </tr>
        </thead>
        <tbody>
          {settings.prices.map((p) => (
            <tr key={p.model}>
              <td className="mono">{p.model}</td>
              <td className={css.right}>
                {p.lacks === "input" ? t("experiments.unknownPrice") : format.money(p.input, settings.currency)}
              </td>
              <td className={css.right}>
                {p.lacks === "output" ? t("experiments.unknownPrice") : format.money(p.output, settings.currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft small">{t("settings.perMillion")}</p>
    </>
  );
}

const day = 86_400_000;

/** When the last good backup was made, and how many days ago that was. */
function Backup({ made }: { made?: string }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  if (!made) return <span className="soft">{t("settings.backupNone")}</span>;
  const days = Math.floor((Date.now() - new Date(made).getTime()) / day);
  const ago = new Intl.RelativeTimeFormat(i18n.language, { numeric: "auto" }).format(-days, "day");
  return <span>{t("settings.backupWhen", { when: format.moment(made), ago })}</span>;
}

function Workbench({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const me = useMe().data;
  const megabytes = (settings.limits.upload_bytes ?? 0) / (1 << 20);
  return (
    <Facts
      facts={[
        [
          t("settings.version"),
          <span key="v" className="mono">
            {me?.version ?? absent}
          </span>,
        ],
        [
          t("settings.data"),
          <span key="d" className="mono">
            {settings.data_dir}
          </span>,
        ],
        [t("settings.database"), settings.engine === "sqlite" ? "SQLite" : "PostgreSQL"],
        [
          t("settings.config"),
          settings.config_path ? (
            <span key="c" className="mono">
              {settings.config_path}
            </span>
          ) : (
            t("settings.noConfig")
          ),
        ],
        [t("settings.backup"), <Backup key="b" made={settings.last_backup} />],
        [
          t("settings.zones"),
          <span key="z" className="mono">
            {settings.time_zones}
          </span>,
        ],
        [t("settings.currency"), settings.currency],
        [t("settings.lowScore"), t("experiments.atMost", { n: settings.default_low_score })],
        [t("settings.upload"), t("settings.megabytes", { n: format.count(megabytes) })],
        [t("settings.you"), me ? t(`settings.roles.${me.role}`, { defaultValue: me.role }) : absent],
      ]}
    />
  );
}

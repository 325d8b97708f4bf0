import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import { useGet } from "../../api/queries";
import type { ChannelRow, NoticeRow } from "../../api/types_schedules";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { Icon } from "../../parts/icon";
import { Card } from "../../parts/page";
import { useChange } from "./data";
import css from "./schedules.module.css";
import { NoticeChip } from "./statechip";

/** Where messages can go, each with a test. They stand in the configuration; here they are only named. */
export function Channels() {
  const { t } = useTranslation();
  const query = useGet<{ items: ChannelRow[] }>("/notices/channels");
  return (
    <Card title={t("schedules.channels")}>
      <p className="soft small">{t("schedules.channelsMeaning")}</p>
      <Await query={query} rows={2}>
        {({ items }) => (items.length === 0 ? <p className="soft">{t("schedules.noChannels")}</p> : <ChannelList channels={items} />)}
      </Await>
    </Card>
  );
}

function ChannelList({ channels }: { channels: ChannelRow[] }) {
  return (
    <ul className={css.channels}>
      {channels.map((c) => (
        <li key={c.name}>
          <Channel channel={c} />
        </li>
      ))}
    </ul>
  );
}

function Channel({ channel: c }: { channel: ChannelRow }) {
  const { t, i18n } = useTranslation();
  const admin = useMay("admin");
  const test = useChange(() => send<NoticeRow>("POST", "/notices/test", { channel: c.name }));
  const outcome = test.data?.attempts.at(-1);
  const facts = [
    t(`schedules.channelKinds.${c.kind}`, { defaultValue: c.kind }),
    t(`schedules.channelLang.${c.lang || "schedule"}`, { defaultValue: c.lang }),
    c.signed && t("schedules.signed"),
    c.digest && t("schedules.digest"),
  ].filter(Boolean);
  return (
    <>
      <div className="row">
        <strong>{c.name}</strong>
        <span className="soft small">{facts.join(" · ")}</span>
        {!c.ready && (
          <Badge tone="worse">
            <Icon name="warning" size={11} /> {c.missing ? t("schedules.variableMissing", { name: c.missing }) : t("schedules.notReady")}
          </Badge>
        )}
        {admin && (
          <Button
            size="compact-xs"
            variant="default"
            className="no-print"
            aria-label={t("schedules.testOf", { name: c.name })}
            loading={test.isPending}
            onClick={() => test.mutate(undefined)}
          >
            {t("schedules.test")}
          </Button>
        )}
      </div>
      {test.error && <ProblemLine error={test.error} />}
      {test.data && (
        <p role="status" className="row small">
          <NoticeChip state={test.data.state} />
          {outcome && test.data.state !== "delivered" && <span>{i18n.language === "ja" ? outcome.outcome.ja : outcome.outcome.en}</span>}
          {outcome && <span className="soft figures">{t("schedules.took", { n: outcome.took_ms })}</span>}
        </p>
      )}
    </>
  );
}

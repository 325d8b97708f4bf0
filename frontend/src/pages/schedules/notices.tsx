import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useList } from "../../api/queries";
import type { NoticeRow, ScheduleRow } from "../../api/types_schedules";
import { Failed, Loading } from "../../parts/faces";
import { Card } from "../../parts/page";
import css from "./schedules.module.css";
import { NoticeChip } from "./statechip";
import { type Clock, useClock } from "./times";

/** How many messages are read at a time. */
const few = 20;

/** How often they are read again, in milliseconds: a message is sent a while after its fire. */
const every = 15_000;

/** Who was told of a schedule, and what was tried. */
export function Notices({ schedule: s }: { schedule: ScheduleRow }) {
  const { t } = useTranslation();
  const list = useList<NoticeRow>("/notices", { schedule: s.name }, few);
  const client = useQueryClient();
  const ended = s.last?.finished_at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a fire that ended has new notices
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: ["/notices"] });
    again();
    const timer = setInterval(again, every);
    return () => clearInterval(timer);
  }, [client, ended]);
  const clock = useClock(s.zone);
  return (
    <Card title={t("schedules.sent")}>
      <p className="soft small">{t("schedules.sentMeaning")}</p>
      {list.error ? (
        <Failed error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading rows={2} />
      ) : list.total === 0 ? (
        <p className="soft">{s.notify.length > 0 || s.ping ? t("schedules.noneSent") : t("schedules.nobodyHears")}</p>
      ) : (
        <table className={css.fires} aria-label={t("schedules.sent")}>
          <thead>
            <tr>
              <th scope="col">{t("schedules.sentAt")}</th>
              <th scope="col">{t("schedules.channel")}</th>
              <th scope="col">{t("schedules.says")}</th>
              <th scope="col">{t("schedules.heads.state")}</th>
            </tr>
          </thead>
          {list.rows.map((n) => (
            <Notice key={n.id} notice={n} clock={clock} />
          ))}
        </table>
      )}
      {list.hasNextPage && (
        <Button variant="default" className="no-print" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("schedules.older")}
        </Button>
      )}
    </Card>
  );
}

function Notice({ notice: n, clock }: { notice: NoticeRow; clock: Clock }) {
  const { t, i18n } = useTranslation();
  const ja = i18n.language === "ja";
  const about =
    n.reasons.length > 0
      ? n.reasons.map((r) => t(`schedules.reasons.${r}`, { defaultValue: r }))
      : [t(`schedules.messageKinds.${n.kind}`, { defaultValue: n.kind })];
  return (
    <tbody>
      <tr>
        <td>
          <time dateTime={n.created_at}>{clock.full(n.created_at)}</time>
        </td>
        <td>{n.channel}</td>
        <td>
          <div className="text">{ja ? n.title.ja : n.title.en}</div>
          <div className="soft small">{about.join(" · ")}</div>
        </td>
        <td>
          <NoticeChip state={n.state} />
          {n.next_at && <div className="soft small">{t("schedules.again", { at: clock.brief(n.next_at) })}</div>}
          <Tries notice={n} clock={clock} />
        </td>
      </tr>
    </tbody>
  );
}

/** What was tried, and what came of it. */
function Tries({ notice: n, clock }: { notice: NoticeRow; clock: Clock }) {
  const { t, i18n } = useTranslation();
  if (n.attempts.length === 0) return null;
  return (
    <details className="small">
      <summary>{t("schedules.tries", { count: n.attempts.length })}</summary>
      <ol className={css.attempts}>
        {n.attempts.map((a) => (
          <li key={a.at}>
            <time dateTime={a.at}>{clock.brief(a.at)}</time>: {i18n.language === "ja" ? a.outcome.ja : a.outcome.en}{" "}
            <span className="soft figures">({t("schedules.took", { n: a.took_ms })})</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

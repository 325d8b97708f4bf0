import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { address } from "../../api/client";
import type { Fire, ScheduleRow } from "../../api/types_schedules";
import { useUrlState } from "../../app/url";
import { Badge, GateCaution } from "../../parts/badges";
import { Await, Empty } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { isOpen, pathOf, useBudgetWords, useFires, useReason } from "./data";
import css from "./schedules.module.css";
import { Count, FireChip, GateChip, NewlyWorse, useFailed } from "./statechip";
import { useClock } from "./times";

/** How many fires are shown at first, and at most. */
const [few, all] = [50, 1000];

const states = ["ran", "failed", "missed", "skipped"] as const;

/** What became of the slots of a schedule, newest first. */
export function Fires({ schedule: s }: { schedule: ScheduleRow }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(few);
  const [url, setUrl] = useUrlState(["state"]);
  const query = useFires(s.name, limit);
  return (
    <Card
      title={t("schedules.fires")}
      aside={
        <NativeSelect
          size="xs"
          className="no-print"
          aria-label={t("schedules.stateFilter")}
          value={url.state}
          onChange={(e) => setUrl({ state: e.currentTarget.value })}
          data={[
            { value: "", label: t("schedules.allStates") },
            ...states.map((value) => ({ value, label: t(`schedules.states.${value}`) })),
          ]}
        />
      }
    >
      <Await query={query}>
        {({ items, caution }) => {
          if (items.length === 0) return <Empty title={t("schedules.noFires")} next={t("schedules.noFiresNext")} />;
          const shown = items.filter((f) => !url.state || f.state === url.state);
          return (
            <>
              <GateCaution caution={caution} />
              {shown.length === 0 ? <p className="soft">{t("schedules.noneOfState")}</p> : <Table schedule={s} fires={shown} />}
              {items.length >= limit && limit < all && (
                <Button variant="default" className="no-print" loading={query.isFetching} onClick={() => setLimit(all)}>
                  {t("schedules.more", { n: all })}
                </Button>
              )}
            </>
          );
        }}
      </Await>
    </Card>
  );
}

function Table({ schedule, fires }: { schedule: ScheduleRow; fires: Fire[] }) {
  const { t } = useTranslation();
  const heads = ["slot", "state", "against", "low", "gate", "spent"] as const;
  return (
    <div className={css.wide}>
      <table className={css.fires} aria-label={t("schedules.fires")}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {t(`schedules.heads.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        {fires.map((f) => (
          <Row key={f.id} schedule={schedule} fire={f} />
        ))}
      </table>
    </div>
  );
}

function Row({ schedule: s, fire: f }: { schedule: ScheduleRow; fire: Fire }) {
  const { t } = useTranslation();
  const format = useFormat();
  const clock = useClock(s.zone);
  const words = useBudgetWords(s.currency);
  const reason = useReason(s.zone);
  const drift = useDrift();
  const failed = useFailed();
  const ran = f.state === "ran";
  const counted = ran && (f.scored > 0 || f.baseline !== ""); // a notebook need not have compared or evaluated anything
  const [money, calls] = [words({ micros: f.spent_micros }), words({ calls: f.calls })];
  const told = [failed(f), f.reason && reason(f.reason), f.drift && drift(f.drift)].filter(Boolean) as string[];
  return (
    <tbody data-fire={f.id} data-state={f.state}>
      <tr>
        <td>
          <time dateTime={f.nominal_at}>{clock.full(f.nominal_at)}</time>
          {f.run_now && (
            <div>
              <Badge>{t("schedules.byHand")}</Badge>
            </div>
          )}
          {f.slots > 1 && <div className="soft small">{t("schedules.slots", { n: format.count(f.slots) })}</div>}
        </td>
        <td>
          <FireChip state={f.state} />
        </td>
        <td>{ran && f.baseline ? <Against fire={f} /> : <span className="soft">{absent}</span>}</td>
        <td>
          {counted ? (
            <>
              <span className={css.whole}>
                {f.scored > 0
                  ? t("schedules.lowOf", { low: format.count(f.low), of: format.count(f.scored) })
                  : f.low > 0
                    ? format.count(f.low)
                    : t("runs.lowUntold")}
              </span>
              {f.baseline && f.scored > 0 && (
                <div className="soft small">{t("schedules.lowBefore", { n: format.count(f.low_before) })}</div>
              )}
            </>
          ) : (
            <span className="soft">{absent}</span>
          )}
        </td>
        <td>{f.gate ? <GateChip gate={f.gate} /> : <span className="soft">{absent}</span>}</td>
        <td>
          {money && <div className={css.whole}>{money}</div>}
          {calls && <div className={`${css.whole} ${money ? "soft small" : ""}`}>{calls}</div>}
          {!money && !calls && <span className="soft">{ran ? t("schedules.nothingBought") : absent}</span>}
        </td>
      </tr>
      {(told.length > 0 || f.run_id || f.workbook) && (
        <tr className={css.under}>
          <td colSpan={6}>
            {told.map((line) => (
              <p key={line} className="soft text">
                {line}
              </p>
            ))}
            <Links fire={f} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** What the comparison with the baseline found. */
function Against({ fire: f }: { fire: Fire }) {
  const { t } = useTranslation();
  return (
    <span className={css.counts}>
      <NewlyWorse fire={f} />
      {f.previous && <Count icon="worse" text={t("schedules.worse", { n: f.worse.length })} />}
      {f.mixed > 0 && <Count icon="mixed" text={t("schedules.mixed", { n: f.mixed })} />}
      <Count icon="check" text={t("schedules.needsCheck", { n: f.needs_check })} />
      <Count icon="better" text={t("schedules.better", { n: f.better })} />
    </span>
  );
}

/** Where more is to be seen of a fire. */
function Links({ fire: f }: { fire: Fire }) {
  const { t } = useTranslation();
  if (!f.run_id && !f.workbook) return null;
  const open = isOpen(f);
  return (
    <div className={`${css.links} no-print`}>
      {f.run_id && <PageLink to={`/runs/${f.run_id}`}>{t("schedules.run")}</PageLink>}
      {f.run_id && f.baseline && !open && (
        <PageLink to="/compare" search={{ baseline: f.baseline, candidate: f.run_id }}>
          {t("schedules.withBaseline")}
        </PageLink>
      )}
      {f.run_id && f.previous && !open && (
        <PageLink to="/compare" search={{ baseline: f.previous, candidate: f.run_id }}>
          {t("schedules.withPrevious", { n: f.worse_since_previous.length })}
        </PageLink>
      )}
      {f.anchors && <PageLink to={`/runs/${f.anchors}`}>{t("schedules.anchors")}</PageLink>}
      {f.workbook && (
        <a href={address(`${pathOf(f.schedule)}/fires/${f.id}/workbook.xlsx`)} download>
          {t("schedules.workbook")}
        </a>
      )}
    </div>
  );
}

/** How the judge changed, with the names of the metrics. */
function useDrift(): (drift: string) => string {
  const { t } = useTranslation();
  const words = useWords();
  return (drift) => {
    const found = /^the judge scores the same answers differently than it did: (.*)$/.exec(drift);
    if (!found) return drift;
    const metrics = (found[1] ?? "").split(", ").map((part) => {
      const [metric = "", change = ""] = part.split(" ");
      return `${words.metric(metric)} ${change}`;
    });
    return t("schedules.drift", { metrics: metrics.join(", ") });
  };
}

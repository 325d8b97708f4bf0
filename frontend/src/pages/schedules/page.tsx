import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import type { Fire, ScheduleRow } from "../../api/types_schedules";
import { useUrlState } from "../../app/url";
import { type Column, DataTable } from "../../parts/datatable";
import { GateCaution } from "../../parts/badges";
import { Await, Empty } from "../../parts/faces";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { Channels } from "./channels";
import { useCronWords, useReason, useSchedules } from "./data";
import { NewSchedule } from "./editor";
import css from "./schedules.module.css";
import { FireChip, failKey, GateChip, NewlyWorse, PausedChip, useFailed } from "./statechip";
import { Subject } from "./subject";
import { relative, useClock } from "./times";

/** What is evaluated again and again, and a place to add more. */
export default function SchedulesPage() {
  const { t } = useTranslation();
  const may = useMay("run");
  const query = useSchedules();
  const [url, setUrl] = useUrlState(["new", "experiment", "notebook"]);
  if (url.new && may) {
    return (
      <NewSchedule experiment={url.experiment} notebook={url.notebook} onClose={() => setUrl({ new: "", experiment: "", notebook: "" })} />
    );
  }
  const add = (
    <Button leftSection={<Icon name="add" size={14} />} onClick={() => setUrl({ new: "1" }, { push: true })}>
      {t("schedules.new")}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t("nav.schedules")}
        name={t("nav.schedules")}
        below={<span className="soft">{t("schedules.about")}</span>}
        actions={may && query.data && query.data.items.length > 0 ? add : null}
      />
      <Await query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              title={t("schedules.none")}
              next={t("schedules.noneNext")}
              command="workbench schedule add weekly --experiment NAME --cron '0 6 * * 1' --zone Asia/Tokyo"
              action={may ? add : undefined}
            />
          ) : (
            <div className="stack">
              <GateCaution caution={items.find((s) => s.caution && showsGate(s.last))?.caution} />
              <List schedules={items} />
              <Channels />
            </div>
          )
        }
      </Await>
    </>
  );
}

function List({ schedules }: { schedules: ScheduleRow[] }) {
  const { t } = useTranslation();
  const router = useRouter();
  const columns = useMemo<Column<ScheduleRow>[]>(
    () => [
      {
        id: "name",
        header: t("schedules.name"),
        width: "minmax(150px, 1.3fr)",
        cell: (s) => (
          <div style={{ minWidth: 0 }}>
            <PageLink to={`/schedules/${encodeURIComponent(s.name)}`} className={css.name}>
              {s.name}
            </PageLink>
            <div className="soft small clip">
              <Subject schedule={s} />
            </div>
          </div>
        ),
      },
      { id: "when", header: t("schedules.when"), width: "minmax(180px, 1.5fr)", cell: (s) => <When schedule={s} /> },
      { id: "next", header: t("schedules.next"), width: "minmax(190px, 1.5fr)", cell: (s) => <Next schedule={s} /> },
      { id: "last", header: t("schedules.last"), width: "minmax(340px, 2.4fr)", cell: (s) => <Last schedule={s} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t("nav.schedules")}
      columns={columns}
      rows={schedules}
      rowKey={(s) => s.name}
      total={schedules.length}
      onOpen={(s) => router.history.push(`/schedules/${encodeURIComponent(s.name)}`)}
      rowHeight={schedules.some(saysWhy) ? 104 : 66}
      height={schedules.length > 12 ? "calc(100vh - 170px)" : "auto"}
    />
  );
}

/** Whether a row has the sentence of a failed gate, which tells its counts and takes up to three lines. */
function saysWhy({ last }: ScheduleRow): boolean {
  return last?.state === "ran" && failKey(last) !== undefined;
}

function When({ schedule: s }: { schedule: ScheduleRow }) {
  const words = useCronWords()(s.cron);
  return (
    <div style={{ minWidth: 0 }} title={s.cron}>
      <div className={words ? "clip" : "clip mono"}>{words || s.cron}</div>
      <div className="soft small clip">{s.zone}</div>
    </div>
  );
}

function Next({ schedule: s }: { schedule: ScheduleRow }) {
  const { i18n } = useTranslation();
  const clock = useClock(s.zone);
  const reason = useReason(s.zone);
  if (s.paused || !s.next_at) {
    const why = reason(s.paused_why);
    return (
      <div style={{ minWidth: 0 }}>
        <PausedChip />
        <div className="soft small clip" title={why}>
          {why}
        </div>
      </div>
    );
  }
  return (
    <div style={{ minWidth: 0 }}>
      <div className="clip figures">{clock.brief(s.next_at)}</div>
      <div className="soft small">{relative(i18n.language, s.next_at, Date.now())}</div>
    </div>
  );
}

/** Whether the list shows what the gate decided at a fire: where it did not pass. */
function showsGate(last: Fire | undefined): boolean {
  return last?.state === "ran" && last.baseline !== "" && last.gate !== "" && last.gate !== "PASS";
}

function Last({ schedule: s }: { schedule: ScheduleRow }) {
  const { t } = useTranslation();
  const clock = useClock(s.zone);
  const reason = useReason(s.zone);
  const failed = useFailed();
  const { last } = s;
  if (!last) return <span className="soft small">{t("schedules.never")}</span>;
  const compared = last.state === "ran" && last.baseline !== "";
  const told = last.state === "ran" && last.scored > 0 ? t("schedules.lowShort", { low: last.low, of: last.scored }) : reason(last.reason);
  return (
    <div style={{ minWidth: 0 }}>
      <div className="row" style={{ gap: 7, flexWrap: "nowrap" }}>
        <FireChip state={last.state} /> <span className="small clip figures">{clock.brief(last.nominal_at)}</span>
        {saysWhy(s) && <GateChip gate={last.gate} />}
      </div>
      {saysWhy(s) ? (
        <div className={`${css.why} soft small`} title={failed(last)}>
          {failed(last)}
        </div>
      ) : compared ? (
        <div className={`${css.counts} small`}>
          <NewlyWorse fire={last} />
          {showsGate(last) && <GateChip gate={last.gate} />}
        </div>
      ) : (
        <div className="soft small clip" title={told}>
          {told}
        </div>
      )}
    </div>
  );
}

import { useTranslation } from "react-i18next";
import { useGet } from "../../api/queries";
import type { TracesStatus } from "../../api/types_schedules";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { ownZone, useClock } from "./times";

/** What arrived of the traces that programs send: the newest question, and how many of this week are kept. */
export function Arrived({ zone = ownZone() }: { zone?: string }) {
  const query = useGet<TracesStatus>("/traces");
  return (
    <Await query={query} rows={1}>
      {(status) => <Told status={status} zone={zone} />}
    </Await>
  );
}

function Told({ status: s, zone }: { status: TracesStatus; zone: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const clock = useClock(zone);
  const said = [
    s.accept ? "" : t("traces.off"),
    s.last ? t("traces.last", { at: clock.brief(s.last) }) : t("traces.none"),
    s.last ? t("traces.kept", { week: format.count(s.week), n: format.count(s.questions), days: s.keep_days }) : "",
    s.open > 0 ? t("traces.open", { count: s.open }) : "",
  ];
  return <span data-traces={s.week}>{said.filter(Boolean).join(" ")}</span>;
}

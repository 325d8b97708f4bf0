import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useGet, useList } from "../../../api/queries";
import type { ExperimentRow } from "../../../api/types_experiments";
import type { ScheduleRow } from "../../../api/types_schedules";
import { useUrlState } from "../../../app/url";
import { Empty, Failed, Loading } from "../../../parts/faces";
import { CopyLink } from "../../../parts/tools";
import { PageHead } from "../../../parts/page";
import { PageLink } from "../../../parts/pagelink";
import { Trend } from "./trend";

/** The trend of a schedule or of an experiment: the one in the address, else the first that has run, else the first there is. */
export default function TrendPage() {
  const { t } = useTranslation();
  const [url, setUrl] = useUrlState(["schedule", "experiment", "metrics", "points"]);
  const schedules = useGet<{ items: Pick<ScheduleRow, "name" | "last">[] }>("/schedules");
  const experiments = useList<ExperimentRow>("/experiments", {}, 500);
  const planned = (schedules.data?.items ?? []).map((s) => s.name);
  const run = experiments.rows.map((e) => e.name);
  const schedule = url.experiment ? "" : url.schedule || schedules.data?.items.find((s) => s.last)?.name || planned[0] || "";
  const experiment = url.experiment || (schedule ? "" : (run[0] ?? ""));
  const choose = (value: string) => {
    const kind = value.slice(0, value.indexOf(":"));
    const name = value.slice(kind.length + 1);
    setUrl(
      { schedule: kind === "schedule" ? name : "", experiment: kind === "experiment" ? name : "", metrics: "", points: "" },
      { push: true },
    );
  };
  const options = (kind: string, names: string[], chosen: string) =>
    [...new Set(chosen ? [...names, chosen] : names)].map((name) => ({ value: `${kind}:${name}`, label: name }));
  const data = [
    { group: t("trend.schedules"), items: options("schedule", planned, schedule) },
    { group: t("trend.experiments"), items: options("experiment", run, experiment) },
  ].filter((g) => g.items.length > 0);
  const error = schedules.error ?? experiments.error;
  const pending = schedules.isPending || experiments.isPending;
  return (
    <>
      <PageHead
        title={t("trend.nav")}
        name={[t("trend.nav"), schedule || experiment].filter(Boolean).join(" · ")}
        actions={
          <>
            {data.length > 0 && (
              <NativeSelect
                size="xs"
                aria-label={t("trend.of")}
                data={data}
                value={schedule ? `schedule:${schedule}` : `experiment:${experiment}`}
                onChange={(e) => choose(e.currentTarget.value)}
              />
            )}
            <CopyLink />
          </>
        }
        below={<span className="soft">{t("trend.about")}</span>}
      />
      {error ? (
        <Failed error={error} retry={() => void Promise.all([schedules.refetch(), experiments.refetch()])} />
      ) : pending ? (
        <Loading />
      ) : schedule ? (
        <Trend key={`schedule ${schedule}`} schedule={schedule} alone />
      ) : experiment ? (
        <Trend key={`experiment ${experiment}`} experiment={experiment} alone />
      ) : (
        <Empty
          title={t("trend.none")}
          next={t("trend.noneNext")}
          action={<PageLink to="/experiments?new=1">{t("trend.newExperiment")}</PageLink>}
        />
      )}
    </>
  );
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { get } from "../api/client";
import { ApiProblem } from "../api/problem";
import type { Job } from "../api/types";
import { Badge } from "./badges";
import { ProblemLine } from "./confirmdialog";

/** How often work that is under way is asked after, in milliseconds. */
const askEvery = 1500;

/** How far work is that was started here. When it is done everything on the page is read again. */
export function JobProgress({ id }: { id: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const job = useQuery({
    queryKey: ["job", id],
    queryFn: ({ signal }) => get<Job>(`/jobs/${id}`, {}, signal),
    enabled: id !== "",
    refetchInterval: (query) => (query.state.data && query.state.data.state !== "running" ? false : askEvery),
  });
  const state = job.data?.state;
  useEffect(() => {
    if (state === "done" || state === "failed") void client.invalidateQueries({ predicate: (q) => q.queryKey[0] !== "job" });
  }, [state, client]);
  if (!id || !job.data) return null;
  const { problem } = job.data;
  if (problem) return <ProblemLine error={new ApiProblem(problem as ConstructorParameters<typeof ApiProblem>[0], problem.status)} />;
  return (
    <span role="status">
      <Badge tone={state === "running" ? "accent" : "better"}>
        {state === "running"
          ? job.data.total > 0
            ? t("job.part", { done: job.data.done, total: job.data.total })
            : t("job.running")
          : t("job.done")}
      </Badge>
    </span>
  );
}

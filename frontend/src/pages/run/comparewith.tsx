import { NavLink } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useList } from "../../api/queries";
import type { RunRow } from "../../api/types";
import { formatSearch } from "../../app/url";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { PageLink } from "../../parts/pagelink";
import { Dialog } from "../../parts/dialog";
import { runTitle } from "../../parts/runwords";
import { useWords } from "../../parts/words";

/** Chooses the run that another one is compared with: finished ones on the same dataset, or the reason why there is none. */
export function CompareWith({ run, opened, onClose }: { run: RunRow; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const router = useRouter();
  const words = useWords();
  const runs = useList<RunRow>(opened ? "/runs" : null, { dataset: run.dataset.name, state: "finished", kind: "evaluate" }, 200);
  const others = runs.rows.filter((r) => r.run_id !== run.run_id && !r.parent_id);
  return (
    <Dialog opened={opened} onClose={onClose} title={t("run.compareWith")}>
      <Await query={runs} rows={3}>
        {() =>
          others.length === 0 ? (
            <p role="status">
              {t("run.compareNone", { dataset: run.dataset.name })} <PageLink to="/experiments">{t("run.compareNext")}</PageLink>
            </p>
          ) : (
            <>
              <p className="soft small">{t("run.compareHow", { dataset: run.dataset.name })}</p>
              {others.map((r) => (
                <NavLink
                  key={r.run_id}
                  component="button"
                  label={runTitle(r, words)}
                  description={`${format.brief(r.created_at)} · ${r.run_id}${r.baseline ? ` · ${t("run.isBaseline")}` : ""}`}
                  onClick={() => router.history.push(`/compare${formatSearch({ baseline: r.run_id, candidate: run.run_id })}`)}
                />
              ))}
            </>
          )
        }
      </Await>
    </Dialog>
  );
}

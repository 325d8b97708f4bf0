import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { get } from "../../api/client";
import type { RemovedCell } from "../../api/types_history";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { notebookPath } from "./state";
import css from "./notebook.module.css";

interface RemovedProps {
  name: string;
  digest: string;
  mayEdit: boolean;
  onBack: (cell: RemovedCell) => Promise<void>;
}

/** Cells that were taken out in the last thirty days; they come back with their results. */
export function RemovedCells({ name, digest, mayEdit, onBack }: RemovedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const path = `${notebookPath(name)}/removed`;
  const list = useQuery({
    queryKey: [path, digest],
    queryFn: ({ signal }) => get<{ items: RemovedCell[] }>(path, {}, signal),
    placeholderData: (before) => before,
  });
  const back = useMutation({ mutationFn: onBack });
  const items = list.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <details className={`${css.removed} no-print`} data-removed={items.length}>
      <summary>{t("removed.title", { count: items.length })}</summary>
      <p className="soft small">{t("removed.how")}</p>
      {back.error ? <ProblemLine error={back.error} /> : null}
      <ul>
        {items.map((c) => (
          <li key={c.id}>
            <div className="row">
              <strong className="mono">{c.cell}</strong>
              <span className="soft small">{[c.type, c.by, format.brief(c.at)].filter(Boolean).join(" · ")}</span>
              {mayEdit && (
                <Button size="compact-xs" variant="default" loading={back.isPending} onClick={() => back.mutate(c)}>
                  {t("removed.back", { name: c.cell })}
                </Button>
              )}
            </div>
            <pre className={css.body}>{c.text.trimEnd()}</pre>
          </li>
        ))}
      </ul>
    </details>
  );
}

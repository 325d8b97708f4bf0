import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import type { WebSession } from "../../api/types_people";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import css from "./people.module.css";

/** Where one is signed in, and a way to end each. */
export function Sessions({ present }: { present: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const query = useGet<{ items: WebSession[] }>("/me/sessions");
  const end = useMutation({
    mutationFn: (id: string) => send("DELETE", `/me/sessions/${encodeURIComponent(id)}`),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <Card title={t("people.sessions")}>
      <Await query={query} rows={2}>
        {({ items }) => (
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t("people.browser")}</th>
                <th scope="col">{t("people.from")}</th>
                <th scope="col">{t("people.since")}</th>
                <th scope="col">{t("people.seen")}</th>
                <th scope="col">
                  <span className="hidden-text">{t("people.actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((s) => (
                <tr key={s.id}>
                  <td>{s.agent || absent}</td>
                  <td className="mono">{s.address}</td>
                  <td>{format.moment(s.created_at)}</td>
                  <td>{s.id === present ? t("people.thisOne") : format.moment(s.seen_at)}</td>
                  <td>
                    <Button size="xs" variant="default" loading={end.isPending && end.variables === s.id} onClick={() => end.mutate(s.id)}>
                      {t("people.end")}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Await>
      {end.error ? <ProblemLine error={end.error} /> : null}
    </Card>
  );
}

import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { startAgain } from "../../api/me";
import { useGet } from "../../api/queries";
import type { WebSession } from "../../api/types_people";
import { Badge } from "../../parts/badges";
import { absent, useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { browserOf } from "./browser";
import { type Field, PeopleTable } from "./table";

/** Where one is signed in, and a way to end each. */
export function Sessions({ present }: { present: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const query = useGet<{ items: WebSession[] }>("/me/sessions");
  const end = useMutation({
    mutationFn: (id: string) => send("DELETE", `/me/sessions/${encodeURIComponent(id)}`),
    onSuccess: (_, id) => (id === present ? startAgain() : client.invalidateQueries({ queryKey: ["/me/sessions"] })),
  });
  const fields: Field<WebSession>[] = [
    { head: t("people.browser"), cell: (s) => <span title={s.agent}>{browserOf(s.agent) || absent}</span> },
    { head: t("people.from"), cell: (s) => <span className="mono">{s.address}</span> },
    { head: t("people.since"), cell: (s) => format.moment(s.created_at) },
    { head: t("people.seen"), cell: (s) => (s.id === present ? <Badge>{t("people.thisOne")}</Badge> : format.moment(s.seen_at)) },
  ];
  return (
    <Card title={t("people.sessions")}>
      <PeopleTable
        label={t("people.sessions")}
        query={query}
        fields={fields}
        none={t("people.noSessions")}
        errors={[end.error]}
        actions={(s) => (
          <Button size="xs" variant="default" loading={end.isPending && end.variables === s.id} onClick={() => end.mutate(s.id)}>
            {t(s.id === present ? "people.out" : "people.end")}
          </Button>
        )}
      />
    </Card>
  );
}

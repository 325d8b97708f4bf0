import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import type { Share, Shares as Links } from "../../api/types_share";
import { Badge } from "../../parts/badges";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import css from "./people.module.css";
import { type Field, PeopleTable } from "./table";

/** Links that show a page to people without an account, and a way to end each. */
export function Shares() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const query = useGet<Links>("/shares");
  const revoke = useMutation({
    mutationFn: (id: string) => send("DELETE", `/shares/${encodeURIComponent(id)}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["/shares"] }),
  });
  const fields: Field<Share>[] = [
    { head: t("share.page"), cell: (s) => <span title={t(`share.kinds.${s.kind}`)}>{s.title}</span> },
    { head: t("share.shown"), cell: (s) => <span className={css.short}>{t(s.texts ? "share.withTexts" : "share.withoutTexts")}</span> },
    { head: t("share.by"), cell: (s) => s.made_by },
    {
      head: t("people.expires"),
      cell: (s) => (s.revoked_at ? <Badge tone="needs_check">{t("people.revoked")}</Badge> : format.moment(s.expires_at)),
    },
    { head: t("share.opened"), cell: (s) => format.count(s.opened) },
    { head: t("share.last"), cell: (s) => (s.opened_at ? format.moment(s.opened_at) : t("people.never")) },
  ];
  return (
    <Card title={t("share.links")}>
      <p className="soft small">{t(query.data?.allowed === false ? "share.off" : "share.linksMeaning")}</p>
      <PeopleTable
        label={t("share.links")}
        query={query}
        fields={fields}
        none={t("share.none")}
        errors={[revoke.error]}
        actions={(s) =>
          !s.revoked_at && (
            <Button size="xs" variant="default" loading={revoke.isPending && revoke.variables === s.id} onClick={() => revoke.mutate(s.id)}>
              {t("people.revoke")}
            </Button>
          )
        }
      />
    </Card>
  );
}

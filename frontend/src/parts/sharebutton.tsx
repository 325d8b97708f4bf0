import { Button, Checkbox, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../api/client";
import { useMay, useMe } from "../api/me";
import { useGet } from "../api/queries";
import type { MadeShare, Shared, Shares } from "../api/types_share";
import { ConfirmDialog } from "./confirmdialog";
import { Await } from "./faces";
import { useFormat } from "./format";
import { Icon } from "./icon";
import { Once } from "./once";
import { PageLink } from "./pagelink";

/** Makes a link that shows what is on screen, and nothing else, to whoever has it. */
export function ShareButton({ page }: { page: Shared }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  if (!useMay("edit")) return null;
  return (
    <>
      <Button variant="default" className="no-print" leftSection={<Icon name="share" size={14} />} onClick={() => setOpened(true)}>
        {t("share.open")}
      </Button>
      {opened && <ShareDialog page={page} onClose={() => setOpened(false)} />}
    </>
  );
}

function ShareDialog({ page, onClose }: { page: Shared; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const query = useGet<Shares>("/shares");
  const [texts, setTexts] = useState(false);
  const [comments, setComments] = useState(false);
  const [days, setDays] = useState("");
  const make = useMutation({
    mutationFn: () => send<MadeShare>("POST", "/shares", { ...page, texts, comments, days: Number(days || query.data?.days) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["/shares"] }),
  });
  return (
    <ConfirmDialog
      opened
      title={t("share.title")}
      action={make.data ? t("parts.close") : t("share.make")}
      onClose={onClose}
      onConfirm={() => (make.data ? onClose() : make.mutate())}
      busy={make.isPending}
      disabled={!query.data?.allowed}
      error={make.error}
    >
      <Await query={query} rows={4}>
        {({ allowed, days: usual, max_days: most }) =>
          make.data ? (
            <Made made={make.data} />
          ) : !allowed ? (
            <p>{t("share.off")}</p>
          ) : (
            <div className="stack">
              <p>{t("share.meaning")}</p>
              <Checkbox
                label={t("share.texts")}
                description={t("share.textsMeaning")}
                checked={texts}
                onChange={(e) => setTexts(e.currentTarget.checked)}
              />
              {page.kind === "notebook" && (
                <Checkbox
                  label={t("comments.leave")}
                  description={t("share.commentsMeaning")}
                  checked={comments}
                  onChange={(e) => setComments(e.currentTarget.checked)}
                />
              )}
              <NativeSelect
                label={t("share.days")}
                value={days || String(usual)}
                onChange={(e) => setDays(e.currentTarget.value)}
                data={[...new Set([1, 7, usual, 30, most])].map((n) => ({ value: String(n), label: t("share.ofDays", { count: n }) }))}
              />
            </div>
          )
        }
      </Await>
    </ConfirmDialog>
  );
}

function Made({ made }: { made: MadeShare }) {
  const { t } = useTranslation();
  const format = useFormat();
  const local = useMe().data?.auth === "loopback";
  const link = new URL(made.path, location.origin).href;
  return (
    <div className="stack">
      <Once label={t("people.shownOnce")} secret={link} />
      <p>
        <a href={link} target="_blank" rel="noreferrer">
          {t("share.look")}
        </a>
      </p>
      <p className="soft small">
        {t("share.until", { until: format.moment(made.share.expires_at) })} <PageLink to="/people">{t("share.all")}</PageLink>
      </p>
      {local && <p className="soft small">{t("share.local")}</p>}
    </div>
  );
}

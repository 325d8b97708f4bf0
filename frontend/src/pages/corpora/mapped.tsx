import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay } from "../../api/me";
import type { CorpusIndex } from "../../api/types_library";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";

/** The index of a team that a corpus is searched in: what its rows mean, and whether they fit the documents. */
export function Mapped({ corpus, index }: { corpus: string; index: CorpusIndex }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayEdit = useMay("edit");
  const [asked, setAsked] = useState(false);
  const { check } = index;
  const fields = Object.entries(index.fields).map(([name, field]) => `${name}: ${field}`);
  return (
    <Card>
      <div className="row apart">
        <div>
          <p>
            <strong>{t("corpora.searchedIn", { table: index.table, engine: index.engine })}</strong>
            {index.version && <span className="soft"> {t("corpora.indexVersion", { version: index.version })}</span>}
          </p>
          <p>{t(`corpora.indexPlaces.${index.offsets}`)}</p>
          <p className="soft small">
            {t("corpora.indexRows", {
              rows: format.count(check.rows),
              sample: format.count(check.sample),
              found: format.count(check.found),
              share: format.share(check.share),
            })}
          </p>
          <p className="soft small">{t("corpora.indexFields", { fields: fields.join(", "), distance: index.distance })}</p>
        </div>
        {mayEdit && (
          <Button variant="default" className="no-print" onClick={() => setAsked(true)}>
            {t("corpora.detach")}
          </Button>
        )}
      </div>
      {asked && <Detach corpus={corpus} table={index.table} onClose={() => setAsked(false)} />}
    </Card>
  );
}

function Detach({ corpus, table, onClose }: { corpus: string; table: string; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const detach = useMutation({
    mutationFn: () => send("DELETE", `/corpora/${encodeURIComponent(corpus)}/index`),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      opened
      danger
      title={t("corpora.detachAsk", { name: corpus, table })}
      action={t("corpora.detach")}
      busy={detach.isPending}
      error={detach.error}
      onConfirm={() => detach.mutate()}
      onClose={onClose}
    >
      {t("corpora.detachMeans")}
    </ConfirmDialog>
  );
}

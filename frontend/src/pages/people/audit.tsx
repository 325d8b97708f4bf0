import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { address } from "../../api/client";
import { useMay } from "../../api/me";
import { useList } from "../../api/queries";
import type { AuditEntry } from "../../api/types_people";
import { useUrlState } from "../../app/url";
import { Badge } from "../../parts/badges";
import { type Column, DataTable } from "../../parts/datatable";
import { Empty, Failed, Loading } from "../../parts/faces";
import { absent, useFormat } from "../../parts/format";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import css from "./people.module.css";

const tones = { done: "neutral", refused: "needs_check", failed: "worse" } as const;

/** Who did what, when and from where, for administrators. */
export default function AuditPage() {
  const { t } = useTranslation();
  if (useMay("admin")) return <Log />;
  return (
    <>
      <PageHead title={t("people.audit")} name={t("people.audit")} above={<PageLink to="/people">{t("nav.people")}</PageLink>} />
      <Empty title={t("people.auditAdmins")} next={t("people.auditAsk")} />
    </>
  );
}

function Log() {
  const { t } = useTranslation();
  const [url, setUrl] = useUrlState(["name", "outcome", "since"]);
  const [name, setName] = useState(url.name);
  const list = useList<AuditEntry>("/audit", url);
  const columns = useColumns();
  return (
    <>
      <PageHead
        title={t("people.audit")}
        name={t("people.audit")}
        above={<PageLink to="/people">{t("nav.people")}</PageLink>}
        below={<span className="soft">{t("people.auditMeaning")}</span>}
        actions={(["csv", "xlsx", "jsonl"] as const).map((format) => (
          <a key={format} href={address(`/audit.${format}`, url)} download>
            {format.toUpperCase()}
          </a>
        ))}
      />
      <div className="stack">
        <div className={`${css.form} no-print`}>
          <TextInput
            size="xs"
            label={t("people.who")}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            onBlur={() => setUrl({ name: name.trim() })}
            onKeyDown={(e) => e.key === "Enter" && setUrl({ name: name.trim() })}
          />
          <Select
            size="xs"
            clearable
            placeholder={t("people.anyOutcome")}
            label={t("people.outcome")}
            value={url.outcome || null}
            data={(["done", "refused", "failed"] as const).map((value) => ({ value, label: t(`people.outcomes.${value}`) }))}
            onChange={(value) => setUrl({ outcome: value ?? "" })}
          />
          <TextInput
            size="xs"
            type="date"
            label={t("people.sinceDay")}
            value={url.since}
            onChange={(e) => setUrl({ since: e.currentTarget.value })}
          />
        </div>
        {list.error ? (
          <Failed error={list.error} retry={() => void list.refetch()} />
        ) : list.isPending ? (
          <Loading />
        ) : (
          <DataTable
            label={t("people.audit")}
            columns={columns}
            rows={list.rows}
            rowKey={(e) => String(e.id)}
            total={list.total}
            more={() => list.hasNextPage && !list.isFetching && void list.fetchNextPage()}
            height="calc(100vh - 260px)"
            empty={<p className="soft">{t("people.noEntries")}</p>}
          />
        )}
      </div>
    </>
  );
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return [
    { id: "at", header: t("people.when"), width: "180px", cell: (e) => format.moment(e.at) },
    {
      id: "outcome",
      header: t("people.outcome"),
      width: "100px",
      cell: (e) => (
        <Badge tone={tones[e.outcome as keyof typeof tones] ?? "neutral"}>
          {t(`people.outcomes.${e.outcome}`, { defaultValue: e.outcome })}
        </Badge>
      ),
    },
    {
      id: "who",
      header: t("people.who"),
      width: "minmax(180px, 1fr)",
      cell: (e) => e.name || t(`people.kinds.${e.kind}`, { defaultValue: e.kind }),
    },
    { id: "action", header: t("people.whatDone"), width: "minmax(190px, 1fr)", cell: (e) => <span className="mono">{e.action}</span> },
    { id: "target", header: t("people.toWhat"), width: "minmax(200px, 2fr)", cell: (e) => <What entry={e} /> },
    { id: "from", header: t("people.from"), width: "140px", cell: (e) => <span className="mono">{e.address || absent}</span> },
  ];
}

/** To what something was done, and the details below it: a row has room for a line of each. */
function What({ entry: e }: { entry: AuditEntry }) {
  if (!e.target && !e.detail) return absent;
  return (
    <div className={css.target}>
      {[e.target, e.detail].filter(Boolean).map((text, i) => (
        <div key={i} className={`clip ${i > 0 ? "soft small" : ""}`} title={text}>
          {text}
        </div>
      ))}
    </div>
  );
}

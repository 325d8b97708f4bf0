import { Button, NativeSelect } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMay } from "../../api/me";
import { useGet, useList } from "../../api/queries";
import type { AgreementRow } from "../../api/types_agreement";
import type { LibraryRow } from "../../api/types_library";
import { useUrlState } from "../../app/url";
import { type Column, DataTable } from "../../parts/datatable";
import { Await, Empty } from "../../parts/faces";
import { absent } from "../../parts/format";
import { Icon } from "../../parts/icon";
import { PageHead } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { passed, today } from "./form";
import { ImportReviews } from "./import";

const pathOf = (dataset: string) => `/agreements/${encodeURIComponent(dataset)}`;

/** What was agreed, dataset by dataset, and the way to read back what people say about answers. */
export default function AgreementsPage() {
  const { t } = useTranslation();
  const router = useRouter();
  const may = useMay("edit");
  const [url, setUrl] = useUrlState(["import"]);
  const query = useGet<{ items: AgreementRow[] }>("/agreements");
  const columns = useColumns();
  if (url.import)
    return <ImportReviews onClose={() => setUrl({ import: "" })} above={<PageLink to="/agreements">{t("nav.agreements")}</PageLink>} />;
  return (
    <>
      <PageHead
        title={t("nav.agreements")}
        name={t("nav.agreements")}
        below={<span className="soft">{t("agreement.about")}</span>}
        actions={
          may && (
            <Button variant="default" leftSection={<Icon name="up" size={14} />} onClick={() => setUrl({ import: "1" }, { push: true })}>
              {t("agreement.importReviews")}
            </Button>
          )
        }
      />
      <Await query={query}>
        {({ items }) => (
          <div className="stack">
            {items.length === 0 ? (
              <Empty title={t("agreement.none")} next={t("agreement.noneNext")} action={may && <Start agreed={[]} />} />
            ) : (
              <>
                <DataTable
                  label={t("nav.agreements")}
                  columns={columns}
                  rows={items}
                  rowKey={(r) => r.dataset}
                  total={items.length}
                  onOpen={(r) => router.history.push(pathOf(r.dataset))}
                />
                {may && <Start agreed={items.map((i) => i.dataset)} />}
              </>
            )}
          </div>
        )}
      </Await>
    </>
  );
}

/** Begins an agreement about a dataset that has none. */
function Start({ agreed }: { agreed: string[] }) {
  const { t } = useTranslation();
  const router = useRouter();
  const datasets = useList<LibraryRow>("/datasets", {}, 500);
  const open = datasets.rows.map((d) => d.name).filter((n) => !agreed.includes(n));
  const [chosen, setChosen] = useState("");
  const name = chosen || open[0] || "";
  if (!datasets.isSuccess) return null;
  if (datasets.total === 0)
    return (
      <p className="soft">
        {t("agreement.needDataset")} <PageLink to="/datasets">{t("nav.datasets")}</PageLink>
      </p>
    );
  if (open.length === 0) return null;
  return (
    <div className="row">
      <NativeSelect size="xs" aria-label={t("run.dataset")} data={open} value={name} onChange={(e) => setChosen(e.currentTarget.value)} />
      <Button leftSection={<Icon name="add" size={14} />} onClick={() => router.history.push(`${pathOf(name)}?edit=1`)}>
        {t("agreement.start")}
      </Button>
    </div>
  );
}

function useColumns(): Column<AgreementRow>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: "dataset",
        header: t("run.dataset"),
        width: "minmax(180px, 2fr)",
        cell: (r) => <PageLink to={pathOf(r.dataset)}>{r.dataset}</PageLink>,
      },
      { id: "version", header: t("datasets.version"), width: "80px", right: true, cell: (r) => r.version },
      { id: "low", header: t("agreement.threshold"), width: "130px", right: true, cell: (r) => `≤ ${r.low_score}` },
      { id: "targets", header: t("agreement.targets"), width: "100px", right: true, cell: (r) => r.targets },
      { id: "items", header: t("agreement.items"), width: "110px", right: true, cell: (r) => r.items },
      { id: "by", header: t("agreement.agreedBy"), width: "minmax(180px, 2fr)", cell: (r) => r.agreed_by.join(t("agreement.joint")) },
      { id: "on", header: t("agreement.agreedOn"), width: "120px", cell: (r) => <span className="figures">{r.agreed_on}</span> },
      {
        id: "due",
        header: t("agreement.nextDue"),
        width: "190px",
        cell: (r) => (
          <span className="figures">
            {passed(r.next_due, today()) ? t("agreement.duePassed", { date: r.next_due }) : (r.next_due ?? absent)}
          </span>
        ),
      },
    ],
    [t],
  );
}

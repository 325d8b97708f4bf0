import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../api/client";
import { useMay } from "../api/me";
import { useGet } from "../api/queries";
import { type CellSchema, type NotebookDetail, type NotebookRow, type NotebookSaved, said } from "../api/types_notebook";
import { ConfirmDialog } from "./confirmdialog";
import { Icon } from "./icon";
import { PageLink } from "./pagelink";
import type { SentCell } from "./sentcells";

/** Puts a cell behind another one of a notebook, or behind the last, after those that it refers to. */
async function put(
  notebook: string,
  cell: SentCell,
  after: string,
  names: Record<string, string> = {},
): Promise<NotebookSaved & { cell: string }> {
  let place = after;
  for (const before of cell.first ?? []) {
    const made = await put(notebook, before, place, names);
    if (place) place = made.cell;
  }
  const body = typeof cell.body === "string" ? cell.body : cell.body(names);
  const made = await send<NotebookSaved & { cell: string }>("POST", `/notebooks/${encodeURIComponent(notebook)}/cells`, {
    type: cell.type,
    body,
    ...(place ? { after: place } : {}),
  });
  names[cell.type] = made.cell;
  return made;
}

/** Adds a cell about what is on screen to a notebook. Where it can be shown in several ways, people choose one. */
export function SendToNotebook({ cells, brief = false }: { cells: SentCell[]; brief?: boolean }) {
  const { t } = useTranslation();
  const may = useMay("edit");
  const [opened, setOpened] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button
        variant={brief ? "subtle" : "default"}
        className="no-print"
        {...(brief
          ? { px: 6, "aria-label": t("notebook.send"), title: t("notebook.send") }
          : { leftSection: <Icon name="notebooks" size={14} /> })}
        onClick={() => setOpened(true)}
      >
        {brief ? <Icon name="notebooks" size={15} /> : t("notebook.send")}
      </Button>
      {opened && <SendDialog cells={cells} onClose={() => setOpened(false)} />}
    </>
  );
}

function SendDialog({ cells, onClose }: { cells: SentCell[]; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const notebooks = useGet<{ items: NotebookRow[] }>("/notebooks").data?.items;
  const schemas = useGet<{ items: CellSchema[] }>("/notebooks/schemas").data?.items ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [type, setType] = useState(cells[0]?.type ?? "");
  const to = chosen ?? notebooks?.[0]?.name ?? "";
  const [after, setAfter] = useState("");
  const there = useGet<NotebookDetail>(to ? `/notebooks/${encodeURIComponent(to)}` : null).data?.cells ?? [];
  const work = useMutation({
    mutationFn: async () => {
      const target = to || (await send<NotebookSaved>("POST", "/notebooks", { name: freeName(notebooks ?? []) })).name;
      return put(target, (cells.find((c) => c.type === type) ?? cells[0]) as SentCell, after);
    },
    onSuccess: () => client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith("/notebooks") }),
  });
  const about = (of: string) => said(schemas.find((s) => s.type === of)?.doc, i18n.language);
  return (
    <ConfirmDialog
      opened
      title={t("notebook.sendTitle")}
      action={work.data ? t("parts.close") : t("notebook.sendAction")}
      onClose={onClose}
      onConfirm={() => (work.data ? onClose() : work.mutate())}
      busy={work.isPending}
      disabled={!notebooks}
      error={work.error}
    >
      {work.data ? (
        <p role="status">
          {t("notebook.sent", { cell: work.data.cell })}{" "}
          <PageLink to={`/notebooks/${encodeURIComponent(work.data.name)}`} search={{ cell: work.data.cell }}>
            {t("notebook.openIt")}
          </PageLink>
        </p>
      ) : (
        <div className="stack">
          {cells.length > 1 && (
            <NativeSelect
              label={t("notebook.sendAs")}
              value={type}
              onChange={(e) => setType(e.currentTarget.value)}
              data={cells.map((c) => ({ value: c.type, label: `${c.type} · ${about(c.type)}` }))}
            />
          )}
          <NativeSelect
            data-autofocus
            label={t("notebook.sendTo")}
            value={to}
            onChange={(e) => {
              setChosen(e.currentTarget.value);
              setAfter("");
            }}
            data={[
              ...(notebooks ?? []).map((n) => ({ value: n.name, label: said(n.title, i18n.language) || n.name })),
              { value: "", label: t("notebook.sendNew") },
            ]}
          />
          {there.length > 0 && (
            <NativeSelect
              label={t("notebook.sendPlace")}
              value={after}
              onChange={(e) => setAfter(e.currentTarget.value)}
              data={[
                { value: "", label: t("notebook.sendEnd") },
                ...there.map((c) => ({ value: c.name, label: t("notebook.sendAfter", { name: c.name, type: c.type }) })),
              ]}
            />
          )}
        </div>
      )}
    </ConfirmDialog>
  );
}

function freeName(notebooks: NotebookRow[]): string {
  let n = 1;
  const name = () => (n === 1 ? "study" : `study-${n}`);
  while (notebooks.some((x) => x.name === name())) n++;
  return name();
}

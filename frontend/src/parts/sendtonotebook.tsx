import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { get, send } from "../api/client";
import { useMay } from "../api/me";
import { useGet } from "../api/queries";
import { type CellSchema, type NotebookDetail, type NotebookRow, type NotebookSaved, said } from "../api/types_notebook";
import { formatSearch } from "../app/url";
import { ConfirmDialog } from "./confirmdialog";
import { Icon } from "./icon";
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
    ...(cell.name ? { name: cell.name } : {}),
    ...(place ? { after: place } : {}),
  });
  names[cell.type] = made.cell;
  return made;
}

interface SendProps {
  cells: SentCell[];
  brief?: boolean;
  /** What a new notebook is called, as far as that is free. */
  name?: string;
  /** What can be chosen about the cells themselves. */
  options?: ReactNode;
}

/** Adds a cell about what is on screen to a notebook. Where it can be shown in several ways, people choose one. */
export function SendToNotebook({ brief = false, ...rest }: SendProps) {
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
      {opened && <SendDialog {...rest} onClose={() => setOpened(false)} />}
    </>
  );
}

/** Where it goes is a new notebook with a name, whatever there is; another one is changed only when somebody chose it. */
function SendDialog({ cells, name: wished = "study", options, onClose }: SendProps & { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const notebooks = useGet<{ items: NotebookRow[] }>("/notebooks").data?.items;
  const schemas = useGet<{ items: CellSchema[] }>("/notebooks/schemas").data?.items ?? [];
  const [to, setTo] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const [after, setAfter] = useState("");
  const made = useRef(""); // a notebook of this dialog, where a cell of it was refused
  const there = useGet<NotebookDetail>(to ? `/notebooks/${encodeURIComponent(to)}` : null).data?.cells ?? [];
  const name = typed ?? freeName(wished, notebooks ?? []);
  const ready = to !== "" || notebookShape.test(name);
  const work = useMutation({
    mutationFn: async () => {
      if (!to && !made.current) {
        const free = typed ?? freeName(wished, (await get<{ items: NotebookRow[] }>("/notebooks")).items);
        made.current = (await send<NotebookSaved>("POST", "/notebooks", { name: free })).name;
      }
      return put(to || made.current, (cells[chosen] ?? cells[0]) as SentCell, after);
    },
    onSuccess: () => client.invalidateQueries({ predicate: (q) => String(q.queryKey[0]).startsWith("/notebooks") }),
  });
  const about = (of: string) => said(schemas.find((s) => s.type === of)?.doc, i18n.language);
  return (
    <ConfirmDialog
      opened
      title={t("notebook.sendTitle")}
      action={work.data ? t("notebook.openIt") : t("notebook.sendAction")}
      onClose={onClose}
      onConfirm={() => (work.data ? router.history.push(place(work.data)) : work.mutate())}
      busy={work.isPending}
      disabled={!ready}
      {...(work.data ? { cancel: t("parts.close") } : {})}
      error={work.error}
    >
      {work.data ? (
        <p role="status">{t("notebook.sent", { cell: work.data.cell, name: work.data.name })}</p>
      ) : (
        <div className="stack">
          {cells.length > 1 && (
            <NativeSelect
              label={t("notebook.sendAs")}
              value={String(chosen)}
              onChange={(e) => setChosen(Number(e.currentTarget.value))}
              data={cells.map((c, i) => ({ value: String(i), label: c.label ?? `${c.type} · ${about(c.type)}` }))}
            />
          )}
          {options}
          <NativeSelect
            data-autofocus
            label={t("notebook.sendTo")}
            value={to}
            onChange={(e) => {
              setTo(e.currentTarget.value);
              setAfter("");
            }}
            data={[
              { value: "", label: t("notebook.sendNew") },
              ...(notebooks ?? []).map((n) => ({ value: n.name, label: withName(said(n.title, i18n.language), n.name) })),
            ]}
          />
          {to === "" && (
            <TextInput
              label={t("notebooks.name")}
              description={t("notebooks.nameHow")}
              value={name}
              onChange={(e) => {
                made.current = "";
                setTyped(e.currentTarget.value);
              }}
            />
          )}
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

/** Where a cell of a notebook is shown. */
const place = (of: { name: string; cell: string }) => `/notebooks/${encodeURIComponent(of.name)}${formatSearch({ cell: of.cell })}`;

/** A title with the name of its notebook: several can have one title. */
const withName = (title: string, name: string) => (title && title !== name ? `${title} · ${name}` : name);

/** What may be a notebook's name. */
export const notebookShape = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

/** The name, or with a number the first one that no notebook has. */
export function freeName(wished: string, notebooks: { name: string }[]): string {
  let n = 1;
  const name = () => (n === 1 ? wished : `${wished}-${n}`);
  while (notebooks.some((x) => x.name === name())) n++;
  return name();
}

import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { type GalleryEntry, type NotebookSaved, said } from "../../api/types_notebook";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { PageLink } from "../../parts/pagelink";
import { nameShape } from "../notebook/text";
import { QuoteLine } from "./quote";
import { SlotField, useSlots } from "./slots";

interface CreateDialogProps {
  from: string; // "" is closed, "empty" begins with nothing, else an entry of the gallery
  entry: GalleryEntry | undefined;
  taken: string[];
  onClose: () => void;
}

/** Makes a notebook from a template, on data that are registered, or an empty one, and opens it. What it makes and costs is said before. */
export function CreateDialog({ from, entry, taken, onClose }: CreateDialogProps) {
  const { t, i18n } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const base = entry?.id ?? "study";
  const free = taken.includes(base) ? `${base}-${nextNumber(base, taken)}` : base;
  const name = typed ?? free;
  const slots = useSlots(entry);
  const ready = nameShape.test(name) && (!entry || slots.filled);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another origin proposes another name
  useEffect(() => setTyped(null), [from]);
  const filled = { from: entry?.id ?? "", slots: slots.values, lang: i18n.language === "ja" ? "ja" : "en" };
  const create = useMutation({
    mutationFn: () => send<NotebookSaved>("POST", "/notebooks", entry ? { name, ...filled } : { name }),
    onSuccess: (saved) => {
      void client.invalidateQueries({ queryKey: ["/notebooks"] });
      router.history.push(`/notebooks/${encodeURIComponent(saved.name)}`);
    },
  });
  return (
    <ConfirmDialog
      opened={from !== ""}
      title={entry ? t("notebooks.newFrom", { title: said(entry.title, i18n.language) || entry.id }) : t("notebooks.new")}
      action={t("notebooks.create")}
      onClose={onClose}
      onConfirm={() => create.mutate()}
      busy={create.isPending}
      disabled={!ready}
      error={create.error}
    >
      <TextInput
        data-autofocus
        label={t("notebooks.name")}
        description={t("notebooks.nameHow")}
        value={name}
        onChange={(e) => setTyped(e.currentTarget.value)}
        onKeyDown={(e) => e.key === "Enter" && ready && create.mutate()}
      />
      {entry && (
        <>
          {slots.canDemo && (
            <NativeSelect
              mt="sm"
              label={t("notebooks.data")}
              value={slots.demo ? "demo" : "own"}
              data={[
                { value: "own", label: t("notebooks.ownData"), disabled: slots.none !== "" },
                { value: "demo", label: t("notebooks.demoData") },
              ]}
              onChange={(e) => slots.setDemo(e.currentTarget.value === "demo")}
            />
          )}
          {slots.shown.map((s) => (
            <SlotField key={s.name} slot={s} slots={slots} />
          ))}
          {slots.none && (
            <p className="soft" role="status">
              {t("notebooks.noData")}{" "}
              <PageLink to={slots.none} search={{ import: "1" }}>
                {t("notebooks.importData")}
              </PageLink>
            </p>
          )}
          {slots.filled && <QuoteLine filled={filled} />}
        </>
      )}
    </ConfirmDialog>
  );
}

function nextNumber(base: string, taken: string[]): number {
  let n = 2;
  while (taken.includes(`${base}-${n}`)) n++;
  return n;
}

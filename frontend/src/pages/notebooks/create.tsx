import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { type GalleryEntry, type NotebookSaved, said } from "../../api/types_notebook";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { nameShape } from "../notebook/text";

interface CreateDialogProps {
  from: string; // "" is closed, "empty" begins with nothing, else an entry of the gallery
  entry: GalleryEntry | undefined;
  taken: string[];
  onClose: () => void;
}

/** Makes a notebook from an entry of the gallery, or an empty one, and opens it. */
export function CreateDialog({ from, entry, taken, onClose }: CreateDialogProps) {
  const { t, i18n } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const base = entry?.id ?? "study";
  const free = taken.includes(base) ? `${base}-${nextNumber(base, taken)}` : base;
  const name = typed ?? free;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another origin proposes another name
  useEffect(() => setTyped(null), [from]);
  const create = useMutation({
    mutationFn: () => send<NotebookSaved>("POST", "/notebooks", entry ? { name, from: entry.id } : { name }),
    onSuccess: (saved) => {
      void client.invalidateQueries({ queryKey: ["/notebooks"] });
      router.history.push(`/notebooks/${encodeURIComponent(saved.name)}`);
    },
  });
  return (
    <ConfirmDialog
      opened={from !== ""}
      title={entry ? t("notebooks.newFrom", { title: said(entry.title, i18n.language) }) : t("notebooks.new")}
      action={t("notebooks.create")}
      onClose={onClose}
      onConfirm={() => create.mutate()}
      busy={create.isPending}
      disabled={!nameShape.test(name)}
      error={create.error}
    >
      <TextInput
        data-autofocus
        label={t("notebooks.name")}
        description={t("notebooks.nameHow")}
        value={name}
        onChange={(e) => setTyped(e.currentTarget.value)}
        onKeyDown={(e) => e.key === "Enter" && nameShape.test(name) && create.mutate()}
      />
    </ConfirmDialog>
  );
}

function nextNumber(base: string, taken: string[]): number {
  let n = 2;
  while (taken.includes(`${base}-${n}`)) n++;
  return n;
}

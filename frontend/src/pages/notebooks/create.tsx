import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useList } from "../../api/queries";
import type { LibraryRow } from "../../api/types_library";
import { type GalleryEntry, type NotebookSaved, said } from "../../api/types_notebook";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { PageLink } from "../../parts/pagelink";
import { nameShape } from "../notebook/text";

interface CreateDialogProps {
  from: string; // "" is closed, "empty" begins with nothing, else an entry of the gallery
  entry: GalleryEntry | undefined;
  taken: string[];
  onClose: () => void;
}

/** Makes a notebook from an entry of the gallery, on data that are registered, or an empty one, and opens it. */
export function CreateDialog({ from, entry, taken, onClose }: CreateDialogProps) {
  const { t, i18n } = useTranslation();
  const router = useRouter();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const base = entry?.id ?? "study";
  const free = taken.includes(base) ? `${base}-${nextNumber(base, taken)}` : base;
  const name = typed ?? free;
  const datasets = useRegistered(entry ? "/datasets" : null);
  const corpora = useRegistered(entry ? "/corpora" : null, datasets.chosen);
  const ready = nameShape.test(name) && (!entry || (corpora.chosen !== "" && datasets.chosen !== ""));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another origin proposes another name
  useEffect(() => setTyped(null), [from]);
  const create = useMutation({
    mutationFn: () =>
      send<NotebookSaved>(
        "POST",
        "/notebooks",
        entry ? { name, from: entry.id, corpus: corpora.chosen, dataset: datasets.chosen } : { name },
      ),
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
          <NativeSelect
            mt="sm"
            label={t("notebooks.corpus")}
            description={t(entry.id === "judge" ? "notebooks.corpusBefore" : "notebooks.corpusHow")}
            value={corpora.chosen}
            data={corpora.names}
            onChange={(e) => corpora.choose(e.currentTarget.value)}
          />
          <NativeSelect
            mt="sm"
            label={t("notebooks.dataset")}
            description={t("notebooks.datasetHow")}
            value={datasets.chosen}
            data={datasets.names}
            onChange={(e) => datasets.choose(e.currentTarget.value)}
          />
          {(corpora.none || datasets.none) && (
            <p className="soft" role="status">
              {t("notebooks.noData")}{" "}
              <PageLink to={corpora.none ? "/corpora" : "/datasets"} search={{ import: "1" }}>
                {t("notebooks.importData")}
              </PageLink>
            </p>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

/** What is registered of a kind, the newest first, and the one that is chosen: at first the one of a name that is likely, else the newest. */
function useRegistered(path: string | null, likely = "") {
  const [choice, choose] = useState("");
  const list = useList<LibraryRow>(path, {}, 500);
  const names = [...list.rows].sort((a, b) => b.created_at.localeCompare(a.created_at)).map((r) => r.name);
  return {
    names,
    chosen: [choice, likely].find((n) => names.includes(n)) ?? names[0] ?? "",
    choose,
    none: list.isSuccess && names.length === 0,
  };
}

function nextNumber(base: string, taken: string[]): number {
  let n = 2;
  while (taken.includes(`${base}-${n}`)) n++;
  return n;
}

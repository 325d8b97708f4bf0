import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { type GalleryEntry, type NotebookSaved, said } from "../../api/types_notebook";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { PageLink } from "../../parts/pagelink";
import { freeName, notebookShape } from "../../parts/sendtonotebook";
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
  const name =
    typed ??
    freeName(
      entry?.id ?? "study",
      taken.map((name) => ({ name })),
    );
  const slots = useSlots(entry);
  const ready = notebookShape.test(name) && (!entry || slots.filled);
  const filled = { from: entry?.id ?? "", slots: slots.values, lang: i18n.language === "ja" ? "ja" : "en" };
  const asked = useRef(false); // at once: what a mutation says of itself is seen by the next rendering only
  const create = useMutation({
    mutationFn: () => send<NotebookSaved>("POST", "/notebooks", entry ? { name, ...filled } : { name }),
    onSuccess: (saved) => {
      void client.invalidateQueries({ queryKey: ["/notebooks"] });
      router.history.push(`/notebooks/${encodeURIComponent(saved.name)}`);
    },
    onError: () => {
      asked.current = false;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another origin proposes another name
  useEffect(() => {
    setTyped(null);
    asked.current = false;
    create.reset();
  }, [from]);
  /** Once: a second Enter, or the one that ends the input of Japanese, makes no second notebook. */
  const make = () => {
    if (!ready || asked.current) return;
    asked.current = true;
    create.mutate();
  };
  return (
    <ConfirmDialog
      opened={from !== ""}
      title={entry ? t("notebooks.newFrom", { title: said(entry.title, i18n.language) || entry.id }) : t("notebooks.new")}
      action={t("notebooks.create")}
      onClose={onClose}
      onConfirm={make}
      busy={create.isPending || create.isSuccess}
      disabled={!ready}
      error={create.error}
    >
      <TextInput
        data-autofocus
        label={t("notebooks.name")}
        description={t("notebooks.nameHow")}
        value={name}
        onChange={(e) => setTyped(e.currentTarget.value)}
        onKeyDown={(e) => e.key === "Enter" && !e.repeat && !e.nativeEvent.isComposing && make()}
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

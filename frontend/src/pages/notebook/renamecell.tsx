import { TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../parts/confirmdialog";
import { nameShape } from "./text";

/** Gives a cell another name, and everything that refers to it with it. */
export function RenameCell({
  opened,
  name,
  onClose,
  onRename,
}: {
  opened: boolean;
  name: string;
  onClose: () => void;
  onRename: (name: string) => Promise<void>;
}) {
  const { t } = useTranslation();
  const [next, setNext] = useState(name);
  const work = useMutation({ mutationFn: onRename, onSuccess: onClose });
  const { reset } = work;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that opens again forgets what was typed
  useEffect(() => {
    setNext(name);
    reset();
  }, [opened, name, reset]);
  return (
    <ConfirmDialog
      opened={opened}
      title={t("notebook.renameTitle", { name })}
      action={t("notebook.renameAction")}
      onClose={onClose}
      onConfirm={() => work.mutate(next)}
      busy={work.isPending}
      disabled={!nameShape.test(next) || next === name}
      error={work.error}
    >
      <TextInput
        data-autofocus
        label={t("notebook.newName")}
        description={t("notebook.renameHow")}
        value={next}
        onChange={(e) => setNext(e.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

import { Button, Checkbox, Menu, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { base, send } from "../../api/client";
import type { NotebookDetail, NotebookSaved } from "../../api/types_notebook";
import { ConfirmDialog, ProblemLine } from "../../parts/confirmdialog";
import { Icon } from "../../parts/icon";
import { notebookPath } from "./state";
import { nameShape } from "./text";
import css from "./comments.module.css";

interface NotebookMenuProps {
  known: NotebookDetail;
  params: string[];
  mayEdit: boolean;
  onHistory: () => void;
  onGraph: () => void;
}

/** Downloads of a notebook, and what can be done with the file. */
export function NotebookMenu({ known, params, mayEdit, onHistory, onGraph }: NotebookMenuProps) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const [asking, setAsking] = useState<"rename" | "remove" | "template" | null>(null);
  const [name, setName] = useState(known.name);
  const path = notebookPath(known.name);
  const [comments, setComments] = useState(false);
  const seal = useMutation({
    mutationFn: () => send("POST", `/notebooks/${encodeURIComponent(known.name)}/snapshots${comments ? "?comments=true" : ""}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["/notebooks/snapshots"] }),
  });
  const rename = useMutation({
    mutationFn: () => send<NotebookSaved>("POST", `/notebooks/${encodeURIComponent(known.name)}/rename`, { name }),
    onSuccess: (saved) => {
      setAsking(null);
      void client.invalidateQueries({ queryKey: ["/notebooks"] });
      router.history.replace(`/notebooks/${encodeURIComponent(saved.name)}`);
    },
  });
  const remove = useMutation({
    mutationFn: () => send("DELETE", `/notebooks/${encodeURIComponent(known.name)}`),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["/notebooks"] });
      router.history.push(`/notebooks?removed=${encodeURIComponent(known.name)}`);
    },
  });
  const template = useMutation({
    mutationFn: () => send("POST", "/notebooks/gallery", { notebook: known.name, name }),
    onSuccess: () => {
      setAsking(null);
      void client.invalidateQueries({ queryKey: ["/notebooks/gallery"] });
    },
  });
  const download = (format: string, lang: string) => {
    const query = new URLSearchParams([["lang", lang], ...params.map((p) => ["param", p])]);
    if (comments && (format === "html" || format === "ragsnap")) query.set("comments", "true");
    return (
      <Menu.Item key={format + lang} component="a" href={`${base}${path}/notebook.${format}?${query.toString()}`} download>
        {t(`notebook.file.${format}`)} {format === "ragsnap" ? "" : t(`notebook.lang.${lang}`)}
      </Menu.Item>
    );
  };
  const languages = i18n.language === "ja" ? ["ja", "en"] : ["en", "ja"];
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" aria-label={t("notebook.moreOfAll")}>
            <Icon name="more" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!known.read_only && <Menu.Item onClick={onHistory}>{t("history.open")}</Menu.Item>}
          <Menu.Item onClick={onGraph}>{t("graph.open")}</Menu.Item>
          {!known.read_only && <Menu.Divider />}
          {!known.read_only && languages.flatMap((lang) => [download("html", lang), download("xlsx", lang), download("ipynb", lang)])}
          {!known.read_only && download("ragsnap", "en")}
          {!known.read_only && (
            <Checkbox
              className={css.withComments}
              size="xs"
              label={t("comments.leave")}
              description={t("comments.leaveMeaning")}
              checked={comments}
              onChange={(e) => setComments(e.currentTarget.checked)}
            />
          )}
          {mayEdit && <Menu.Divider />}
          {mayEdit && <Menu.Item onClick={() => seal.mutate()}>{t("notebook.seal")}</Menu.Item>}
          {mayEdit && !known.read_only && <Menu.Item onClick={() => setAsking("template")}>{t("notebook.saveTemplate")}</Menu.Item>}
          {mayEdit && <Menu.Item onClick={() => setAsking("rename")}>{t("notebook.renameNotebook")}</Menu.Item>}
          {mayEdit && (
            <Menu.Item color="red" onClick={() => setAsking("remove")}>
              {t("notebook.removeNotebook")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {seal.error ? <ProblemLine error={seal.error} /> : null}
      {seal.isSuccess && <span role="status">{t("notebook.sealedNow")}</span>}
      {template.isSuccess && <span role="status">{t("notebook.templateSaved")}</span>}
      <ConfirmDialog
        opened={asking === "rename"}
        title={t("notebook.renameNotebook")}
        action={t("notebook.renameAction")}
        onClose={() => setAsking(null)}
        onConfirm={() => rename.mutate()}
        busy={rename.isPending}
        disabled={!nameShape.test(name) || name === known.name}
        error={rename.error}
      >
        <TextInput data-autofocus label={t("notebook.newName")} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "template"}
        title={t("notebook.saveTemplate")}
        action={t("notebook.saveTemplateAction")}
        onClose={() => setAsking(null)}
        onConfirm={() => template.mutate()}
        busy={template.isPending}
        disabled={!nameShape.test(name)}
        error={template.error}
      >
        <p>{t("notebook.saveTemplateText")}</p>
        <TextInput data-autofocus label={t("notebook.templateName")} value={name} onChange={(e) => setName(e.currentTarget.value)} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === "remove"}
        title={t("notebook.removeNotebook")}
        action={t("notebook.removeAction")}
        danger
        onClose={() => setAsking(null)}
        onConfirm={() => remove.mutate()}
        busy={remove.isPending}
        error={remove.error}
      >
        <p>{t("notebook.removeText", { name: known.name })}</p>
      </ConfirmDialog>
    </>
  );
}

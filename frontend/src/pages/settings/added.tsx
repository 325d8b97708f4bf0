import { Button, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import type { ProviderSetting } from "../../api/types_settings";
import { ConfirmDialog, ProblemLine } from "../../parts/confirmdialog";
import { Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icon";

const dialects = ["openai", "anthropic", "gemini"];

const pathOf = (name: string) => `/settings/providers/${encodeURIComponent(name)}`;

/** What the owner of the machine types to give a provider its key, which no page takes. */
export const keyCommand = (name: string) => `workbench providers key ${name || "NAME"} VARIABLE`;

/** The button that adds a server of models, and its form. */
export function AddProvider() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<Icon name="add" size={14} />} onClick={() => setOpen(true)}>
        {t("settings.added.add")}
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t("settings.added.title")} size="lg">
        <Form onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

/** What can be done with a server that was added. */
export function AddedActions({ provider: p, onRemoved }: { provider: ProviderSetting; onRemoved: (name: string) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState<"" | "edit" | "remove">("");
  const remove = useMutation({
    mutationFn: () => send<void>("DELETE", pathOf(p.name)),
    onSuccess: async () => {
      onRemoved(p.name);
      await client.invalidateQueries();
    },
  });
  return (
    <div className="row" style={{ gap: 6, marginTop: 8 }}>
      <Button variant="default" aria-label={t("settings.added.editOf", { name: p.name })} onClick={() => setAsked("edit")}>
        {t("settings.added.edit")}
      </Button>
      <Button variant="default" aria-label={t("settings.added.removeOf", { name: p.name })} onClick={() => setAsked("remove")}>
        {t("settings.added.remove")}
      </Button>
      <Dialog opened={asked === "edit"} onClose={() => setAsked("")} title={t("settings.added.editOf", { name: p.name })} size="lg">
        <Form provider={p} onClose={() => setAsked("")} />
      </Dialog>
      <ConfirmDialog
        opened={asked === "remove"}
        title={t("settings.added.removeOf", { name: p.name })}
        action={t("settings.added.removeDo")}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsked("")}
      >
        {t("settings.added.removeWhat")}
      </ConfirmDialog>
    </div>
  );
}

/** Says that a server was removed, and takes it back. */
export function Removed({ name, onDone }: { name: string; onDone: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () => send("POST", `${pathOf(name)}/restore`, {}),
    onSuccess: async () => {
      await client.invalidateQueries();
      onDone();
    },
  });
  return (
    <div className="row" role="status">
      {t("settings.added.removed", { name })}
      <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
        {t("settings.added.restore")}
      </Button>
      {restore.error ? <ProblemLine error={restore.error} /> : null}
    </div>
  );
}

function Form({ provider: p, onClose }: { provider?: ProviderSetting; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [form, setForm] = useState({
    name: p?.name ?? "",
    dialect: p?.kind ?? "openai",
    base_url: p?.added?.base_url ?? "",
    models: (p?.added?.models ?? []).join("\n"),
    requests_per_minute: p?.requests_per_minute ?? 0,
    concurrency: p?.concurrency ?? 0,
  });
  const save = useMutation({
    mutationFn: () => {
      const { name, models, ...rest } = form;
      const body = { ...rest, models: models.split(/[\n,]/).filter((m) => m.trim() !== "") };
      return send<ProviderSetting>("PUT", pathOf(name.trim()), body);
    },
    onSuccess: async () => {
      await client.invalidateQueries();
      onClose();
    },
  });
  const wrong = save.error instanceof ApiProblem ? save.error.field : "";
  const text = (name: "name" | "base_url") => ({
    label: t(`settings.added.${name}`),
    value: form[name],
    error: wrong === name,
    onChange: (e: { currentTarget: { value: string } }) => setForm({ ...form, [name]: e.currentTarget.value }),
  });
  const count = (name: "requests_per_minute" | "concurrency") => (
    <NumberInput
      label={t(`settings.added.${name}`)}
      min={0}
      error={wrong === name}
      value={form[name] || ""}
      onChange={(n) => setForm({ ...form, [name]: Number(n) || 0 })}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput {...text("name")} description={t("settings.added.nameMeaning")} readOnly={p !== undefined} />
      <NativeSelect
        label={t("settings.added.dialect")}
        value={form.dialect}
        data={dialects.map((value) => ({ value, label: t(`settings.added.dialects.${value}`) }))}
        onChange={(e) => setForm({ ...form, dialect: e.currentTarget.value })}
      />
      <TextInput
        {...text("base_url")}
        description={t(form.dialect === "openai" ? "settings.added.addressMeaning" : "settings.added.addressMaker")}
        placeholder={t("settings.added.example")}
        inputMode="url"
        spellCheck={false}
      />
      <Textarea
        label={t("settings.added.models")}
        description={t("settings.added.modelsMeaning")}
        autosize
        minRows={2}
        error={wrong === "models"}
        value={form.models}
        onChange={(e) => setForm({ ...form, models: e.currentTarget.value })}
      />
      <div className="row" style={{ alignItems: "flex-end" }}>
        {count("requests_per_minute")}
        {count("concurrency")}
      </div>
      <p className="small">
        {t("settings.added.keyRule")} <code>{keyCommand(form.name.trim())}</code>
      </p>
      {p?.added?.key_bound && <p className="small">{t("settings.added.keyStays", { origin: p.origin })}</p>}
      {save.error && <ProblemLine error={save.error} />}
      <div className="row apart">
        <Button variant="default" onClick={onClose}>
          {t("parts.cancel")}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={form.name.trim() === ""}>
          {t(p ? "settings.added.save" : "settings.added.addDo")}
        </Button>
      </div>
    </form>
  );
}

import { Button, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import { type Account, type MadeAccount, roles } from "../../api/types_people";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { Once } from "../../parts/once";
import css from "./people.module.css";
import { type Field, PeopleTable } from "./table";

/** Everybody who can sign in, for administrators. */
export function Accounts({ self }: { self: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const query = useGet<{ items: Account[] }>("/accounts");
  const [made, setMade] = useState<MadeAccount | null>(null);
  const change = useMutation({
    mutationFn: ({ id, ...body }: { id: string; role?: string; disabled?: boolean }) => send("PATCH", `/accounts/${id}`, body),
    onSuccess: () => client.invalidateQueries(),
  });
  const link = useMutation({ mutationFn: (id: string) => send<MadeAccount>("POST", `/accounts/${id}/reset-link`), onSuccess: setMade });
  const end = useMutation({
    mutationFn: (a: Account) => send("DELETE", `/accounts/${a.id}/sessions`),
    onSuccess: () => client.invalidateQueries(),
  });
  const fields: Field<Account>[] = [
    {
      head: t("people.name"),
      cell: (a) => (
        <>
          {a.name} {a.id === self && <Badge>{t("people.thatIsYou")}</Badge>}{" "}
          {a.disabled && <Badge tone="needs_check">{t("people.disabled")}</Badge>}
        </>
      ),
    },
    {
      head: t("people.role"),
      cell: (a) => (
        <Select
          size="xs"
          className={css.role ?? ""}
          aria-label={t("people.roleOf", { name: a.name })}
          value={a.role}
          allowDeselect={false}
          data={roles.map((value) => ({ value, label: t(`people.roles.${value}`) }))}
          onChange={(role) => role && role !== a.role && change.mutate({ id: a.id, role })}
        />
      ),
    },
    { head: t("people.signedIn"), cell: (a) => (a.signed_in_at ? format.moment(a.signed_in_at) : t("people.never")) },
  ];
  return (
    <Card title={t("people.accounts")}>
      <PeopleTable
        label={t("people.accounts")}
        query={query}
        fields={fields}
        none={t("people.noAccounts")}
        errors={[change.error, link.error, end.error]}
        actions={(a) => (
          <>
            <Button size="xs" variant="default" disabled={a.disabled} onClick={() => link.mutate(a.id)}>
              {t("people.makeLink")}
            </Button>
            <Button size="xs" variant="default" loading={end.isPending && end.variables.id === a.id} onClick={() => end.mutate(a)}>
              {t("people.endAll")}
            </Button>
            <Button size="xs" variant="default" onClick={() => change.mutate({ id: a.id, disabled: !a.disabled })}>
              {t(a.disabled ? "people.enable" : "people.disable")}
            </Button>
          </>
        )}
      />
      {end.isSuccess ? (
        <p role="status" className="soft small">
          {t("people.endedAll", { name: end.variables.name })}
        </p>
      ) : null}
      {made?.link && (
        <Once label={t("people.linkFor", { name: made.account.name })} secret={`${window.location.origin}/reset#${made.link}`} />
      )}
      <NewAccount onMade={setMade} />
    </Card>
  );
}

function NewAccount({ onMade }: { onMade: (made: MadeAccount) => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("viewer");
  const make = useMutation({
    mutationFn: () => send<MadeAccount>("POST", "/accounts", { name: name.trim(), role }),
    onSuccess: (made) => {
      setName("");
      onMade(made);
      return client.invalidateQueries({ queryKey: ["/accounts"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <>
      <form onSubmit={submit} className={`${css.form} no-print`}>
        <TextInput label={t("people.newName")} value={name} onChange={(e) => setName(e.currentTarget.value)} />
        <Select
          label={t("people.role")}
          value={role}
          allowDeselect={false}
          data={roles.map((value) => ({ value, label: t(`people.roles.${value}`) }))}
          onChange={(value) => setRole(value ?? "viewer")}
        />
        <Button type="submit" variant="default" loading={make.isPending} disabled={!name.trim()}>
          {t("people.add")}
        </Button>
      </form>
      <p className="soft small">{t("people.addMeaning")}</p>
      {make.error ? <ProblemLine error={make.error} /> : null}
    </>
  );
}

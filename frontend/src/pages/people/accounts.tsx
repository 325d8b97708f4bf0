import { Button, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useGet } from "../../api/queries";
import { type Account, type MadeAccount, roles } from "../../api/types_people";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { Once } from "./once";
import css from "./people.module.css";

/** Everybody who can sign in, for administrators. */
export function Accounts({ self }: { self: string }) {
  const { t } = useTranslation();
  const query = useGet<{ items: Account[] }>("/accounts");
  const [made, setMade] = useState<MadeAccount | null>(null);
  return (
    <Card title={t("people.accounts")}>
      <Await query={query} rows={3}>
        {({ items }) =>
          items.length === 0 ? <p className="soft">{t("people.noAccounts")}</p> : <List accounts={items} self={self} onLink={setMade} />
        }
      </Await>
      {made?.link && (
        <Once label={t("people.linkFor", { name: made.account.name })} secret={`${window.location.origin}/reset#${made.link}`} />
      )}
      <NewAccount onMade={setMade} />
    </Card>
  );
}

interface ListProps {
  accounts: Account[];
  self: string;
  onLink: (made: MadeAccount) => void;
}

function List({ accounts, self, onLink }: ListProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ id, ...body }: { id: string; role?: string; disabled?: boolean }) => send("PATCH", `/accounts/${id}`, body),
    onSuccess: () => client.invalidateQueries(),
  });
  const link = useMutation({ mutationFn: (id: string) => send<MadeAccount>("POST", `/accounts/${id}/reset-link`), onSuccess: onLink });
  return (
    <>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t("people.name")}</th>
            <th scope="col">{t("people.role")}</th>
            <th scope="col">{t("people.signedIn")}</th>
            <th scope="col">
              <span className="hidden-text">{t("people.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((a) => (
            <tr key={a.id}>
              <td>
                {a.name} {a.id === self && <Badge>{t("people.thatIsYou")}</Badge>}{" "}
                {a.disabled && <Badge tone="needs_check">{t("people.disabled")}</Badge>}
              </td>
              <td>
                <Select
                  size="xs"
                  aria-label={t("people.roleOf", { name: a.name })}
                  value={a.role}
                  allowDeselect={false}
                  data={roles.map((value) => ({ value, label: t(`people.roles.${value}`) }))}
                  onChange={(role) => role && role !== a.role && change.mutate({ id: a.id, role })}
                />
              </td>
              <td>{a.signed_in_at ? format.moment(a.signed_in_at) : t("people.never")}</td>
              <td>
                <div className="row">
                  <Button size="xs" variant="default" disabled={a.disabled} onClick={() => link.mutate(a.id)}>
                    {t("people.makeLink")}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => change.mutate({ id: a.id, disabled: !a.disabled })}>
                    {t(a.disabled ? "people.enable" : "people.disable")}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {change.error ? <ProblemLine error={change.error} /> : null}
      {link.error ? <ProblemLine error={link.error} /> : null}
    </>
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

import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMe } from "../../api/me";
import { useGet } from "../../api/queries";
import { type MadeToken, roles, type TokenRow } from "../../api/types_people";
import { ProblemLine } from "../../parts/confirmdialog";
import { Await } from "../../parts/faces";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { Once } from "./once";
import css from "./people.module.css";

/** How tokens are made where nobody signs in. */
const command = "workbench token add --help";

/** Tokens of programs: one's own, and for administrators everybody's. */
export function Tokens({ own, admin }: { own: boolean; admin: boolean }) {
  const { t } = useTranslation();
  const query = useGet<{ items: TokenRow[] }>("/tokens", { everybody: admin });
  return (
    <Card title={t("people.tokens")}>
      <p className="soft small">{t("people.tokensMeaning")}</p>
      <Await query={query} rows={2}>
        {({ items }) => (items.length === 0 ? <p className="soft">{t("people.noTokens")}</p> : <List tokens={items} />)}
      </Await>
      {own ? <NewToken /> : <code>{command}</code>}
    </Card>
  );
}

function List({ tokens }: { tokens: TokenRow[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) => send("DELETE", `/tokens/${encodeURIComponent(id)}`),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t("people.what")}</th>
            <th scope="col">{t("people.owner")}</th>
            <th scope="col">{t("people.role")}</th>
            <th scope="col">{t("people.expires")}</th>
            <th scope="col">{t("people.used")}</th>
            <th scope="col">
              <span className="hidden-text">{t("people.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>{token.name}</td>
              <td>{token.owner || t("people.machine")}</td>
              <td>{t(`people.roles.${token.role}`)}</td>
              <td>{token.revoked_at ? t("people.revoked") : token.expires_at ? format.moment(token.expires_at) : t("people.neverExpires")}</td>
              <td>{token.used_at ? format.moment(token.used_at) : t("people.never")}</td>
              <td>
                {token.alive && (
                  <Button size="xs" variant="default" loading={revoke.isPending && revoke.variables === token.id} onClick={() => revoke.mutate(token.id)}>
                    {t("people.revoke")}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoke.error ? <ProblemLine error={revoke.error} /> : null}
    </>
  );
}

function NewToken() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mine = useMe().data?.role ?? "";
  const [name, setName] = useState("");
  const [role, setRole] = useState<string>("viewer");
  const [days, setDays] = useState<number | string>(90);
  const make = useMutation({
    mutationFn: () => send<MadeToken>("POST", "/tokens", { name: name.trim(), role, days: Number(days) }),
    onSuccess: () => {
      setName("");
      return client.invalidateQueries({ queryKey: ["/tokens"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  const within = roles.slice(0, roles.findIndex((r) => r === mine) + 1);
  return (
    <>
      <form onSubmit={submit} className={`${css.form} no-print`}>
        <TextInput label={t("people.what")} value={name} onChange={(e) => setName(e.currentTarget.value)} />
        <Select
          label={t("people.role")}
          value={role}
          allowDeselect={false}
          data={within.map((value) => ({ value, label: t(`people.roles.${value}`) }))}
          onChange={(value) => setRole(value ?? "viewer")}
        />
        <NumberInput label={t("people.days")} min={1} max={366} value={days} onChange={setDays} />
        <Button type="submit" variant="default" loading={make.isPending} disabled={!name.trim() || days === ""}>
          {t("people.makeToken")}
        </Button>
      </form>
      {make.error ? <ProblemLine error={make.error} /> : null}
      {make.data && <Once label={t("people.shownOnce")} secret={make.data.secret} />}
    </>
  );
}

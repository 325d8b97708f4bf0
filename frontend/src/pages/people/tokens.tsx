import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMe } from "../../api/me";
import { useGet } from "../../api/queries";
import { type MadeToken, roles, type TokenRow } from "../../api/types_people";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { Once } from "../../parts/once";
import css from "./people.module.css";
import { type Field, PeopleTable } from "./table";

/** How tokens are made where nobody signs in. */
const command = "workbench token add --help";

/** Tokens of programs: one's own, and for administrators everybody's. */
export function Tokens({ own, admin }: { own: boolean; admin: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const query = useGet<{ items: TokenRow[] }>("/tokens", { everybody: admin });
  const revoke = useMutation({
    mutationFn: (id: string) => send("DELETE", `/tokens/${encodeURIComponent(id)}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["/tokens"] }),
  });
  const fields: Field<TokenRow>[] = [
    { head: t("people.what"), cell: (token) => token.name },
    { head: t("people.owner"), cell: (token) => token.owner || t("people.machine") },
    { head: t("people.role"), cell: (token) => t(`people.roles.${token.role}`) },
    { head: t("people.expires"), cell: (token) => <Until token={token} /> },
    { head: t("people.used"), cell: (token) => (token.used_at ? format.moment(token.used_at) : t("people.never")) },
  ];
  return (
    <Card title={t("people.tokens")}>
      <p className="soft small">{t("people.tokensMeaning")}</p>
      <PeopleTable
        label={t("people.tokens")}
        query={query}
        fields={fields}
        none={t("people.noTokens")}
        errors={[revoke.error]}
        actions={(token) =>
          token.alive && (
            <Button
              size="xs"
              variant="default"
              loading={revoke.isPending && revoke.variables === token.id}
              onClick={() => revoke.mutate(token.id)}
            >
              {t("people.revoke")}
            </Button>
          )
        }
      />
      {own ? <NewToken /> : <code>{command}</code>}
    </Card>
  );
}

/** How long a token works. */
function Until({ token }: { token: TokenRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (token.revoked_at) return <Badge tone="needs_check">{t("people.revoked")}</Badge>;
  if (!token.expires_at) return t("people.neverExpires");
  return (
    <>
      {format.moment(token.expires_at)} {!token.alive && <Badge tone="needs_check">{t("people.expired")}</Badge>}
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
  const within = roles.slice(0, roles.indexOf(mine as (typeof roles)[number]) + 1);
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

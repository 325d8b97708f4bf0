import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { address, send } from "../api/client";
import { startAgain, useMe } from "../api/me";
import type { Me } from "../api/types";
import { ApiProblem } from "../api/problem";
import { ProblemLine } from "../parts/confirmdialog";
import { Card, PageHead } from "../parts/page";
import { SecretInput } from "../parts/secretinput";
import { keepPlace, takePlace } from "./comeback";

/**
 * Signs somebody in with a name and a password, with a token, or through an identity provider. A page that is kept for the account
 * keptFor goes on when that comes back; anybody else begins anew.
 */
export function SignIn({ keptFor }: { keptFor: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const provider = useMe().data?.provider;
  const [byToken, setByToken] = useState(false);
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const path = useRouterState({ select: (state) => state.location.pathname });
  const here = useRouterState({ select: (state) => state.location.href });
  // The provider sends the browser back here when it signs nobody in.
  const back = useRouterState({ select: (state) => (state.location.search as Record<string, string>).problem });
  const entry = useMutation({
    mutationFn: () => send<Me>("POST", "/session", byToken ? { token: secret.trim() } : { name: name.trim(), password: secret }),
    onSuccess: (signedIn) => {
      if (path !== "/") takePlace();
      if (keptFor && keptFor !== signedIn.account) return startAgain(here);
      return client.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entry.mutate();
  };
  const other = () => {
    setByToken(!byToken);
    setSecret("");
    entry.reset();
  };
  return (
    <form onSubmit={submit} style={{ maxWidth: 480 }}>
      <PageHead
        title={t("people.signIn")}
        name={t("people.signIn")}
        below={path !== "/" && <span className="soft">{t("people.comesBack")}</span>}
      />
      <Card>
        <div className="stack">
          {provider && (
            <div>
              <Button component="a" variant="default" href={address("/session/oidc")} onClick={() => keepPlace(here)}>
                {t("people.withProvider", { name: provider })}
              </Button>
            </div>
          )}
          {byToken ? (
            <SecretInput
              key="token"
              label={t("people.token")}
              description={t("people.tokenMeaning")}
              value={secret}
              onChange={(e) => setSecret(e.currentTarget.value)}
            />
          ) : (
            <>
              <TextInput
                label={t("people.name")}
                description={t("people.nameMeaning")}
                value={name}
                autoFocus
                autoComplete="username"
                onChange={(e) => setName(e.currentTarget.value)}
              />
              <SecretInput
                key="password"
                label={t("people.password")}
                value={secret}
                autoComplete="current-password"
                onChange={(e) => setSecret(e.currentTarget.value)}
              />
            </>
          )}
          {entry.error ? <ProblemLine error={entry.error} /> : back ? <ProblemLine error={new ApiProblem({ code: back }, 0)} /> : null}
          <div className="row apart">
            <Button type="submit" loading={entry.isPending} disabled={!secret.trim() || (!byToken && !name.trim())}>
              {t("people.signIn")}
            </Button>
            <Button variant="subtle" onClick={other}>
              {t(byToken ? "people.byPassword" : "people.byToken")}
            </Button>
          </div>
          {!byToken && <p className="soft small">{t("people.forgotten")}</p>}
        </div>
      </Card>
    </form>
  );
}

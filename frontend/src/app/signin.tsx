import { Button, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../api/client";
import { ProblemLine } from "../parts/confirmdialog";
import { Card, PageHead } from "../parts/page";

/** Exchanges a token for a session, where the workbench is reached over a network. */
export function SignIn() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [token, setToken] = useState("");
  const entry = useMutation({
    mutationFn: () => send("POST", "/session", { token: token.trim() }),
    onSuccess: () => client.invalidateQueries(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    entry.mutate();
  };
  return (
    <form onSubmit={submit} style={{ maxWidth: 480 }}>
      <PageHead title={t("signin.title")} name={t("signin.title")} />
      <Card>
        <div className="stack">
          <PasswordInput
            label={t("signin.token")}
            description={t("signin.tokenMeaning")}
            value={token}
            autoComplete="current-password"
            onChange={(e) => setToken(e.currentTarget.value)}
          />
          {entry.error ? <ProblemLine error={entry.error} /> : null}
          <div>
            <Button type="submit" loading={entry.isPending} disabled={!token.trim()}>
              {t("signin.go")}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  );
}

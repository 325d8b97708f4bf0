import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { startAgain } from "../../api/me";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card, PageHead } from "../../parts/page";
import { SecretInput } from "../../parts/secretinput";

/** Takes a link that works once: the first administrator's, or one that sets a password. Its secret stands behind #, which browsers send to nobody. */
export default function LinkPage() {
  const { t } = useTranslation();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const hash = useRouterState({ select: (s) => s.location.hash });
  const setup = path === "/setup";
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const link = hash.replace(/^#/, "");
  const use = useMutation({
    mutationFn: () =>
      setup ? send("POST", "/setup", { link, name: name.trim(), password }) : send("POST", "/password-reset", { link, password }),
    onSuccess: () => startAgain(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    use.mutate();
  };
  const differs = again !== "" && again !== password;
  const title = t(setup ? "people.setup" : "people.reset");
  return (
    <form onSubmit={submit} style={{ maxWidth: 480 }}>
      <PageHead
        title={title}
        name={title}
        below={<span className="soft">{t(setup ? "people.setupMeaning" : "people.resetMeaning")}</span>}
      />
      <Card>
        <div className="stack">
          {link === "" && <p role="alert">{t("people.noLink")}</p>}
          {setup && (
            <TextInput
              label={t("people.name")}
              description={t("people.nameMeaning")}
              value={name}
              autoComplete="username"
              onChange={(e) => setName(e.currentTarget.value)}
            />
          )}
          <SecretInput
            label={t("people.newPassword")}
            description={t("people.passwordRule")}
            value={password}
            autoComplete="new-password"
            onChange={(e) => setPassword(e.currentTarget.value)}
          />
          <SecretInput
            label={t("people.again")}
            value={again}
            error={differs ? t("people.differs") : undefined}
            autoComplete="new-password"
            onChange={(e) => setAgain(e.currentTarget.value)}
          />
          {use.error ? <ProblemLine error={use.error} /> : null}
          <div>
            <Button
              type="submit"
              loading={use.isPending}
              disabled={link === "" || password === "" || again !== password || (setup && !name.trim())}
            >
              {t(setup ? "people.setupGo" : "people.resetGo")}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  );
}

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { startAgain } from "../../api/me";
import { ProblemLine } from "../../parts/confirmdialog";
import { Card } from "../../parts/page";
import { SecretInput } from "../../parts/secretinput";
import css from "./people.module.css";

/** Changes one's own password, after which everybody signs in anew. */
export function Password() {
  const { t } = useTranslation();
  const [present, setPresent] = useState("");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => send("POST", "/me/password", { present, password }),
    onSuccess: () => startAgain("/people"),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Card title={t("people.changePassword")}>
      <form onSubmit={submit} className={css.form}>
        <SecretInput
          label={t("people.presentPassword")}
          value={present}
          autoComplete="current-password"
          onChange={(e) => setPresent(e.currentTarget.value)}
        />
        <SecretInput
          label={t("people.newPassword")}
          value={password}
          autoComplete="new-password"
          onChange={(e) => setPassword(e.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={change.isPending} disabled={present === "" || password === ""}>
          {t("people.changePassword")}
        </Button>
      </form>
      <p className="soft small">
        {t("people.passwordRule")} {t("people.allEnd")}
      </p>
      {change.error ? <ProblemLine error={change.error} /> : null}
    </Card>
  );
}

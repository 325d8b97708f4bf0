import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { send } from "../../api/client";
import { useMay, useMe } from "../../api/me";
import type { ProviderSetting, ProviderTest } from "../../api/types_settings";
import { Badge } from "../../parts/badges";
import { ProblemLine } from "../../parts/confirmdialog";
import { absent } from "../../parts/format";
import { Limits, Probes } from "../../parts/probes";
import { AddedActions, keyCommand, Removed } from "./added";
import css from "./settings.module.css";

/** Providers of models, each with a test that asks for a few tokens. Keys are named, never shown. */
export function Providers({ providers }: { providers: ProviderSetting[] }) {
  const { t } = useTranslation();
  const may = useMay("admin");
  const named = useMe().data?.auth === "sign_in"; // else nobody has a name
  const [removed, setRemoved] = useState("");
  return (
    <div className="stack">
      {removed && <Removed key={removed} name={removed} onDone={() => setRemoved("")} />}
      <table className={css.table} aria-label={t("settings.providers")}>
        <thead>
          <tr>
            <th scope="col">{t("settings.name")}</th>
            <th scope="col">{t("settings.address")}</th>
            <th scope="col">{t("settings.key")}</th>
            <th scope="col">{t("settings.limits")}</th>
            <th scope="col">{t("settings.connection")}</th>
          </tr>
        </thead>
        <tbody>
          {providers.map((p) => (
            <tr key={p.name}>
              <td>
                <strong>{p.name}</strong>
                {p.kind !== p.name && <span className="soft small"> {p.kind}</span>}
                {p.added && named && <div className="soft small">{t("settings.added.by", { name: p.added.added_by })}</div>}
              </td>
              <td className={`mono small ${css.address}`}>
                {p.added?.base_url || p.origin || <span className="soft">{t("settings.here")}</span>}
              </td>
              <td>
                <Key provider={p} />
              </td>
              <td className="small soft">
                {[
                  p.requests_per_minute && t("endpoints.perMinute", { n: p.requests_per_minute }),
                  p.concurrency && t("endpoints.concurrency", { n: p.concurrency }),
                  p.proxy && t("settings.proxy"),
                ]
                  .filter(Boolean)
                  .join(" · ") || absent}
              </td>
              <td>
                <Test key={p.added?.models.join()} provider={p} />
                {p.added && may && <AddedActions provider={p} onRemoved={setRemoved} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Key({ provider: p }: { provider: ProviderSetting }) {
  const { t } = useTranslation();
  if (p.added && !p.added.key_bound)
    return (
      <span className="soft small">
        {t("settings.added.noKey")} <code className={css.command}>{keyCommand(p.name)}</code>
      </span>
    );
  if (!p.key_name) return <span className="soft">{t("settings.noKey")}</span>;
  return (
    <span className="row" style={{ gap: 6 }}>
      <span className="mono small">{p.key_name}</span>
      <Badge tone={p.key_set ? "better" : "needs_check"}>{t(p.key_set ? "settings.keySet" : "settings.keyMissing")}</Badge>
    </span>
  );
}

function Test({ provider: p }: { provider: ProviderSetting }) {
  const { t } = useTranslation();
  const may = useMay("admin");
  const offline = p.kind === "offline";
  const [model, setModel] = useState(p.added?.models[0] ?? "");
  const [embedding, setEmbedding] = useState(false);
  const test = useMutation({
    mutationFn: () =>
      send<ProviderTest>(
        "POST",
        `/settings/providers/${encodeURIComponent(p.name)}/test`,
        offline ? {} : { model: model.trim(), embedding },
      ),
  });
  if (!may) return <span className="soft">{absent}</span>;
  return (
    <div>
      <div className="row" style={{ gap: 8 }}>
        {!offline && (
          <>
            <TextInput
              size="xs"
              w={170}
              aria-label={t("settings.modelOf", { name: p.name })}
              placeholder={t("settings.model")}
              value={model}
              onChange={(e) => setModel(e.currentTarget.value)}
            />
            <Checkbox size="xs" label={t("settings.embeds")} checked={embedding} onChange={(e) => setEmbedding(e.currentTarget.checked)} />
          </>
        )}
        <Button variant="default" loading={test.isPending} disabled={!offline && model.trim() === ""} onClick={() => test.mutate()}>
          {t("settings.test")}
        </Button>
        {test.data?.ok && <Badge tone="better">{t("settings.ok", { n: test.data.latency_ms })}</Badge>}
        {test.data?.ok && test.data.embedding_dimensions !== undefined && (
          <span className="soft small">{t("settings.dimensions", { n: test.data.embedding_dimensions })}</span>
        )}
        {test.data?.ok && test.data.form && <span className="soft small">{t(`settings.form.${test.data.form}`)}</span>}
        <span className="soft small">
          <Limits of={test.data?.limits} />
        </span>
        {test.data && !test.data.ok && <Badge tone="worse">{t("settings.failed")}</Badge>}
      </div>
      {test.data && !test.data.ok && (
        <p role="alert" className="small">
          {t(`failure.${test.data.problem}`, { defaultValue: test.data.problem ?? "" })}: {test.data.message}
        </p>
      )}
      {test.error && <ProblemLine error={test.error} />}
      <Probes probes={p.probes ?? []} />
    </div>
  );
}

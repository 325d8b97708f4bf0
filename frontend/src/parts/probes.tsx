import { useTranslation } from "react-i18next";
import type { ProviderSetting, ProviderTest } from "../api/types_settings";

const limits = ["context_tokens", "output_tokens", "requests_per_minute", "tokens_per_minute"] as const;

/** The bounds that a server named; what it did not say is left out. */
export function Limits({ of }: { of: ProviderTest["limits"] }) {
  const { t } = useTranslation();
  return <>{limits.map((name) => (of?.[name] ? ` · ${t(`settings.limit.${name}`, { n: of[name] })}` : ""))}</>;
}

/** What is known of a provider's models: what each was tried for, whether it works, and how long its reply took. */
export function Probes({ probes }: { probes: NonNullable<ProviderSetting["probes"]> }) {
  const { t } = useTranslation();
  if (probes.length === 0) return null;
  return (
    <ul className="soft small">
      {probes.map((probe) => (
        <li key={`${probe.model} ${probe.purpose}`}>
          {probe.model} · {t(`settings.purpose.${probe.purpose}`)}
          {": "}
          {probe.ok ? t("settings.ok", { n: probe.latency_ms }) : [t("settings.failed"), probe.message].filter(Boolean).join(" · ")}
          {probe.form && ` · ${t(`settings.form.${probe.form}`)}`}
          {probe.dimensions !== undefined && ` · ${t("settings.dimensions", { n: probe.dimensions })}`}
          <Limits of={probe.limits} />
        </li>
      ))}
    </ul>
  );
}

import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { TFunction } from "i18next";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../api/queries";
import { useUrlState } from "../app/url";
import type { GateView } from "../api/types";
import { Badge } from "./badges";
import { Dialog } from "./dialog";
import { Await } from "./faces";

interface Pair {
  baseline: string;
  candidate: string;
}

/** The limits of a gate in the address of a page: as people write them, the allowance as a share. */
export const gateLimits = ["min", "margin", "allowance"] as const;

const examples = { min: "correctness >= 4, trust >= 4.5", margin: "auto", allowance: "2" };

/** The limits of a gate as people write them, the allowance in per cent. */
export function LimitFields({
  limits,
  set,
  wrong,
}: {
  limits: Limits;
  set: (limits: Limits) => void;
  wrong?: (field: string) => ReactNode;
}) {
  const { t } = useTranslation();
  return gateLimits.map((name) => (
    <TextInput
      key={name}
      label={t(`gate.${name}`)}
      description={t(`gate.${name}Meaning`)}
      placeholder={examples[name]}
      value={limits[name]}
      error={wrong?.(name)}
      onChange={(e) => set({ ...limits, [name]: e.currentTarget.value })}
    />
  ));
}

type Limit = (typeof gateLimits)[number];
export type Limits = Record<Limit, string>;

/** A share as people write it in per cent, and back. What is no number stays, so that the server refuses it by name. */
export const inPercent = (share: string) => (share.trim() ? String(Number((Number(share) * 100).toPrecision(12))) : "");
export const asShare = (percent: string) => (percent.trim() ? String(Number((Number(percent) / 100).toPrecision(12))) : "");

/** The thresholds that somebody wrote in one line. */
export const thresholds = (min: string) =>
  min
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);

/** The limits as a request sends them in its body. */
export const limitsSent = ({ min, margin, allowance }: Limits) => ({
  min: thresholds(min),
  margin,
  ...(allowance && { allowance: Number(allowance) }),
});

/** Asks the gate whether the candidate may replace its baseline, by rules that people write. */
export function GateDialog({ opened, onClose, ...pair }: Pair & { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("gate.title")}>
      <Gate {...pair} onUsed={onClose} />
    </Dialog>
  );
}

const tones = { pass: "better", fail: "worse", incomplete: "needs_check", inconclusive: "needs_check" } as const;

function Gate({ baseline, candidate, onUsed }: Pair & { onUsed: () => void }) {
  const { t, i18n } = useTranslation();
  const [url, setUrl] = useUrlState(gateLimits);
  const [rules, setRules] = useState<Limits>({ ...url, allowance: inPercent(url.allowance) });
  const [settled] = useDebouncedValue(rules, 400);
  const limits: Limits = { min: settled.min.trim(), margin: settled.margin.trim(), allowance: asShare(settled.allowance) };
  const holds = gateLimits.every((name) => limits[name] === url[name]);
  const query = useGet<GateView>("/comparisons/gate", {
    baseline,
    candidate,
    ...limits,
  });
  return (
    <div className="stack">
      <LimitFields limits={rules} set={setRules} />
      <Await query={query} rows={4}>
        {(gate) => (
          <section className="stack" role="status">
            <p>
              <Badge tone={tones[gate.outcome]}>{t(`gate.decisions.${gate.decision}`)}</Badge> {t(`gate.outcome.${gate.outcome}`)}
            </p>
            <ul style={{ margin: 0 }}>
              {((i18n.language === "ja" ? gate.said_ja : gate.said) ?? []).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <details open={gate.decision !== "PASS"}>
              <summary>{t("gate.checks")}</summary>
              <ul>
                {gate.checks.map((c) => (
                  <li key={c.name + (c.metric ?? "") + c.message}>
                    {t(`gate.decisions.${c.decision as GateView["decision"]}`)}: {i18n.language === "ja" ? c.message_ja : c.message}
                  </li>
                ))}
              </ul>
            </details>
            {gate.preset && <p className="soft small">{t("gate.preset", { fields: fieldsOf(gate.preset, t) })}</p>}
            <p className="soft small">{t("gate.here")}</p>
            <div>
              <Button
                variant="default"
                disabled={holds}
                onClick={() => {
                  onUsed();
                  setUrl(limits);
                }}
              >
                {t(holds ? "gate.holds" : "gate.apply")}
              </Button>
            </div>
          </section>
        )}
      </Await>
      <p className="soft small">
        {t("gate.command")} <code>{commandOf(baseline, candidate, limits)}</code>
      </p>
    </div>
  );
}

/** The fields above that set what RAG Workbench set, by their labels. */
export const fieldsOf = (limits: string[], t: TFunction) =>
  limits.map((name) => t("gate.field", { name: t(`gate.${name as Limit}`) })).join(t("trend.comma"));

/** The same gate on the command line, for CI. */
function commandOf(baseline: string, candidate: string, rules: Limits): string {
  const parts = [`workbench gate ${baseline} ${candidate}`];
  for (const min of thresholds(rules.min)) parts.push(`--min "${min.replaceAll('"', "")}"`);
  if (rules.margin) parts.push(`--margin ${rules.margin}`);
  if (rules.allowance) parts.push(`--allowance ${rules.allowance}`);
  return parts.join(" ");
}

import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGet } from "../api/queries";
import type { GateView } from "../api/types";
import { Badge } from "./badges";
import { Dialog } from "./dialog";
import { Await } from "./faces";

interface Pair {
  baseline: string;
  candidate: string;
}

/** Asks the gate whether the candidate may replace its baseline, by rules that people write. */
export function GateDialog({ opened, onClose, ...pair }: Pair & { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t("gate.title")}>
      <Gate {...pair} />
    </Dialog>
  );
}

const tones = { pass: "better", fail: "worse", incomplete: "needs_check", inconclusive: "needs_check" } as const;

function Gate({ baseline, candidate }: Pair) {
  const { t, i18n } = useTranslation();
  const [rules, setRules] = useState({ min: "", margin: "", allowance: "" });
  const [settled] = useDebouncedValue(rules, 400);
  const share = Number(settled.allowance) / 100;
  const query = useGet<GateView>("/comparisons/gate", {
    baseline,
    candidate,
    min: settled.min.trim(),
    margin: settled.margin.trim(),
    allowance: settled.allowance.trim() ? String(share) : "",
  });
  const field = (name: keyof typeof rules, example: string) => (
    <TextInput
      label={t(`gate.${name}`)}
      description={t(`gate.${name}Meaning`)}
      placeholder={example}
      value={rules[name]}
      onChange={(e) => setRules({ ...rules, [name]: e.currentTarget.value })}
    />
  );
  return (
    <div className="stack">
      {field("min", "correctness >= 4, trust >= 4.5")}
      {field("margin", "auto")}
      {field("allowance", "2")}
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
          </section>
        )}
      </Await>
      <p className="soft small">
        {t("gate.command")} <code>{commandOf(baseline, candidate, settled)}</code>
      </p>
    </div>
  );
}

/** The same gate on the command line, for CI. */
function commandOf(baseline: string, candidate: string, rules: { min: string; margin: string; allowance: string }): string {
  const parts = [`workbench gate ${baseline} ${candidate}`];
  for (const min of rules.min.split(",")) if (min.trim()) parts.push(`--min "${min.trim().replaceAll('"', "")}"`);
  if (rules.margin.trim()) parts.push(`--margin ${rules.margin.trim()}`);
  if (rules.allowance.trim()) parts.push(`--allowance ${Number(rules.allowance) / 100}`);
  return parts.join(" ");
}

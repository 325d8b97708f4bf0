import { useTranslation } from "react-i18next";
import type { Fire } from "../../api/types_schedules";
import { Badge } from "../../parts/badges";
import { Icon, type IconName } from "../../parts/icon";
import css from "./schedules.module.css";

type Tone = "neutral" | "accent" | "worse" | "needs_check" | "better";

const fires: Record<string, [Tone, IconName]> = {
  due: ["accent", "partial"],
  running: ["accent", "play"],
  ran: ["better", "done"],
  skipped: ["neutral", "next"],
  missed: ["needs_check", "stale"],
  failed: ["worse", "warning"],
};

/** What became of a slot. */
export function FireChip({ state }: { state: string }) {
  const { t } = useTranslation();
  const [tone, icon] = fires[state] ?? ["neutral", "more"];
  return (
    <Badge tone={tone}>
      <Icon name={icon} size={11} /> {t(`schedules.states.${state}`, { defaultValue: state })}
    </Badge>
  );
}

/** That a schedule fires no more until somebody lets it go on. */
export function PausedChip() {
  const { t } = useTranslation();
  return (
    <Badge tone="needs_check">
      <Icon name="pause" size={11} /> {t("schedules.paused")}
    </Badge>
  );
}

const gates: Record<string, [Tone, IconName]> = {
  PASS: ["better", "done"],
  FAIL: ["worse", "warning"],
  INCONCLUSIVE: ["needs_check", "check"],
};

/** What the gate decided. */
export function GateChip({ gate }: { gate: string }) {
  const { t } = useTranslation();
  const [tone, icon] = gates[gate] ?? ["neutral", "more"];
  return (
    <Badge tone={tone}>
      <Icon name={icon} size={11} /> {t(`gate.decisions.${gate}`, { defaultValue: gate })}
    </Badge>
  );
}

const notices: Record<string, [Tone, IconName]> = {
  waiting: ["accent", "partial"],
  sending: ["accent", "play"],
  delivered: ["better", "done"],
  given_up: ["worse", "warning"],
};

/** How a message stands. */
export function NoticeChip({ state }: { state: string }) {
  const { t } = useTranslation();
  const [tone, icon] = notices[state] ?? ["neutral", "more"];
  return (
    <Badge tone={tone}>
      <Icon name={icon} size={11} /> {t(`schedules.messageStates.${state}`, { defaultValue: state })}
    </Badge>
  );
}

/** A count of answers with its sign; in colour where it calls for attention. */
export function Count({ icon, text, tone }: { icon: IconName; text: string; tone?: string | undefined }) {
  return (
    <span className={`${css.count} ${tone ?? "soft"}`}>
      <Icon name={icon} size={10} /> {tone ? <strong>{text}</strong> : text}
    </span>
  );
}

/** How many answers became worse than the baseline's since the fire before; of the first fire, which has none before it, all that are worse. */
export function NewlyWorse({ fire: f }: { fire: Pick<Fire, "newly_worse" | "previous"> }) {
  const { t } = useTranslation();
  const n = f.newly_worse.length;
  return <Count icon="worse" tone={n > 0 ? css.worse : undefined} text={t(newlyKey(f), { n })} />;
}

/** What the answers of a fire that are newly worse are called: new since the fire before, or worse than the baseline where there is none. */
export function newlyKey(f: Pick<Fire, "previous">): "schedules.newlyWorse" | "schedules.worseFirst" {
  return f.previous ? "schedules.newlyWorse" : "schedules.worseFirst";
}

type Failed = Pick<Fire, "gate" | "baseline" | "previous" | "worse" | "newly_worse">;

/** Why a gate failed beside the count of newly worse answers, which the gate does not go by; undefined where it did not fail. */
export function failKey(f: Failed): undefined | "failedNone" | "failedFirst" | "failedStill" | "failedNewly" {
  if (f.gate !== "FAIL" || !f.baseline) return undefined;
  if (f.worse.length === 0) return "failedNone";
  if (!f.previous) return "failedFirst";
  return f.newly_worse.length === 0 ? "failedStill" : "failedNewly";
}

/** The sentence of [failKey]. */
export function useFailed(): (f: Failed) => string {
  const { t } = useTranslation();
  return (f) => {
    const key = failKey(f);
    return key ? t(`schedules.${key}`, { count: f.worse.length, newly: f.newly_worse.length }) : "";
  };
}

import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { TrendPoint, TrendValue } from "../../../api/types_trend";
import { absent, useFormat } from "../../../parts/format";
import { million } from "../../../parts/runwords";
import { useWords } from "../../../parts/words";
import { reasonWords } from "../reason";
import { useClock } from "../times";
import { driftParts, type Happening, happenings } from "./series";

/** A fire in the words of the page. */
export interface FireWords {
  /** When, briefly and in full, by the clock of the zone. */
  brief: (p: TrendPoint) => string;
  full: (p: TrendPoint) => string;
  state: (state: string) => string;
  /** Why there is no run, or what was left out. */
  reason: (p: TrendPoint) => string;
  /** A mean with its interval and n. */
  value: (v: TrendValue | undefined) => string;
  low: (p: TrendPoint) => string;
  happening: (h: Happening) => string;
  /** What is known of something that happened beyond its name: by how much the judge drifted, which limits became which; or nothing. */
  more: (p: TrendPoint, h: Happening) => string;
  /** Everything that is known of a fire, as names and values. */
  facts: (p: TrendPoint, metrics: string[]) => [name: string, value: string][];
}

/** The words for the points of a trend, whose moments are told by the clock of a zone. */
export function useFireWords(zone: string, currency: string): FireWords {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const clock = useClock(zone);
  return useMemo(() => {
    const state = (code: string) => t(`trend.fireState.${code}`, { defaultValue: code });
    const value = (v: TrendValue | undefined) => {
      if (!v) return absent;
      const [low, high] = v.ci95 ?? [];
      const n = format.count(v.n);
      if (low === undefined || high === undefined) return t("trend.valueAlone", { mean: format.mean(v.mean), n });
      return t("trend.value", { mean: format.mean(v.mean), low: format.mean(low), high: format.mean(high), n });
    };
    const low = ({ run }: TrendPoint) => {
      if (!run) return absent;
      if (run.scored === 0) return t("runs.lowUntold");
      const [from, to] = run.low_share.ci95 ?? [];
      const values = { low: format.count(run.low), n: format.count(run.scored) };
      return from === undefined || to === undefined
        ? t("trend.lowOf", values)
        : t("trend.lowWith", { ...values, share: format.share(run.low_share.mean), from: format.share(from), to: format.share(to) });
    };
    const drift = (p: TrendPoint) =>
      driftParts(p.drift ?? "")
        .map((d) => `${words.metric(d.metric)} ${format.signed(d.by)}`)
        .join(t("trend.comma"));
    const more = (p: TrendPoint, h: Happening) => {
      if (h === "drift") return drift(p);
      if (h !== "limits" || !p.limits) return "";
      const { from, to } = p.limits;
      return i18n.language === "ja" ? t("trend.fromTo", { from: from.ja, to: to.ja }) : t("trend.fromTo", { from: from.en, to: to.en });
    };
    const happening = (h: Happening) => t(`trend.happened.${h}`);
    const reason = (p: TrendPoint) =>
      p.reason
        ? reasonWords(
            p.reason,
            (key, values) => t(`schedules.why.${key}`, { ...values, defaultValue: p.reason ?? "" }),
            clock.full,
            t("trend.joint"),
          )
        : "";
    const causes = (p: TrendPoint) =>
      (p.run?.causes ?? []).map((c) => `${words.cause(c.component)} ${format.count(c.n)}`).join(t("trend.comma"));
    const facts = (p: TrendPoint, metrics: string[]) => {
      const out: [string, string][] = [];
      if (p.fire_id || !p.run) out.push([t("trend.state"), state(p.run || p.state !== "ran" ? p.state : "none")]);
      if (p.reason) out.push([t("trend.reason"), reason(p)]);
      if (p.run) for (const m of metrics) out.push([words.metric(m), value(p.run.metrics[m])]);
      if (p.run) out.push([t("trend.low"), low(p)]);
      if (p.baseline)
        out.push([t("trend.worse"), t("trend.worseOf", { worse: format.count(p.worse), newly: format.count(p.newly_worse) })]);
      if (p.gate) out.push([t("trend.gate"), t(`gate.decisions.${p.gate}`, { defaultValue: p.gate })]);
      if (p.run?.cause_method && p.run.causes.length > 0)
        out.push([`${t("trend.causes")} (${words.word("cause_method", p.run.cause_method)})`, causes(p)]);
      const happened = happenings(p);
      if (happened.length > 0)
        out.push([t("trend.changed"), happened.map((h) => (more(p, h) ? `${happening(h)} (${more(p, h)})` : happening(h))).join(" · ")]);
      if (p.is_baseline) out.push([t("trend.role"), t("trend.isBaseline")]);
      if (p.run && p.calls > 0)
        out.push([
          t("trend.spent"),
          currency
            ? t("trend.spentOf", { money: format.money(p.spent_micros / million, currency), calls: format.count(p.calls) })
            : t("trend.calls", { calls: format.count(p.calls) }),
        ]);
      return out;
    };
    return { brief: (p) => clock.brief(p.at), full: (p) => clock.full(p.at), state, reason, value, low, happening, more, facts };
  }, [t, i18n.language, format, words, clock, currency]);
}

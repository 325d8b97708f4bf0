import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { components } from "../api/schema";
import css from "./badges.module.css";
import { absent, useFormat } from "./format";
import { Icon } from "./icon";

type Recorded = components["schemas"]["AnalysisRecorded"];
type Caution = components["schemas"]["Text"];

/** A small word in a coloured pill. */
export function Badge({
  children,
  tone = "neutral",
}: {
  children: ReactNode;
  tone?: "neutral" | "accent" | "worse" | "needs_check" | "better";
}) {
  return <span className={`${css.badge} ${css[tone]}`}>{children}</span>;
}

/**
 * Says that scores come from the built-in judge. It stands wherever such scores are shown: in full at the top of a page of results, with the
 * sentence of every report; briefly in rows of a table that has it on top.
 */
export function OfflineBadge({ brief = false, whole = false }: { brief?: boolean; whole?: boolean }) {
  const { t } = useTranslation();
  if (whole) {
    return (
      <strong className={css.offline} data-said="offline">
        <Icon name="warning" size={13} /> {t("offline.meaning")}
      </strong>
    );
  }
  return (
    <Tooltip label={t("offline.meaning")} multiline w={280}>
      <span className={`${css.badge} ${css.needs_check}`} tabIndex={0}>
        <Icon name="warning" size={12} /> {brief ? <span className="hidden-text">{t("offline.badge")}</span> : t("offline.badge")}
      </span>
    </Tooltip>
  );
}

/** What the decisions of a gate are worth, in the words of the server; nothing where no offline judge scored. */
export function GateCaution({ caution }: { caution?: Caution | undefined }) {
  const { i18n } = useTranslation();
  if (!caution) return null;
  return (
    <strong className={css.offline} data-said="caution">
      <Icon name="warning" size={13} /> {caution[i18n.language === "ja" ? "ja" : "en"]}
    </strong>
  );
}

/** Says that recorded replies judged, and since when; nothing where a judge was asked. */
export function RecordedBadge({ by }: { by?: Recorded | undefined }) {
  const { i18n } = useTranslation();
  if (!by?.en) return null;
  const language = i18n.language === "ja" ? "ja" : "en";
  return (
    <Tooltip label={by[language]} multiline w={280}>
      <span className={`${css.badge} ${css.accent}`} tabIndex={0}>
        {by.badge[language]}
      </span>
    </Tooltip>
  );
}

const tones: Record<string, "neutral" | "accent" | "worse" | "needs_check" | "better"> = {
  running: "accent",
  pending: "accent",
  paused: "needs_check",
  interrupted: "needs_check",
  failed: "worse",
  cancelled: "neutral",
};

/** The sign of a metric whose smaller values are better. */
export function LowerIsBetter() {
  const { t } = useTranslation();
  return (
    <span className="soft" title={t("answer.lowerIsBetter")}>
      <span aria-hidden="true">↓</span>
      <span className="hidden-text">{t("answer.lowerIsBetter")}</span>
    </span>
  );
}

/** The state of a run. */
export function StateBadge({ state }: { state: string }) {
  const { t } = useTranslation();
  return <Badge tone={tones[state] ?? "neutral"}>{t(`state.${state}`, { defaultValue: state })}</Badge>;
}

/** A mean, with the number of questions it rests on. */
export function Mean({ mean, n, of }: { mean: number | undefined; n: number | undefined; of?: number | undefined }) {
  const format = useFormat();
  const { t } = useTranslation();
  if (mean === undefined || !n) return <span className={css.none}>{absent}</span>;
  return (
    <span className={css.score}>
      {format.mean(mean)} <span className={css.n}>{of && of !== n ? t("parts.nOf", { n, of }) : t("parts.n", { n })}</span>
    </span>
  );
}

/** One score. Its reason appears on hover and on focus; what was not scored says why and is never a zero. */
export function ScoreBadge({
  value,
  unscored,
  reason,
  low = false,
}: {
  value: number | undefined;
  unscored?: string | undefined;
  reason?: string | undefined;
  low?: boolean;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const [state = "", why = ""] = (unscored ?? "").split(": ");
  const shown =
    value === undefined ? (
      <span className={css.none}>{state ? t(`cell.${state}`, { defaultValue: state }) : absent}</span>
    ) : (
      <span className={`${css.score} ${low ? css.isLow : ""}`}>
        {low && <span className="hidden-text">{t("words.low_score")}</span>}
        {low && <span aria-hidden="true">▼</span>}
        {format.score(value)}
      </span>
    );
  const explanation = reason || (why && t(`reason.${why}`, { defaultValue: why }));
  if (!explanation) return shown;
  return (
    <Tooltip label={explanation} multiline maw={380}>
      <span className={css.reasoned} tabIndex={0}>
        {shown}
      </span>
    </Tooltip>
  );
}

/**
 * A difference. Whether it is good depends on the direction of the metric; within noise it is neither. Of one answer the label of the
 * comparison says whether it is: its sign alone is no verdict.
 */
export function DeltaBadge({
  diff,
  between,
  lowerIsBetter = false,
  clear = true,
  whole = false,
  said,
  n,
}: {
  diff: number | undefined | null;
  /** The numbers that stand beside it, before and after, where all three have the decimals that make them agree. */
  between?: readonly [number | undefined, number | undefined] | undefined;
  lowerIsBetter?: boolean | undefined;
  clear?: boolean;
  /** A difference of counts. */
  whole?: boolean;
  /** What the comparison calls it, of one answer's score, and the word for that; no label where nothing was compared. */
  said?: { label: string | undefined; word: string };
  n?: number | undefined;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  if (diff === undefined || diff === null || Number.isNaN(diff)) return <span className={css.none}>{absent}</span>;
  const good = said ? said.label === "better" : diff !== 0 && diff > 0 !== lowerIsBetter;
  const flat = said ? said.label !== "better" && said.label !== "worse" : !clear || diff === 0;
  const tone = flat ? css.flat : good ? css.good : css.bad;
  const word = said?.word ?? (flat ? t("delta.flat") : good ? t("delta.good") : t("delta.bad"));
  return (
    <span className={`${css.delta} ${tone}`} title={word}>
      {!flat && <Icon name={good ? "better" : "worse"} size={9} />}
      {whole ? format.signedCount(diff) : between ? format.beside(...between).difference : format.signed(diff)}
      <span className="hidden-text">{word}</span>
      {n !== undefined && <span className={css.n}>{t("parts.n", { n })}</span>}
    </span>
  );
}

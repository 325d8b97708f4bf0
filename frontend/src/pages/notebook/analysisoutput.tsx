import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { type Values, said } from "../../api/types_notebook";
import { Badge } from "../../parts/badges";
import type { Plan } from "../../parts/chart/plan";
import { Icon } from "../../parts/icon";
import { useFormat } from "../../parts/format";
import { Facts } from "../../parts/page";
import { useWords } from "../../parts/words";
import { SmallTable } from "./figures";
import { Leading } from "./leading";
import css from "./output.module.css";

/** Why answers are low, and the change to consider first: the summary says what trying it gave. A bar leads to its answers. */
export function CauseOutput({
  causes: c,
  plan,
  onRepair,
}: {
  causes: Values["cause"];
  plan: Plan | undefined;
  onRepair?: ((take: string) => void) | undefined;
}) {
  const { t, i18n } = useTranslation();
  const change = said(c.change, i18n.language);
  if (c.low_scores === 0) return <p className="soft">{t("notebook.noLow")}</p>;
  return (
    <>
      {c.facts ? (
        <ul className={css.plain}>
          {c.facts.map((fact) => (
            <li key={fact.en}>{said(fact, i18n.language)}</li>
          ))}
        </ul>
      ) : (
        said(c.summary, i18n.language) && <p>{said(c.summary, i18n.language)}</p>
      )}
      <div className={css.causes}>{plan && <Leading plan={plan} run={c.run_id} brief />}</div>
      {change && (
        <p>
          <strong>{t("notebook.change")}</strong> {change}
        </p>
      )}
      {onRepair && c.recommendations?.[0] && (
        <p className={css.repair}>
          <Button size="xs" variant="default" leftSection={<Icon name="settings" size={13} />} onClick={() => onRepair("auto")}>
            {t("notebook.repair.write")}
          </Button>
          <span className="soft small">{t("notebook.repair.free")}</span>
        </p>
      )}
      {c.recommendations && (
        <details>
          <summary>{t("notebook.recommendations")}</summary>
          <ul className={css.plain}>
            {c.recommendations.map((r) => (
              <li key={r.name}>
                {r.number}. <span className="mono">{r.name}</span> {said(r.change, i18n.language)}{" "}
                {onRepair && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={t("notebook.repair.takeThis", { name: r.name })}
                    onClick={() => onRepair(`[${r.number}]`)}
                  >
                    {t("notebook.repair.take")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** One answer with what it was measured by. */
export function AnswerOutput({ answer: a }: { answer: Values["question"] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  return (
    <Facts
      facts={[
        [t("notebook.question"), <span className="text">{a.question}</span>],
        [t("question.reference"), <span className="text">{a.reference}</span>],
        [t("question.answer"), <span className="text">{a.answer}</span>],
        [words.metric("correctness"), format.score(a.correctness)],
        [words.metric("trust"), format.score(a.trust)],
        ...(a.reasons ?? []).map((r): [string, string] => [t("notebook.reason"), said(r, i18n.language)]),
      ]}
    />
  );
}

/** Targets beside what was measured. */
export function AgreementOutput({ agreement: a }: { agreement: Values["agreement"] }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const state = (s: string) => {
    const tone = { met: "better", missed: "worse" }[s] as "better" | "worse" | undefined;
    return (
      <Badge
        tone={tone ?? "neutral"}
      >{`${{ met: "✓", missed: "✗" }[s] ?? "–"} ${t(`notebook.target.${s === "met" || s === "missed" ? s : "unmeasured"}`)}`}</Badge>
    );
  };
  if (a.count === 0) return <p className="soft">{t("notebook.noTargets")}</p>;
  return (
    <>
      <p className="soft small">{a.registered ? t("notebook.registered") : t("notebook.proposed")}</p>
      <SmallTable
        label={t("notebook.targets")}
        head={[
          t("notebook.aim"),
          t("notebook.aimValue"),
          t("notebook.measured"),
          t("notebook.state"),
          t("notebook.owner"),
          t("notebook.due"),
        ]}
        numbers={[1, 2]}
        rows={a.targets.map((x) => [
          (x.title && said(x.title, i18n.language)) || [words.metric(x.metric), x.theme].filter(Boolean).join(" · "),
          x.metric.endsWith("_share") ? format.share(x.target) : format.mean(x.target),
          x.metric.endsWith("_share") ? format.share(x.measured) : format.mean(x.measured),
          state(x.state),
          x.owner,
          x.due,
        ])}
      />
    </>
  );
}

import { useTranslation } from "react-i18next";
import type { RunRow } from "../../api/types";
import type { SweepView } from "../../api/types_sweep";
import { useFormat } from "../../parts/format";
import { Card } from "../../parts/page";
import { PageLink } from "../../parts/pagelink";
import { useWords } from "../../parts/words";
import { type Axis, nameOf } from "./grid";
import { metricName } from "./names";
import css from "./sweep.module.css";

/** How far the values of a parameter lie apart. */
interface Spread {
  metric: string;
  param: string;
  best: string;
  worst: string;
  spread: number;
}

/** The parameter whose values differ most in their effect on a metric, with those whose effect is as large as it is shown; none where no
 * parameter has an effect. */
export function strongest(view: SweepView, shown: (spread: number) => string): Spread[] {
  const effects = view.effects.find((e) => e.levels.length > 0);
  if (!effects) return [];
  const params = [...new Set(effects.levels.map((l) => l.param))];
  const spreads = params.map((param) => {
    const levels = effects.levels.filter((l) => l.param === param).sort((a, b) => a.mean - b.mean);
    const worst = levels[0];
    const best = levels[levels.length - 1];
    return {
      metric: effects.metric,
      param,
      best: best?.value ?? "",
      worst: worst?.value ?? "",
      spread: (best?.mean ?? 0) - (worst?.mean ?? 0),
    };
  });
  const most = Math.max(...spreads.map((s) => s.spread));
  return spreads.filter((s) => s.spread > 0 && shown(s.spread) === shown(most));
}

/** What the sweep says in four sentences, with at most three numbers each. */
export function Summary({ view, axes, baseline }: { view: SweepView; axes: Axis[]; baseline: RunRow | undefined }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const words = useWords();
  const winner = view.runs.find((p) => p.run.run_id === view.winner);
  const [moves, ...equal] = strongest(view, format.mean);
  const over = view.sweep.state === "finished";
  const low = winner?.run.totals;
  const before = baseline?.totals;
  const other = baseline && baseline.run_id !== view.winner ? baseline : undefined;
  return (
    <Card className={css.summary ?? ""}>
      <div className="row apart">
        <ul className={css.sentences}>
          {winner && low && (
            <li>
              <span aria-hidden="true" className={css.star}>
                ★
              </span>
              {before && other
                ? t(over ? "sweep.winner" : "sweep.winnerSoFar", {
                    name: nameOf(winner, axes, words),
                    low: low.low_score_count,
                    of: low.questions,
                    before: before.low_score_count,
                  })
                : t(over ? "sweep.winnerAlone" : "sweep.winnerAloneSoFar", {
                    name: nameOf(winner, axes, words),
                    low: low.low_score_count,
                    of: low.questions,
                  })}
            </li>
          )}
          {view.standing.en && <li>{i18n.language === "ja" ? view.standing.ja : view.standing.en}</li>}
          {winner && other && <li>{t("sweep.winnerRepairs", { repaired: winner.repaired.length, broken: winner.broken.length })}</li>}
          {moves && (
            <li>
              {equal.length > 0
                ? t("sweep.equallyStrong", {
                    metric: metricName(words, t, moves.metric),
                    params: [moves, ...equal]
                      .map((m) =>
                        t("sweep.above", {
                          param: words.param(m.param),
                          best: words.value(m.param, m.best),
                          worst: words.value(m.param, m.worst),
                        }),
                      )
                      .join(t("sweep.andAbove")),
                    spread: format.mean(moves.spread),
                  })
                : t("sweep.strongest", {
                    metric: metricName(words, t, moves.metric),
                    param: words.param(moves.param),
                    best: words.value(moves.param, moves.best),
                    worst: words.value(moves.param, moves.worst),
                    spread: format.mean(moves.spread),
                  })}
            </li>
          )}
        </ul>
        {winner && other && (
          <PageLink className="no-print" to="/compare" search={{ baseline: other.run_id, candidate: winner.run.run_id }}>
            {t("sweep.compareWinner")}
          </PageLink>
        )}
      </div>
    </Card>
  );
}

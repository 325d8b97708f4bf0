package causes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// Longer says how much more text the model is given, compared with the run that was diagnosed; nothing where it is hardly more.
func (r Recommendation) Longer() experiments.Rationale {
	cost := r.ContextCost()
	if cost <= 1.05 {
		return experiments.Rationale{}
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("It sends about %.1f times as much text to the model as the analysed run.", cost),
		JA: fmt.Sprintf("モデルに送る文章量は、分析した実行の約%.1f倍です。", cost),
	}
}

// recommendationWords says what to change, and what happened when it was tried; where it was not, what is expected.
func recommendationWords(r Recommendation) experiments.Rationale {
	change := experiments.Rationale{EN: "Change: " + r.Words("en") + ".", JA: "変更：" + r.Words("ja") + "。"}
	if !r.Risky() {
		return told(change, r.Came(), r.Longer())
	}
	return told(change, r.Came(), r.Longer(), experiments.Rationale{
		EN: fmt.Sprintf("%d of %d good answers would lose their evidence; others may change too.", len(r.AtRisk), r.Good),
		JA: fmt.Sprintf("良い回答%d件のうち%d件が根拠を失います。ほかの回答も変わることがあります。", r.Good, len(r.AtRisk)),
	})
}

// Told says what the trial of a recommendation found, wherever it is told: what happened, what had been expected, and what that means for
// the whole run; of what was tried on every answer, whether it is more than chance explains. Whether an estimate is certain is said once of
// all recommendations, see [Doubts].
func (r Recommendation) Told() experiments.Rationale {
	o := r.Outcome
	if !r.Forecast() {
		return told(o.happened(), o.InAll(), o.chance())
	}
	return told(o.happened(), o.forecast(), o.InAll(), o.chance())
}

// Came says what came of a recommendation when it was tried; where it was not, what is forecast from the diagnoses one by one: no bound,
// since a trial has repaired more.
func (r Recommendation) Came() experiments.Rationale {
	if r.Outcome != nil {
		return r.Told()
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("Forecast: it repairs %d of %d low-score answers; not tried in this analysis, so it may be more or fewer.", len(r.Heals), r.LowScores),
		JA: fmt.Sprintf("低スコア回答%d件のうち%d件の改善が見込まれます（この分析では試していないため、増減することがあります）。", r.LowScores, len(r.Heals)),
	}
}

// Forecast reports whether it was forecast which answers the configuration repairs: of one that no answer proposed, only what happened
// when it was tried is known.
func (r Recommendation) Forecast() bool { return len(r.Heals) > 0 }

// Risky reports whether good answers may lose their evidence by a configuration of which no better is known: it was not tried.
func (r Recommendation) Risky() bool { return r.Outcome == nil && len(r.AtRisk) > 0 }

// happened says what became of the answers on which a configuration was tried: those that it was to repair, and good ones.
func (o RepairOutcome) happened() experiments.Rationale {
	if o.RunID != "" {
		return o.happenedIn(experiments.Rationale{EN: "run " + o.RunID, JA: "実行 " + o.RunID + " "})
	}
	low := experiments.Rationale{
		EN: fmt.Sprintf("Tried on %s, it repaired %d.", answers(o.TriedLow, "low-score"), len(o.Repaired)),
		JA: fmt.Sprintf("低スコア回答%d件で試した結果、%d件が改善しました。", o.TriedLow, len(o.Repaired)),
	}
	if o.TriedGood == 0 {
		return told(low, experiments.Rationale{EN: "No good answer was tried.", JA: "良い回答では試していません。"})
	}
	return told(low, experiments.Rationale{
		EN: fmt.Sprintf("Of %s tried, %d became low.", answers(o.TriedGood, "good"), len(o.Broken)),
		JA: fmt.Sprintf("試した良い回答%d件のうち%d件が低スコアになりました。", o.TriedGood, len(o.Broken)),
	})
}

// forecast says what was expected of the low-score answers that were tried.
func (o RepairOutcome) forecast() experiments.Rationale {
	return experiments.Rationale{
		EN: fmt.Sprintf("The forecast was that %d of the %d would be repaired.", o.Promised, o.TriedLow),
		JA: fmt.Sprintf("試す前の見込みは%d件中%d件の改善でした。", o.TriedLow, o.Promised),
	}
}

// doubted reports whether the gain may be chance: a part was tried, and the interval holds no gain.
func (o RepairOutcome) doubted() bool { return o.Sampled() && !o.Gains() }

// Doubts says once, of all recommendations, which of them may gain nothing: that it is not certain yet of any, or of which ones. name
// is what a recommendation is called where it is said.
func Doubts(all []Recommendation, name func(r Recommendation) experiments.Rationale) experiments.Rationale {
	var doubted []experiments.Rationale
	for _, r := range all {
		if r.Outcome != nil && r.Outcome.doubted() {
			doubted = append(doubted, name(r))
		}
	}
	switch {
	case len(doubted) == 0:
		return experiments.Rationale{}
	case len(all) == 1:
		return experiments.Rationale{EN: "Whether the whole run gains is not certain yet.", JA: "実行全体で改善するとはまだ言い切れません。"}
	case allDoubted(all):
		return experiments.Rationale{
			EN: "Whether the whole run gains is not certain yet for any of the changes.",
			JA: "どの変更についても、実行全体で改善するとはまだ言い切れません。",
		}
	}
	return doubtsOf(doubted)
}

// doubtsOf says of changes by their names that they may gain nothing.
func doubtsOf(names []experiments.Rationale) experiments.Rationale {
	if len(names) == 0 {
		return experiments.Rationale{}
	}
	var en, ja []string
	for _, n := range names {
		en, ja = append(en, "“"+n.EN+"”"), append(ja, "「"+n.JA+"」")
	}
	return experiments.Rationale{
		EN: "Whether the whole run gains is not certain yet for " + strings.Join(en, " and ") + ".",
		JA: strings.Join(ja, "と") + "については、実行全体で改善するとはまだ言い切れません。",
	}
}

// Choice says what several recommendations are to each other, and which of them may gain nothing; nothing of a single one that gains.
func Choice(all []Recommendation, name func(r Recommendation) experiments.Rationale) experiments.Rationale {
	doubts := Doubts(all, name)
	if len(all) < 2 {
		return doubts
	}
	if apart(all) {
		return told(complements(), doubts)
	}
	return told(alternatives(), chosenBy(all), doubts)
}

// apart reports whether recommendations are about different answers each, and at most one of them is a configuration: then they are no
// alternatives, and whoever makes one leaves what the others repair.
func apart(all []Recommendation) bool {
	seen, configurations := map[string]bool{}, 0
	for _, r := range all {
		if r.Applies {
			configurations++
		}
		if len(r.Heals) == 0 || configurations > 1 {
			return false
		}
		for _, id := range r.Heals {
			if seen[id] {
				return false
			}
			seen[id] = true
		}
	}
	return true
}

func complements() experiments.Rationale {
	return experiments.Rationale{
		EN: "Each of these is about other answers: whoever makes one leaves what the others repair.",
		JA: "それぞれ別の回答についての変更です。1つだけ行っても、ほかの変更で改善する回答は残ります。",
	}
}

func alternatives() experiments.Rationale {
	return experiments.Rationale{
		EN: "These are alternatives, each looked at by itself: their numbers do not add up.",
		JA: "これらは代替案です。それぞれ単独で調べた件数のため、合計できません。",
	}
}

// asWritten is what a recommendation is called among people who know the parameters.
func asWritten(r Recommendation) experiments.Rationale {
	return experiments.Rationale{EN: r.Words("en"), JA: r.Words("ja")}
}

// allDoubted reports whether it is not certain of any of several recommendations that the whole run gains.
func allDoubted(all []Recommendation) bool {
	return len(all) > 1 && !slices.ContainsFunc(all, func(r Recommendation) bool { return r.Outcome == nil || !r.Outcome.doubted() })
}

func (o RepairOutcome) lowAfter() string {
	return answers(int(math.RoundToEven(o.LowAfter)), "low-score")
}

// answers is a number of answers of a kind.
func answers(n int, kind string) string {
	noun := strings.TrimSpace(kind + " answers")
	if n == 1 {
		noun = strings.TrimSuffix(noun, "s")
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// told are sentences behind each other; those that say nothing are left out.
func told(sentences ...experiments.Rationale) experiments.Rationale {
	var out experiments.Rationale
	for _, s := range sentences {
		if out.EN != "" && s.EN != "" {
			out.EN += " "
		}
		out.EN, out.JA = out.EN+s.EN, out.JA+s.JA
	}
	return out
}

// InAll says what a tried configuration does to the whole run: low-score answers before and after, and how many of those afterwards are
// newly broken; with 95% intervals where only a part of the answers was tried.
func (o RepairOutcome) InAll() experiments.Rationale {
	if o.RunID != "" {
		return experiments.Rationale{
			EN: fmt.Sprintf("In all: %d → %s.", o.LowBefore, o.lowAfter()),
			JA: fmt.Sprintf("全体では低スコア回答が%d件→%.0f件です。", o.LowBefore, o.LowAfter),
		}
	}
	if !o.Sampled() {
		return experiments.Rationale{
			EN: fmt.Sprintf("In all: %d → %s, %.0f of them newly broken; every answer was tried.", o.LowBefore, o.lowAfter(),
				o.BrokenInAll),
			JA: fmt.Sprintf("全体では低スコア回答が%d件→%.0f件、うち新たな悪化が%.0f件です（全件を試行）。", o.LowBefore, o.LowAfter, o.BrokenInAll),
		}
	}
	anew := answers(int(math.RoundToEven(o.BrokenInAll)), "newly broken")
	broken := experiments.Rationale{EN: anew, JA: fmt.Sprintf("%.0f件", o.BrokenInAll)}
	if o.TriedGood < o.Good { // else nothing of it is estimated
		broken.EN = fmt.Sprintf("about %s (%.0f to %.0f)", anew, o.BrokenLeast, o.BrokenMost)
		broken.JA = fmt.Sprintf("約%s（同%.0f〜%.0f件）", broken.JA, o.BrokenLeast, o.BrokenMost)
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("In all: %d → about %s (%.0f to %.0f with 95%% confidence), "+
			"judged from a sample of %d of %d low-score and %d of %d good answers. The %.0f include %s.",
			o.LowBefore, o.lowAfter(), o.LowLeast, o.LowMost, o.TriedLow, o.LowBefore, o.TriedGood, o.Good, o.LowAfter, broken.EN),
		JA: fmt.Sprintf("全体では低スコア回答が%d件→約%.0f件（95%%信頼区間%.0f〜%.0f件）、うち新たな悪化が%sの見込みです"+
			"（低スコア回答%d件中%d件、良い回答%d件中%d件で試した結果からの推定）。",
			o.LowBefore, o.LowAfter, o.LowLeast, o.LowMost, broken.JA, o.LowBefore, o.TriedLow, o.Good, o.TriedGood),
	}
}

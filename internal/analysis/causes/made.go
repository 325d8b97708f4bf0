package causes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// MadeIn is what became of the answers of a run in another finished run with other parameters over the same questions: the whole run was
// answered and judged, so that nothing is estimated. ok is false where an answer that was scored here has no score there.
func MadeIn(e, made experiments.Evaluation, heals []string) (o RepairOutcome, ok bool) {
	o = RepairOutcome{RunID: made.Run.ID, Repaired: []string{}, Broken: []string{}, Cost: 1}
	line := e.Run.Setup.LowRule()
	there := make(map[string]experiments.Result, len(made.Results))
	for _, r := range made.Results {
		if _, known := there[r.QuestionID]; !known {
			there[r.QuestionID] = r
		}
	}
	before, after := 0, 0
	for _, r := range e.Results {
		if !scoredAtAll(r) {
			continue
		}
		now, known := there[r.QuestionID]
		if !known || !scoredAtAll(now) {
			return o, false
		}
		before, after = before+lengthOf(r), after+lengthOf(now)
		switch was, is := r.Low(line), now.Low(line); {
		case was:
			o.LowBefore++
			if !is {
				o.Repaired = append(o.Repaired, r.QuestionID)
			}
			if slices.Contains(heals, r.QuestionID) {
				o.Promised++
			}
		default:
			o.Good++
			if is {
				o.Broken = append(o.Broken, r.QuestionID)
			}
		}
	}
	o.TriedLow, o.TriedGood = o.LowBefore, o.Good
	o.LowAfter = float64(o.LowBefore - len(o.Repaired) + len(o.Broken))
	o.LowLeast, o.LowMost = o.LowAfter, o.LowAfter
	o.BrokenInAll = float64(len(o.Broken))
	o.BrokenLeast, o.BrokenMost = o.BrokenInAll, o.BrokenInAll
	if before > 0 {
		o.Cost = float64(after) / float64(before)
	}
	return o, o.LowBefore+o.Good > 0
}

// scoredAtAll reports whether an answer can be a low score or a good one.
func scoredAtAll(r experiments.Result) bool {
	_, correctness := r.Value("correctness")
	_, trust := r.Value("trust")
	return correctness || trust
}

func lengthOf(r experiments.Result) (n int) {
	if r.Answer == nil {
		return 0
	}
	for _, h := range r.Answer.Hits {
		n += h.End - h.Start + utf8.RuneCountInString(h.Lead)
	}
	return n
}

// Measured is a configuration of the diagnosed run's sweep that was run whole, as the changes that lead to it. ok is false where a
// parameter differs that no change expresses.
func Measured(e, other experiments.Evaluation, lang string) (r Recommendation, ok bool) {
	was := map[string]any{}
	for _, p := range e.Run.Params {
		was[p.Name] = p.Value
	}
	var changes joint
	for _, p := range other.Run.Params {
		from, known := was[p.Name]
		if !known {
			return r, false
		}
		delete(was, p.Name)
		if (experiments.Param{Value: from}).Text() != p.Text() {
			changes = append(changes, Repair{Component: componentOf(p.Name), Param: p.Name, From: from, To: p.Value, ContextCost: 1,
				Unit: experiments.UnitOf(p.Name, other.Run.Setup.Config.Chunk)})
		}
	}
	if len(was) > 0 || len(changes) == 0 {
		return r, false
	}
	o, ok := MadeIn(e, other, nil)
	r = Recommendation{Repair: changes[0], With: changes[1:], Heals: []string{}, LowScores: o.LowBefore, AtRisk: []string{}, Outcome: &o,
		Applies: true}
	r.Applies = Makes(e.Run, other.Run, r, lang)
	return r, ok
}

// componentOf is the part of the system that a parameter belongs to.
func componentOf(param string) Component {
	switch {
	case param == "corpus":
		return Database
	case param == "generate.prompt":
		return SystemPrompt
	case param == "rewrite":
		return SearchQuery
	case param == "post_process":
		return PostProcessing
	case strings.HasPrefix(param, "generate."):
		return GenerationModel
	}
	return Retriever
}

// Makes reports whether a run has exactly the configuration that a recommendation leads to from another run, over the same questions and
// documents and by the same judge.
func Makes(e, other experiments.Run, r Recommendation, lang string) bool {
	s, o := e.Setup, other.Setup
	if !r.Applies || !SameBut(e, other) || s.Corpus != o.Corpus || s.Config.IsOutside() || s.Config.Index != nil {
		return false
	}
	changed, err := ApplyRepairs(s.Config, r.Changes(), lang)
	return err == nil && reflect.DeepEqual(changed.Frozen(), o.Config.Frozen())
}

// SameBut reports whether two finished evaluations asked the same questions and were scored by the same judge, whatever their
// configurations are.
func SameBut(e, other experiments.Run) bool {
	s, o := e.Setup, other.Setup
	return e.ID != other.ID && other.Kind == experiments.KindEvaluate && other.State == experiments.Finished && s.Dataset == o.Dataset &&
		s.Replicate == o.Replicate && o.Rejudge == "" && reflect.DeepEqual(s.Judge, o.Judge) &&
		(!s.Offline || s.OfflineVersion == o.OfflineVersion) && slices.Equal(s.Questions, o.Questions)
}

// MadeIn is the run that a configuration was made and measured in; "" for none.
func (r Recommendation) MadeIn() string {
	if r.Outcome == nil {
		return ""
	}
	return r.Outcome.RunID
}

// sure reports whether it is known of every answer what a configuration does to it.
func (r Recommendation) sure() bool { return r.Outcome != nil && !r.Outcome.Sampled() }

// measuredFirst puts the best configuration that was measured on every answer before one that is a forecast, or was tried on parts.
func measuredFirst(all []Recommendation) {
	if len(all) == 0 || all[0].sure() {
		return
	}
	best := -1
	for i, r := range all {
		if r.sure() && r.gain() > 0 && (best < 0 || r.gain() > all[best].gain()) {
			best = i
		}
	}
	if best > 0 {
		first := all[best]
		copy(all[1:best+1], all[:best])
		all[0] = first
	}
}

// chosenBy says why the first recommendation stands before one that takes away more low-score answers; nothing where none does.
func chosenBy(all []Recommendation) experiments.Rationale {
	if len(all) == 0 || !slices.ContainsFunc(all[1:], func(r Recommendation) bool { return r.gain() > all[0].gain() }) {
		return experiments.Rationale{}
	}
	if all[0].sure() && slices.ContainsFunc(all[1:], func(r Recommendation) bool { return !r.sure() && r.gain() > all[0].gain() }) {
		return experiments.Rationale{
			EN: "The first one is named first because it was measured on every answer; others may do more, but are expected or tried on a part only.",
			JA: "最初の変更は、すべての回答で測定済みのため先頭に置いています。改善がより多いと見込まれるものもありますが、見込みか一部での試行に基づきます。",
		}
	}
	return experiments.Rationale{
		EN: "By how many fewer low-score answers the whole run is expected to have, the first one is not the best: of those with at least four " +
			"fifths of what the best one has, it sends the least text to the model.",
		JA: "実行全体で見込まれる低スコア回答の減少数では、最初の変更が最良ではありません。減少数が最良の8割以上となる変更のうち、モデルに送る文章が最も短いものです。",
	}
}

// happenedIn says what became of every answer in the run that a configuration was made in, which is called so.
func (o RepairOutcome) happenedIn(run experiments.Rationale) experiments.Rationale {
	return experiments.Rationale{
		EN: fmt.Sprintf("Made and measured in %s: of %s, %d are no longer low; of %s, %d became low.", run.EN,
			answers(o.LowBefore, "low-score"), len(o.Repaired), answers(o.Good, "good"), len(o.Broken)),
		JA: fmt.Sprintf("%sで変更済み・測定済みです。低スコア回答%d件のうち%d件が改善し、良い回答%d件のうち%d件が低スコアになりました。",
			run.JA, o.LowBefore, len(o.Repaired), o.Good, len(o.Broken)),
	}
}

// ToldPlainly is [Recommendation.Told] without the name of a run, for people who do not know runs by their names.
func (r Recommendation) ToldPlainly() experiments.Rationale {
	if r.MadeIn() == "" {
		return r.Told()
	}
	return told(r.Outcome.happenedIn(experiments.Rationale{EN: "another run", JA: "別の実行"}), r.Outcome.InAll(), r.Outcome.chance())
}

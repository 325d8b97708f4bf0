package progress

import (
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/stats"
)

// JudgeError is how often people contradict the judge, among the answers of which it says one thing.
type JudgeError struct {
	Of    string          `json:"of"`    // "verdict" (the judge's side of it is correctness) or "trust"
	Class AnswerClass     `json:"class"` // what the judge makes of these answers; "" for all that it calls low, or all that it does not
	Low   bool            `json:"low"`   // the judge calls them low: an error is a false red; otherwise a false green
	N     int             `json:"n"`     // answers that people decided on
	Wrong int             `json:"wrong"` // of them, where people say the contrary
	CI95  *stats.Interval `json:"ci95,omitempty"`
	Needs int             `json:"needs"` // reviews that are missing before the share says something; 0: enough
}

// Share is the share of errors; ok is false where the reviews are too few to tell.
func (e JudgeError) Share() (share float64, ok bool) {
	if e.N == 0 || e.Needs > 0 {
		return 0, false
	}
	return float64(e.Wrong) / float64(e.N), true
}

// errorsOfJudge counts false reds and false greens: of every metric, and of correctness by class. Within a class the reviewed answers
// of a queue are a random choice; over the classes they are not, because each gets equally many.
func errorsOfJudge(labels []HumanLabel, threshold float64) []JudgeError {
	ratings := reviewRatings(threshold)
	verdict, trust := ratings[0], ratings[2]
	low := func(v float64) bool { return v <= threshold }
	yes := func(v float64) bool { return v == 1 }
	out := []JudgeError{}
	add := func(e JudgeError, r reviewRating, says func(float64) bool) {
		for _, l := range labels {
			judge, scored := r.judge(l)
			people, decided := r.people(l)
			if !scored || !decided || says(judge) != e.Low || e.Class != "" && l.Judge.Class(threshold) != e.Class {
				continue
			}
			e.N++
			if says(people) != e.Low {
				e.Wrong++
			}
		}
		if e.N == 0 {
			return
		}
		if e.Needs = max(0, fewestForInterval-e.N); e.Needs == 0 {
			if ci, err := stats.Wilson(e.Wrong, e.N, .95); err == nil {
				e.CI95 = &ci
			}
		}
		out = append(out, e)
	}
	for _, red := range []bool{true, false} {
		add(JudgeError{Of: verdict.of, Low: red}, verdict, yes)
	}
	for _, red := range []bool{true, false} {
		add(JudgeError{Of: trust.of, Low: red}, trust, low)
	}
	for _, class := range AnswerClasses() {
		add(JudgeError{Of: verdict.of, Class: class, Low: slices.Contains([]AnswerClass{ClassBoth, ClassWrong}, class)}, verdict, yes)
	}
	return out
}

// Says is the error in a sentence for people, in "en" or "ja". Every channel takes its words from here.
func (e JudgeError) Says(lang string) string {
	say := func(en, ja string, args ...any) string {
		if lang == "ja" {
			en = ja
		}
		return fmt.Sprintf(en, args...)
	}
	what := e.what(say)
	if e.Needs > 0 {
		return say("%s: people contradict it in %d of %d. Too few to tell; reviews still needed: %d.",
			"%s：人の判定と食い違ったのは%d件（%d件中）です。少なすぎて判断できません。あと%d件のレビューが必要です。", what, e.Wrong, e.N, e.Needs)
	}
	share, _ := e.Share()
	return say("%s: people contradict it in %d of %d (%.0f%%, 95%%: %.0f–%.0f%%).",
		"%s：人の判定と食い違ったのは%d件（%d件中、%.0f%%、95%%区間 %.0f〜%.0f%%）です。", what, e.Wrong, e.N, 100*share, 100*e.CI95.Low, 100*e.CI95.High)
}

func (e JudgeError) what(say func(en, ja string, args ...any) string) string {
	switch e.Class {
	case ClassBoth:
		return say("Judge: wrong and ungrounded", "評価モデルが誤りかつ根拠なしとした回答")
	case ClassWrong:
		return say("Judge: wrong, though grounded", "評価モデルが誤りとした回答（根拠はあり）")
	case ClassUngrounded:
		return say("Judge: right, though ungrounded", "評価モデルが正しいが根拠なしとした回答")
	case ClassGood:
		return say("Judge: right and grounded", "評価モデルが正しく根拠もあるとした回答")
	}
	metric := say("correctness", "正確性")
	if e.Of == "trust" {
		metric = say("trust", "信頼性")
	}
	if e.Low {
		return say("Judge: low %s", "評価モデルが低い%sとした回答", metric)
	}
	return say("Judge: %s not low", "評価モデルが%sは低くないとした回答", metric)
}

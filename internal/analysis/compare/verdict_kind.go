package compare

import (
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// AnswerKind says what an answer is to the person who asked.
type AnswerKind string

// The kinds, by the correctness of the answer where it was graded (1 to 5). Where the documents do not hold the answer, saying so is
// right and every answer is wrong.
const (
	KindRight   AnswerKind = "right"        // 4 or 5
	KindPartly  AnswerKind = "partly_right" // 3
	KindWrong   AnswerKind = "wrong"        // 1 or 2
	KindRefused AnswerKind = "refused"      // says that the documents do not hold what they do hold
	KindFailed  AnswerKind = "failed"       // there is no answer for a named cause; never a quality
)

// AnswerKinds lists the kinds, the best first.
func AnswerKinds() []AnswerKind {
	return []AnswerKind{KindRight, KindPartly, KindWrong, KindRefused, KindFailed}
}

// Word is the kind as people read it.
func (k AnswerKind) Word(lang string) string { return say(lang, "kind."+string(k), nil) }

// KindOf says what the answers of one question are. correctness is the mean of the votes, and graded false without any; refused is what
// the judge read out of the answer when it listed its claims, or what its words say; nil where neither tells. "" stands for what nobody
// can say.
func KindOf(answerable bool, correctness float64, graded bool, refused *bool) AnswerKind {
	said := refused != nil && *refused
	switch {
	case !answerable && refused != nil:
		if said {
			return KindRight
		}
		return KindWrong
	case said && (!graded || correctness < 3.5): // a judge that calls it right all the same is believed
		return KindRefused
	case !graded:
		return ""
	case correctness >= 3.5:
		return KindRight
	case correctness >= 2.5:
		return KindPartly
	}
	return KindWrong
}

// kindOf is the kind of the first vote's answer; its correctness is the mean of all.
func kindOf(answerable bool, results []experiments.Result, facts *AnswerFacts) AnswerKind {
	if len(results) == 0 {
		return ""
	}
	if results[0].Failure != nil {
		return KindFailed
	}
	sum, n := 0.0, 0
	for i := range results {
		if v, ok := results[i].Value("correctness"); ok {
			sum, n = sum+v, n+1
		}
	}
	refused := refusedBy(facts, results[0].Answer)
	kind := KindOf(answerable, sum/float64(max(1, n)), n > 0, refused)
	if kind == KindRight && answerable && refused != nil && *refused && facts != nil && facts.Matched && !facts.holds() {
		return KindRefused // called right although it says nothing that the right answer says
	}
	return kind
}

// refusedBy says whether an answer refuses: by the judge where it listed the claims, else by the words of one that says nothing else. Where
// nobody listed claims, as in most recorded runs and imports, words that hold more than a refusal tell nothing.
func refusedBy(facts *AnswerFacts, answer *rag.Answer) *bool {
	if facts != nil && facts.Refused != nil {
		return facts.Refused
	}
	if answer == nil {
		return nil
	}
	if _, only := metrics.Refusal(answer.Text); only {
		return &only
	}
	return nil
}

// transition writes a change of kind; "" where there is none to tell.
func transition(kinds [2]AnswerKind) string {
	if kinds[0] == kinds[1] || kinds[0] == "" || kinds[1] == "" {
		return ""
	}
	return string(kinds[0]) + " → " + string(kinds[1])
}

// TransitionWord is the change of kind as people read it, such as "refused → right"; "" where there is none.
func (v *QuestionVerdict) TransitionWord(lang string) string {
	if v.Transition == "" {
		return ""
	}
	return v.Kinds[0].Word(lang) + " → " + v.Kinds[1].Word(lang)
}

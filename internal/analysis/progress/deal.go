package progress

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// AnswerClass is what a judge makes of an answer: low by which of its two metrics.
type AnswerClass string

// The classes, worst first.
const (
	ClassBoth       AnswerClass = "wrong_ungrounded" // low correctness and low trust
	ClassWrong      AnswerClass = "wrong"            // low correctness only
	ClassUngrounded AnswerClass = "ungrounded"       // low trust only
	ClassGood       AnswerClass = "good"             // neither
)

// AnswerClasses lists the classes, worst first.
func AnswerClasses() []AnswerClass {
	return []AnswerClass{ClassBoth, ClassWrong, ClassUngrounded, ClassGood}
}

// Class is the judge's class of an answer where scores at or below threshold are low; "" where it gave neither score.
func (j JudgedAnswer) Class(threshold float64) AnswerClass {
	low := func(v *float64) bool { return v != nil && *v <= threshold }
	switch wrong, ungrounded := low(j.Correctness), low(j.Trust); {
	case j.Correctness == nil && j.Trust == nil:
		return ""
	case wrong && ungrounded:
		return ClassBoth
	case wrong:
		return ClassWrong
	case ungrounded:
		return ClassUngrounded
	}
	return ClassGood
}

// Deal says which answers of a run are dealt to whom.
type Deal struct {
	Reviewers []string
	Answers   int // different ones, at most; 0 means all
	Twice     int // of them, each to two reviewers, from whom agreement is told
	Seed      uint64
	Had       map[string]bool // questions whose answers were dealt before
}

// DealtAnswer is one answer and who gets it.
type DealtAnswer struct {
	QuestionID string      `json:"question_id"`
	Class      AnswerClass `json:"class"`
	Reviewers  []string    `json:"reviewers"`
}

// DealAnswers chooses answers at random, equally many of each class of the judge as far as there are, and deals them in turn. The first
// of them are dealt twice, so that these too are of every class. Nothing but the run, the seed and what was dealt before decides.
func DealAnswers(e experiments.Evaluation, d Deal) []DealtAnswer {
	strata := map[AnswerClass][]string{}
	seen, rule := map[string]bool{}, e.Run.Setup.LowRule()
	for _, r := range e.Results {
		if seen[r.QuestionID] {
			continue // a further vote
		}
		seen[r.QuestionID] = true
		class := judgeOf(r, rule).Class(e.Run.Setup.LowScore)
		if class != "" && r.Answer != nil && !d.Had[r.QuestionID] {
			strata[class] = append(strata[class], r.QuestionID)
		}
	}
	for class, list := range strata {
		slices.Sort(list) // whatever order the run asked in
		strata[class] = drawnFrom(list, d.Seed, string(class))
	}
	var out []DealtAnswer
	for taken := true; taken && (d.Answers == 0 || len(out) < d.Answers); {
		taken = false
		for _, class := range AnswerClasses() {
			if len(strata[class]) > 0 && (d.Answers == 0 || len(out) < d.Answers) {
				out = append(out, DealtAnswer{QuestionID: strata[class][0], Class: class})
				strata[class], taken = strata[class][1:], true
			}
		}
	}
	for i := range out {
		turn := i % len(d.Reviewers)
		out[i].Reviewers = []string{d.Reviewers[turn]}
		if i < d.Twice && len(d.Reviewers) > 1 {
			out[i].Reviewers = append(out[i].Reviewers, d.Reviewers[(turn+1+i/len(d.Reviewers)%(len(d.Reviewers)-1))%len(d.Reviewers)])
		}
	}
	return out
}

// AnyJudged reports whether the judge scored any answer of a run, so that it can be dealt.
func AnyJudged(e experiments.Evaluation) bool {
	low, rule := e.Run.Setup.LowScore, e.Run.Setup.LowRule()
	return slices.ContainsFunc(e.Results, func(r experiments.Result) bool { return r.Answer != nil && judgeOf(r, rule).Class(low) != "" })
}

// OrderFor is the order in which a reviewer gets answers: at random, so that the order does not tell what the judge says.
func OrderFor(reviewer string, questions []string, seed uint64) []string {
	sorted := slices.Clone(questions)
	slices.Sort(sorted)
	return drawnFrom(sorted, seed, "order of "+reviewer)
}

// drawnFrom shuffles a list by a seed and what it is for.
func drawnFrom(list []string, seed uint64, purpose string) []string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", seed, purpose))
	out := make([]string, len(list))
	for i, from := range stats.NewSplitMix64(binary.BigEndian.Uint64(sum[:8])).Permutation(len(list)) {
		out[i] = list[from]
	}
	return out
}

// JudgedBeside is what the judge says of an answer, and whether that is the contrary of what one review says.
func JudgedBeside(r experiments.Result, setup experiments.Setup, review experiments.Review) (judged JudgedAnswer, differs bool) {
	l := HumanLabel{Reviews: []experiments.Review{review}, Judge: judgeOf(r, setup.LowRule())}
	l.settle(setup.LowScore)
	return l.Judge, l.Differs
}

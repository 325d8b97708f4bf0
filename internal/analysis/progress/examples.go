package progress

import (
	"crypto/sha256"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// UsualExamples is how many examples are proposed where nothing else is asked for.
const UsualExamples = 6

// KeptBack reports whether the reviews of a question are kept back for testing. The half that a question belongs to hangs on its id
// alone, so it never changes: not with more reviews, not with another run on the same questions.
func KeptBack(question string) bool {
	sum := sha256.Sum256([]byte("kept back\x00" + question))
	return sum[0]&1 == 1
}

// ExampleRules say how examples are chosen.
type ExampleRules struct {
	Most int // at most; default [UsualExamples]
	Seed uint64
}

// ChosenExample is an example for a judge's prompt, and where it comes from.
type ChosenExample struct {
	QuestionID string `json:"question_id"`
	Differs    bool   `json:"differs"` // the judge said the contrary of what people say
	metrics.JudgeExample
}

// Proposal is what a judge may be shown, and what was left out.
type Proposal struct {
	Examples []ChosenExample `json:"examples"` // disagreements first
	First    int             `json:"first"`    // reviewed answers of the first half, from which examples come
	Kept     int             `json:"kept"`     // reviewed answers of the half that is kept back
	Differs  int             `json:"differs"`  // of First: judge and people say the contrary
	Long     int             `json:"long"`     // of First: left out, because a text is longer than an example may be
	Personal int             `json:"personal"` // of First: left out, because a text seems to hold personal data or a secret
}

// ProposeExamples chooses from the first half of the reviewed answers what to show the judge: where it and people say the contrary
// first, as many accepted as rejected ones as far as there are, in an order that the seed draws. Where judge and people nowhere differ
// nothing is proposed. Answers on which reviewers are split, and those without a reference, are no examples.
func ProposeExamples(e experiments.Evaluation, f ReviewFigures, rules ExampleRules) Proposal {
	p := Proposal{Examples: []ChosenExample{}}
	most := rules.Most
	if most == 0 {
		most = UsualExamples
	}
	pools := map[bool]map[bool][]ChosenExample{true: {}, false: {}} // by accepted, differing
	byID := map[string]ChosenExample{}
	var first []string
	for _, l := range f.Labels {
		if _, decided := l.incorrect(); !decided || l.Judge.Correctness == nil {
			continue
		}
		if KeptBack(l.QuestionID) {
			p.Kept++
			continue
		}
		p.First++
		if l.Differs {
			p.Differs++
		}
		x, ok := exampleOf(e, l)
		switch {
		case !ok || l.Split:
		case tooLong(x):
			p.Long++
		case foreign.Personal(x.Question) || foreign.Personal(x.Answer) || foreign.Personal(x.Reference):
			p.Personal++
		default:
			byID[l.QuestionID] = x
			first = append(first, l.QuestionID)
		}
	}
	for _, id := range OrderFor("examples", first, rules.Seed) {
		x := byID[id]
		pools[x.Accepted][x.Differs] = append(pools[x.Accepted][x.Differs], x)
	}
	if len(pools[true][true])+len(pools[false][true]) == 0 {
		return p
	}
	p.Examples = balanced(pools, most)
	return p
}

// balanced takes accepted and rejected examples in turn, of each the differing ones first; where one kind is used up, of the other only
// what differs.
func balanced(pools map[bool]map[bool][]ChosenExample, most int) []ChosenExample {
	take := func(accepted, differs bool) (ChosenExample, bool) {
		pool := pools[accepted][differs]
		if len(pool) == 0 {
			return ChosenExample{}, false
		}
		pools[accepted][differs] = pool[1:]
		return pool[0], true
	}
	var differing, others []ChosenExample
	taken := map[bool]int{}
	for len(differing)+len(others) < most {
		kind := taken[true] < taken[false] || taken[true] == taken[false] && len(pools[true][true]) > len(pools[false][true])
		x, ok := take(kind, true)
		if !ok {
			x, ok = take(kind, false)
		}
		if !ok {
			x, ok = take(!kind, true)
		}
		if !ok {
			break
		}
		taken[x.Accepted]++
		if x.Differs {
			differing = append(differing, x)
		} else {
			others = append(others, x)
		}
	}
	return append(differing, others...)
}

func exampleOf(e experiments.Evaluation, l HumanLabel) (ChosenExample, bool) {
	bad, _ := l.incorrect()
	for i, r := range e.Results {
		if r.QuestionID != l.QuestionID {
			continue
		}
		q := e.Questions[i]
		if r.Answer == nil || r.Answer.Text == "" || q.Reference == "" || q.Text == "" {
			return ChosenExample{}, false
		}
		return ChosenExample{QuestionID: q.ID, Differs: l.Differs, JudgeExample: metrics.JudgeExample{
			Question: q.Text, Answer: r.Answer.Text, Reference: q.Reference, Accepted: !bad,
		}}, true
	}
	return ChosenExample{}, false
}

func tooLong(x ChosenExample) bool {
	for _, s := range []string{x.Question, x.Answer, x.Reference} {
		if utf8.RuneCountInString(s) > metrics.MostExampleRunes {
			return true
		}
	}
	return false
}

// JudgeExamples are the examples alone, as a judge is shown them.
func (p Proposal) JudgeExamples() []metrics.JudgeExample {
	out := make([]metrics.JudgeExample, len(p.Examples))
	for i, x := range p.Examples {
		out[i] = x.JudgeExample
	}
	return out
}

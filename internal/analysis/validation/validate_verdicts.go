package validation

import (
	"slices"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ReadersPair is a pair of answers to one question with the verdict of a careful reader who did not know which answer was before or
// after, what a judge had said, or which system made it.
type ReadersPair struct {
	ID         string   `json:"id"`
	Lang       string   `json:"lang"` // "en" or "ja"; "" is told from the question
	Question   string   `json:"question"`
	Reference  string   `json:"reference"`
	Answerable *bool    `json:"answerable"` // null counts as true
	Before     string   `json:"before"`
	After      string   `json:"after"`
	Reader     Reading  `json:"reader"`
	Second     *Reading `json:"second_reader,omitempty"` // where two read the pair; the first counts
}

// Reading is what one reader says of a pair.
type Reading struct {
	Verdict         string   `json:"verdict"`                     // worse, mixed, same or better
	Correctness     *[2]int  `json:"correctness,omitempty"`       // of both answers, 1 to 5
	InventedOrFalse *[2]bool `json:"invented_or_false,omitempty"` // whether each answer says something that is invented or false
}

// Label is the reader's verdict in our words; "" for a word that is none of the four.
func (r Reading) Label() compare.Label {
	switch r.Verdict {
	case "worse", "mixed", "better":
		return compare.Label(r.Verdict)
	case "same", "no_change":
		return compare.NoChange
	}
	return ""
}

// PairSamples are the two answers of a pair as a judge sees them.
func (p ReadersPair) PairSamples() [2]metrics.Sample {
	var out [2]metrics.Sample
	for i, answer := range [2]string{p.Before, p.After} {
		out[i] = metrics.Sample{
			QuestionID: p.ID, Question: p.Question, Lang: p.Lang, Reference: p.Reference, Answerable: p.Answerable == nil || *p.Answerable,
			Answer: answer,
		}
	}
	return out
}

// PairMetrics are the metrics that a judge is asked for of both answers: the grade, and the claims that decide where grades tie.
func PairMetrics() []string { return []string{"correctness", "factual_correctness"} }

// JudgedPair is what a judge made of a pair: the grades of correctness, and what its replies say of both answers.
type JudgedPair struct {
	Grades [2]float64
	Facts  [2]*compare.AnswerFacts
	Prefer metrics.Preference // of a comparison in both orders; none where it was not asked for
	Lost   string             // why the judge has no grade of one of the answers; "" where it has both
}

// Verdict decides a pair as a comparison would that has no other metric than correctness.
func (p ReadersPair) Verdict(j JudgedPair) (compare.Label, compare.TieBreak) {
	spec, _ := metrics.Find("correctness")
	row := compare.QuestionChange{Baseline: j.Grades[0], Candidate: j.Grades[1]}
	row.ByOneVote(spec)
	move, by := compare.LabelMovement(row.Label), compare.TieBreak("")
	graded := move
	decided, why, between := compare.BetweenRefusalAndWrong(p.kinds(j), j.Facts, move)
	switch {
	case between && move != decided && !p.Tied(j):
		move, by = decided, why
	case p.Tied(j) && j.Prefer != metrics.PrefersNone:
		move, by = compare.MovementOf(j.Prefer), compare.ByBothOrders
	case p.gradesTie(j):
		move, by = compare.BreakTie(*j.Facts[0], *j.Facts[1])
	}
	return compare.SettleByKind(graded, move, by, compare.Absent, compare.StayedGood), by
}

// kinds says what both answers are.
func (p ReadersPair) kinds(j JudgedPair) (kinds [2]compare.AnswerKind) {
	for side, facts := range j.Facts {
		var refused *bool
		if facts != nil {
			refused = facts.Refused
		}
		kinds[side] = compare.KindOf(p.Answerable == nil || *p.Answerable, j.Grades[side], j.Lost == "", refused)
	}
	return kinds
}

// gradesTie reports whether the facts of a pair may decide.
func (p ReadersPair) gradesTie(j JudgedPair) bool {
	return j.Lost == "" && j.Grades[0] == j.Grades[1] && j.Facts[0] != nil && j.Facts[1] != nil && !textual.SameAnswer(p.Before, p.After)
}

// Tied reports whether grades and facts of a pair tie, so that only a comparison of both answers can decide.
func (p ReadersPair) Tied(j JudgedPair) bool {
	if !p.gradesTie(j) {
		return false
	}
	move, _ := compare.BreakTie(*j.Facts[0], *j.Facts[1])
	return move == compare.Level
}

// WordScore is how far one word of the judge means what it means to readers.
type WordScore struct {
	Precision *float64 `json:"precision"` // of the pairs that it calls so, the share that readers call so; null when it calls none so
	Recall    *float64 `json:"recall"`    // of the pairs that readers call so, the share that it calls so; null when they call none so
	N         int      `json:"n"`         // pairs that readers call so
	Called    int      `json:"called"`    // pairs that it calls so
}

// VerdictScore sets a judge's verdicts against readers'.
type VerdictScore struct {
	Source     string         `json:"source"` // the name of the file of pairs
	MeasuredAt time.Time      `json:"measured_at"`
	Pairs      int            `json:"pairs"`              // that the judge graded
	Lost       int            `json:"lost"`               // pairs of which it did not grade both answers
	LostWhy    map[string]int `json:"lost_why,omitempty"` // by cause

	Worse     WordScore                               `json:"worse"`
	Better    WordScore                               `json:"better"`
	Confusion map[compare.Label]map[compare.Label]int `json:"confusion"` // by what readers say, by what the judge says
	TieBreaks int                                     `json:"tie_breaks"`
	Agreement *ReaderAgreement                        `json:"agreement"` // among readers; null where no pair has two
}

// ReaderAgreement is how far two readers agree on the same pairs: the bar that no judge needs to pass.
type ReaderAgreement struct {
	Pairs int     `json:"pairs"`
	Same  int     `json:"same"`
	Kappa float64 `json:"kappa"` // Cohen's, on the four words; 1 where both always say the same
}

// DoubtsWorse reports whether it is left open that "worse" of the judge is right less often than [TrustedWorse], and how often it was right
// of how many. A judge that called no answer worse gave no reason to doubt it.
func (s *VerdictScore) DoubtsWorse() (right, called int, doubts bool) {
	if s == nil || s.Worse.Precision == nil {
		return 0, 0, false
	}
	right, called = s.Confusion[compare.Worse][compare.Worse], s.Worse.Called
	sure, err := stats.Wilson(right, called, 0.8) // its lower end is exceeded with 90%
	return right, called, err != nil || sure.Low < TrustedWorse
}

// TrustedWorse is the precision of "worse" that the count of a judge has to make likely (the lower end of the score interval with 90%
// above it), or its "worse" is said to be in doubt wherever it is shown. One above it by a pair or two says nothing.
const TrustedWorse = 0.75

// ScoreVerdicts counts the verdicts of a judge on pairs, by[i] on pairs[i], against those of readers.
func ScoreVerdicts(pairs []ReadersPair, by []JudgedPair) VerdictScore {
	s := VerdictScore{LostWhy: map[string]int{}, Confusion: map[compare.Label]map[compare.Label]int{}}
	for _, word := range compare.Labels() {
		if word != compare.NeedsCheck {
			s.Confusion[word] = map[compare.Label]int{}
		}
	}
	for i, p := range pairs {
		if why := by[i].Lost; why != "" {
			s.Lost++
			s.LostWhy[why]++
			continue
		}
		s.Pairs++
		said, tie := p.Verdict(by[i])
		s.Confusion[p.Reader.Label()][said]++
		if tie != "" {
			s.TieBreaks++
		}
	}
	s.Worse, s.Better = s.word(compare.Worse), s.word(compare.Better)
	s.Agreement = readersAgree(pairs)
	return s
}

func (s *VerdictScore) word(w compare.Label) WordScore {
	hits := s.Confusion[w][w]
	var out WordScore
	for readers, row := range s.Confusion {
		for said, n := range row {
			if readers == w {
				out.N += n
			}
			if said == w {
				out.Called += n
			}
		}
	}
	share := func(of int) *float64 {
		if of == 0 {
			return nil
		}
		v := float64(hits) / float64(of)
		return &v
	}
	out.Precision, out.Recall = share(out.Called), share(out.N)
	return out
}

func readersAgree(pairs []ReadersPair) *ReaderAgreement {
	var a ReaderAgreement
	words := []compare.Label{compare.Worse, compare.Mixed, compare.NoChange, compare.Better}
	var first, second []int
	for _, p := range pairs {
		if p.Second == nil {
			continue
		}
		a.Pairs++
		if p.Reader.Label() == p.Second.Label() {
			a.Same++
		}
		first, second = append(first, slices.Index(words, p.Reader.Label())), append(second, slices.Index(words, p.Second.Label()))
	}
	if a.Pairs == 0 {
		return nil
	}
	a.Kappa, _ = stats.CohenKappa(first, second) // the lists are equally long and not empty
	return &a
}

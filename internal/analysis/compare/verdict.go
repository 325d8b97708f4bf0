package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// Movement is what one metric did on one question between two runs, as far as that is settled.
type Movement string

// The movements. A metric that has no score in one of the runs did not move: [Absent].
const (
	Absent    Movement = ""
	Fell      Movement = "fell"      // for the worse, whichever direction is better
	Rose      Movement = "rose"      // for the better
	Level     Movement = "level"     // by less than matters
	Unsettled Movement = "unsettled" // it may have moved: more votes would tell
)

// LabelMovement reads a metric's own label.
func LabelMovement(l Label) Movement {
	switch l {
	case Worse:
		return Fell
	case Better:
		return Rose
	case NeedsCheck:
		return Unsettled
	case NoChange, Mixed:
	}
	return Level
}

// Crossing says where the guard stood against the agreed low-score line before and after.
type Crossing string

// The crossings.
const (
	StayedGood Crossing = "stayed_good"
	StayedLow  Crossing = "stayed_low"
	BecameLow  Crossing = "became_low"
	LeftLow    Crossing = "left_low"
)

func crossing(low [2]bool) Crossing {
	switch low {
	case [2]bool{false, true}:
		return BecameLow
	case [2]bool{true, false}:
		return LeftLow
	case [2]bool{true, true}:
		return StayedLow
	}
	return StayedGood
}

// Settle is the verdict on a question from what its first metric and its guard did (spec: the table of verdicts). The crossing is the
// guard's and counts only where the guard moved that way. A guard whose movement is not settled leaves the verdict open exactly where
// it would be another one.
//
//	first      guard                    verdict
//	fell       left the low zone        mixed, else worse
//	rose       became low               mixed, else better
//	level      became low               worse (less grounded)
//	level      left the low zone        better (better grounded)
//	level      on one side of the line  no change
//	unsettled  –                        needs check
func Settle(first, guard Movement, at Crossing) Label {
	if first == Absent {
		first, guard = guard, Absent
	}
	became, left := at == BecameLow && guard == Fell, at == LeftLow && guard == Rose
	open := guard == Unsettled
	switch first {
	case Fell:
		switch {
		case left:
			return Mixed
		case open && at == LeftLow:
			return NeedsCheck
		}
		return Worse
	case Rose:
		switch {
		case became:
			return Mixed
		case open && at == BecameLow:
			return NeedsCheck
		}
		return Better
	case Level:
		switch {
		case became:
			return Worse
		case left:
			return Better
		case open && (at == BecameLow || at == LeftLow):
			return NeedsCheck
		}
		return NoChange
	case Unsettled:
		return NeedsCheck
	case Absent:
	}
	return NoChange
}

// QuestionVerdict is what became of one question: one of the five words, by the metrics that decide and in their order.
type QuestionVerdict struct {
	QuestionID string `json:"question_id"`
	BaselineID string `json:"baseline_question_id,omitempty"` // where the baseline has the question under another id
	Verdict    Label  `json:"verdict"`

	First  Deciding  `json:"first"`           // the metric that decides here
	Guard  *Deciding `json:"guard,omitempty"` // the next one; nil where the question has no score by it in both runs
	ByTie  TieBreak  `json:"by_tie,omitempty"`
	Remark *Note     `json:"remark,omitempty"` // a movement that the word does not tell, or both sides of a mixed one

	Kinds      [2]AnswerKind `json:"kinds"`                // of the baseline's answer and of the candidate's; "" where nobody can say
	Transition string        `json:"transition,omitempty"` // "refused → right"; "" where the kind is the same or unknown

	Detail    Detail    `json:"detail"` // the finer label of the metric that made the verdict
	SettledBy SettledBy `json:"settled_by,omitempty"`
	Flaky     bool      `json:"flaky,omitempty"`
	Critical  bool      `json:"critical,omitempty"` // a mark; it makes no question worse
	Identical bool      `json:"identical,omitempty"`
	BecameLow bool      `json:"became_low,omitempty"` // surely, by a metric by which the runs call answers low

	// where it may be worse and has too few votes for that to be confirmed: how likely that is, 1 where nobody knows; else 0
	Open float64 `json:"-"`
}

// Deciding is what one deciding metric did on one question. Values are means over votes.
type Deciding struct {
	Metric    string    `json:"metric"`
	Baseline  float64   `json:"baseline"`
	Candidate float64   `json:"candidate"`
	Gain      float64   `json:"gain"` // share of the metric's range that it moved for the better, below 0 for the worse
	Movement  Movement  `json:"movement"`
	Crossing  Crossing  `json:"crossing"` // of the low-score line
	Detail    Detail    `json:"detail"`   // the finer label of this metric alone
	SettledBy SettledBy `json:"settled_by,omitempty"`
	Flaky     bool      `json:"flaky,omitempty"`

	// of votes so few that they could confirm nothing, whatever they said: how likely it is worse, 1 where nobody knows; else 0
	Open float64 `json:"-"`
}

// BecameLow reports whether the metric surely fell below the low-score line.
func (d *Deciding) BecameLow() bool { return d != nil && d.Movement == Fell && d.Crossing == BecameLow }

// mayBeLow reports whether the metric fell below the low-score line, surely or as far as it is known.
func (d *Deciding) mayBeLow() bool {
	return d != nil && (d.Movement == Fell || d.Movement == Unsettled) && d.Crossing == BecameLow
}

// Decider is the metric to look at first: the guard where it alone made the verdict, else the first.
func (v *QuestionVerdict) Decider() Deciding {
	if v.Guard != nil && v.First.Movement == Level && v.ByTie == "" && v.Verdict != NoChange {
		return *v.Guard
	}
	return v.First
}

// Lost is the metric by which a mixed question is worse; "" of any other.
func (v *QuestionVerdict) Lost() string {
	switch {
	case v.Verdict != Mixed:
		return ""
	case v.Guard.BecameLow(): // else it left the low zone, and the first fell
		return v.Guard.Metric
	}
	return v.First.Metric
}

// InBaseline is the question's id in the baseline.
func (v *QuestionVerdict) InBaseline() string { return cmp.Or(v.BaselineID, v.QuestionID) }

// VerdictCounts counts questions by their verdict. Its fields are the five words and nothing else.
type VerdictCounts struct {
	Worse      int `json:"worse"`
	Mixed      int `json:"mixed"`
	NeedsCheck int `json:"needs_check"`
	NoChange   int `json:"no_change"`
	Better     int `json:"better"`
}

// Add counts one question; a label that is none of the five words is not counted.
func (n *VerdictCounts) Add(l Label) {
	switch l {
	case Worse:
		n.Worse++
	case Mixed:
		n.Mixed++
	case NeedsCheck:
		n.NeedsCheck++
	case NoChange:
		n.NoChange++
	case Better:
		n.Better++
	}
}

// Of is the count of one word.
func (n VerdictCounts) Of(l Label) int {
	return map[Label]int{Worse: n.Worse, Mixed: n.Mixed, NeedsCheck: n.NeedsCheck, NoChange: n.NoChange, Better: n.Better}[l]
}

// Compared is the number of questions that have a verdict.
func (n VerdictCounts) Compared() int {
	return n.Worse + n.Mixed + n.NeedsCheck + n.NoChange + n.Better
}

// Leaning counts the questions that need a check and whose score by the metric that decides first is better than before, and worse.
func Leaning(verdicts []QuestionVerdict) (better, worse int) {
	for i := range verdicts {
		switch v := &verdicts[i]; {
		case v.Verdict != NeedsCheck:
		case v.First.Gain > 0:
			better++
		case v.First.Gain < 0:
			worse++
		}
	}
	return better, worse
}

// verdictOrder ranks the words in lists: what people should read first stands first.
var verdictOrder = map[Label]int{Worse: 0, Mixed: 1, NeedsCheck: 2, Better: 3, NoChange: 4}

// Severity compares two verdicts for every list of questions: the word, then answers that became low by the first metric, then the size
// of its fall, or of its rise where it rose, then critical questions, then answers that became low by the guard, then the question's id.
// It is negative where a stands first, and 0 only for the same question.
func Severity(a, b *QuestionVerdict) int {
	return cmp.Or(
		cmp.Compare(verdictOrder[a.Verdict], verdictOrder[b.Verdict]),
		first(a.First.mayBeLow(), b.First.mayBeLow()),
		first(!a.roseUnsure(), !b.roseUnsure()),
		cmp.Compare(a.farthest(), b.farthest()),
		first(a.Critical, b.Critical),
		first(a.Guard.mayBeLow(), b.Guard.mayBeLow()),
		strings.Compare(a.QuestionID, b.QuestionID),
	)
}

// roseUnsure reports whether a question needs a check and scored higher.
func (v *QuestionVerdict) roseUnsure() bool { return v.Verdict == NeedsCheck && v.First.Gain > 0 }

// farthest is lower the more the first metric moved the way that the list is about: answers that rose stand with the largest rise first.
func (v *QuestionVerdict) farthest() float64 {
	if v.Verdict == Better || v.roseUnsure() {
		return -v.First.Gain
	}
	return v.First.Gain
}

// Verdict returns the verdict of a question by the candidate's id. ok is false for questions that are compared nowhere.
func (c *Comparison) Verdict(question string) (v QuestionVerdict, ok bool) {
	for i := range c.Verdicts {
		if c.Verdicts[i].QuestionID == question {
			return c.Verdicts[i], true
		}
	}
	return QuestionVerdict{}, false
}

// With lists the verdicts that are one of these words, severest first.
func (c *Comparison) With(words ...Label) []QuestionVerdict {
	out := []QuestionVerdict{}
	for _, v := range c.Verdicts {
		if slices.Contains(words, v.Verdict) {
			out = append(out, v)
		}
	}
	return out
}

// WorseIDs are the questions whose verdict is worse, severest first.
func (c *Comparison) WorseIDs() []string {
	ids := []string{}
	for _, v := range c.With(Worse) {
		ids = append(ids, v.QuestionID)
	}
	return ids
}

// lowLine is the value of a metric at which its low zone begins: the agreed line itself on the scale from 1 to 5, and on every other
// scale the same share of its range, counted in fifths (a line of 2 of 5 is 0.4 of a share).
func lowLine(spec metrics.Spec, threshold float64) float64 {
	if spec.Min == 1 && spec.Max == 5 && !spec.LowerIsBetter {
		return threshold
	}
	share := threshold / 5
	if spec.LowerIsBetter {
		return spec.Max - share*(spec.Max-spec.Min)
	}
	return spec.Min + share*(spec.Max-spec.Min)
}

// isLow reports whether a value lies in the low zone of a metric.
func isLow(spec metrics.Spec, threshold, value float64) bool {
	const rounding = 1e-9
	if spec.LowerIsBetter {
		return value >= lowLine(spec, threshold)-rounding
	}
	return value <= lowLine(spec, threshold)+rounding
}

package findings

import (
	"cmp"
	"slices"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// examplesShown is how many of the worst and of the best questions are told in full where nothing else is asked for.
const examplesShown = 2

func (b *builder) shown() int { return cmp.Or(b.in.Examples, examplesShown) }

// Example is one question in full. Texts of answers and questions are data.
type Example struct {
	QuestionID string        `json:"question_id"`
	Verdict    compare.Label `json:"verdict,omitempty"` // "" in a run by itself
	Critical   bool          `json:"critical,omitempty"`
	Question   string        `json:"question"`
	Reference  string        `json:"reference"`        // "" for none
	Before     *string       `json:"before,omitempty"` // the baseline's answer; nil where there is none
	After      *string       `json:"after,omitempty"`
	Scores     []Scored      `json:"scores"`          // of the metrics that decide
	Votes      *Text         `json:"votes,omitempty"` // of how many votes the scores are means; absent where it is one
	Why        *Text         `json:"why,omitempty"`
}

// Scored is one score of one question, before and after; nil where there is none.
type Scored struct {
	Metric string   `json:"metric"`
	Title  Text     `json:"title"`
	Before *float64 `json:"before,omitempty"`
	After  *float64 `json:"after,omitempty"`
}

// examples are the worst questions, the first of the order, and the best: those that left the low zone with the largest rise
// of the metric that decides first. In a run by itself they are the answers with the lowest and highest scores.
func (b *builder) examples() {
	if b.in.Comparison == nil {
		b.examplesAlone()
		return
	}
	for _, v := range b.Order {
		if v.Verdict == compare.Worse && len(b.Worst) < b.shown() {
			b.Worst = append(b.Worst, b.example(v.QuestionID, v))
		}
	}
	var better []Verdict
	for _, v := range b.Order {
		if v.Verdict == compare.Better {
			better = append(better, v)
		}
	}
	slices.SortStableFunc(better, func(x, y Verdict) int {
		return cmp.Or(
			cmp.Compare(b.leftLow(y.QuestionID), b.leftLow(x.QuestionID)),
			cmp.Compare(b.gain(y.QuestionID), b.gain(x.QuestionID)),
			cmp.Compare(x.QuestionID, y.QuestionID),
		)
	})
	for _, v := range better[:min(b.shown(), len(better))] {
		b.Best = append(b.Best, b.example(v.QuestionID, v))
	}
}

func (b *builder) examplesAlone() {
	if len(b.Figures) == 0 {
		return
	}
	var list []string
	for id, r := range b.after {
		if _, ok := r.Value(b.Figures[0].Metric); ok {
			list = append(list, id)
		}
	}
	slices.SortFunc(list, func(x, y string) int { return cmp.Or(cmp.Compare(b.standing(x), b.standing(y)), cmp.Compare(x, y)) })
	for _, id := range list[:min(b.shown(), len(list))] {
		b.Worst = append(b.Worst, b.example(id, Verdict{}))
	}
	for _, id := range slices.Backward(list[min(b.shown(), len(list)):]) {
		if len(b.Best) < b.shown() {
			b.Best = append(b.Best, b.example(id, Verdict{}))
		}
	}
}

// standing is the mean of the scores that decide, each as a share of its range, the good way up. A score that is missing is no bad one.
func (b *builder) standing(id string) float64 {
	sum, n := 0.0, 0
	for _, f := range b.Figures {
		if v, ok := b.after[id].Value(f.Metric); ok {
			sum, n = sum+f.share(v), n+1
		}
	}
	return sum / float64(max(1, n))
}

// share is a value as a share of the metric's range, 1 being best.
func (f Figure) share(v float64) float64 {
	if f.Max <= f.Min {
		return 0
	}
	s := (v - f.Min) / (f.Max - f.Min)
	if f.LowerIsBetter {
		return 1 - s
	}
	return s
}

// leftLow is 1 for an answer that was a low score and is none now.
func (b *builder) leftLow(id string) int {
	was, is := b.was(id), b.after[id]
	if !b.Low.Apart && was != nil && is != nil && was.Low(b.rule) && !is.Low(b.rule) {
		return 1
	}
	return 0
}

// gain is the rise of the metric that decides first, as a share of its range.
func (b *builder) gain(id string) float64 {
	was, is := b.was(id), b.after[id]
	if was == nil || is == nil || len(b.Figures) == 0 {
		return 0
	}
	f := b.Figures[0]
	before, okB := was.Value(f.Metric)
	after, okA := is.Value(f.Metric)
	if !okB || !okA {
		return 0
	}
	return f.share(after) - f.share(before)
}

func (b *builder) example(id string, v Verdict) Example {
	e := Example{QuestionID: id, Verdict: v.Verdict, Critical: v.Critical, Scores: []Scored{}}
	if q := b.asked[id]; q != nil {
		e.Question, e.Reference, e.Critical = q.Text, q.Reference, q.Critical
	}
	was, is := b.was(id), b.after[id]
	e.Before, e.After = answerText(was), answerText(is)
	if was != nil {
		e.Votes = VotesText(b.votes[0][was.QuestionID], b.votes[1][id])
	}
	for _, f := range b.Figures {
		s := Scored{Metric: f.Metric, Title: f.Title, Before: scoreOf(was, f.Metric), After: scoreOf(is, f.Metric)}
		if s.Before != nil || s.After != nil {
			e.Scores = append(e.Scores, s)
		}
	}
	if v.Why.EN != "" {
		e.Why = &v.Why
	}
	return e
}

// VotesText says of how many votes the scores of a question are means; nil where each run has one.
func VotesText(before, after int) *Text {
	if max(before, after) < 2 {
		return nil
	}
	return new(say("votes.means", "before", before, "after", after))
}

func answerText(r *experiments.Result) *string {
	if r == nil || r.Answer == nil {
		return nil
	}
	return &r.Answer.Text
}

func scoreOf(r *experiments.Result, metric string) *float64 {
	if r == nil {
		return nil
	}
	if v, ok := r.Value(metric); ok {
		return &v
	}
	return nil
}

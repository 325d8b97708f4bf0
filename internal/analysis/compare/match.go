package compare

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// pair is one question asked in both runs, with everything each run knows about it.
type pair struct {
	question      *experiments.Question // of the candidate
	baseline      *experiments.Question
	before, after []experiments.Result // by replicate; the first is the vote that people see
	relabelled    bool                 // the evidence differs, so retrieval is measured against another target
	identical     bool                 // the judge saw the same in both runs
	low           [2]bool              // the answer of the baseline, and of the candidate, is a low score
}

// RunArm is one run, by question.
type RunArm struct {
	Questions []experiments.Question // each once
	Results   map[string][]experiments.Result
}

// NewRunArm groups the results of an evaluation, which has one for each question and replicate, in any order.
func NewRunArm(e experiments.Evaluation) RunArm {
	a := RunArm{Results: make(map[string][]experiments.Result, len(e.Questions))}
	for i := range e.Results {
		id := e.Results[i].QuestionID
		if own := a.Results[id]; own != nil {
			a.Results[id] = append(own, e.Results[i])
			continue
		}
		a.Results[id] = e.Results[i : i+1 : i+1] // most questions have one result: nothing to copy
	}
	a.Questions = once(e.Questions)
	if len(a.Results) == len(e.Results) {
		return a
	}
	for id, own := range a.Results {
		if len(own) > 1 {
			own = slices.Clone(own)
			slices.SortStableFunc(own, func(x, y experiments.Result) int { return cmp.Compare(x.Replicate, y.Replicate) })
			a.Results[id] = own
		}
	}
	return a
}

// once leaves out questions that stand in a list again, for their further votes.
func once(questions []experiments.Question) []experiments.Question {
	seen := make(map[string]bool, len(questions))
	for i := range questions {
		seen[questions[i].ID] = true
	}
	if len(seen) == len(questions) {
		return slices.Clip(questions)
	}
	out := make([]experiments.Question, 0, len(seen))
	for i := range questions {
		if seen[questions[i].ID] {
			delete(seen, questions[i].ID)
			out = append(out, questions[i])
		}
	}
	return out
}

// match pairs the questions of two runs: first those with equal id and text, then those with equal text under another id,
// because a dataset that was sorted anew asks the same. What is left is reworded, added or removed. Pairs come by id.
func (c *Comparison) match(baseline, candidate RunArm) []pair {
	byID := make(map[string]int, len(baseline.Questions))
	taken := make([]bool, len(baseline.Questions))
	for i := range baseline.Questions {
		byID[baseline.Questions[i].ID] = i
	}
	pairs := make([]pair, 0, len(candidate.Questions))
	var left []*experiments.Question
	for k := range candidate.Questions {
		q := &candidate.Questions[k]
		i, ok := k, k < len(baseline.Questions) && baseline.Questions[k].ID == q.ID // as it mostly is
		if !ok {
			i, ok = byID[q.ID]
		}
		if !ok || !sameText(baseline.Questions[i].Text, q.Text) {
			left = append(left, q)
			continue
		}
		taken[i] = true
		pairs = c.pair(pairs, baseline, candidate, &baseline.Questions[i], q)
	}
	if len(left) > 0 {
		pairs = c.matchTexts(pairs, baseline, candidate, left, taken, byID)
	}
	for i, q := range baseline.Questions {
		if !taken[i] {
			c.Removed = append(c.Removed, q.ID)
		}
	}
	byQuestion := func(a, b pair) int { return strings.Compare(a.question.ID, b.question.ID) }
	if !slices.IsSortedFunc(pairs, byQuestion) { // they mostly are, and pairs are large
		slices.SortFunc(pairs, byQuestion)
	}
	for _, list := range [][]string{c.Added, c.Removed, c.Reworded, c.ReferenceChanged} {
		slices.Sort(list)
	}
	slices.SortFunc(c.Renamed, func(a, b Renaming) int { return strings.Compare(a.After, b.After) })
	c.Matched = len(pairs)
	return pairs
}

// matchTexts pairs what ids did not: by text, where it is unique on both sides.
func (c *Comparison) matchTexts(pairs []pair, baseline, candidate RunArm, left []*experiments.Question, taken []bool,
	byID map[string]int) []pair {
	free, times := map[string]int{}, map[string]int{}
	for i, q := range baseline.Questions {
		if !taken[i] {
			key := text.Fold(q.Text)
			if _, twice := free[key]; twice {
				free[key] = -1
				continue
			}
			free[key] = i
		}
	}
	for _, q := range left {
		times[text.Fold(q.Text)]++
	}
	var rest []*experiments.Question
	for _, q := range left {
		key := text.Fold(q.Text)
		i, ok := free[key]
		if !ok || i < 0 || times[key] > 1 || key == "" {
			rest = append(rest, q)
			continue
		}
		taken[i] = true
		c.Renamed = append(c.Renamed, Renaming{Before: baseline.Questions[i].ID, After: q.ID})
		pairs = c.pair(pairs, baseline, candidate, &baseline.Questions[i], q)
	}
	for _, q := range rest {
		if i, ok := byID[q.ID]; ok && !taken[i] {
			taken[i] = true
			c.Reworded = append(c.Reworded, q.ID)
			continue
		}
		c.Added = append(c.Added, q.ID)
	}
	return pairs
}

// pair adds two questions that ask the same, unless the right answer is another one: then scores mean something else.
func (c *Comparison) pair(pairs []pair, baseline, candidate RunArm, before, after *experiments.Question) []pair {
	if before.Reference != after.Reference || before.Answerable != after.Answerable || !slices.Equal(before.References, after.References) {
		c.ReferenceChanged = append(c.ReferenceChanged, after.ID)
		return pairs
	}
	p := pair{
		question: after, baseline: before, before: baseline.Results[before.ID], after: candidate.Results[after.ID],
		relabelled: !slices.Equal(before.Evidence, after.Evidence),
	}
	p.identical = p.sameInput()
	return append(pairs, p)
}

func sameText(a, b string) bool { return a == b || text.Fold(a) == text.Fold(b) }

// sameInput reports whether the judge saw the same in both runs: question, answer and ordered contexts. Equality is tested on
// the contents themselves, which is what equal hashes would stand for. Metric version and judge are equal for every metric
// that is compared at all; the evidence matters to metrics of retrieval alone, which leave relabelled questions out.
func (p pair) sameInput() bool {
	if len(p.before) == 0 || len(p.after) == 0 {
		return false
	}
	b, a := p.before[0].Answer, p.after[0].Answer
	if b == nil || a == nil || p.baseline.Text != p.question.Text {
		return false
	}
	if b.GenerationKey != "" && b.GenerationKey == a.GenerationKey && b.RetrievalKey == a.RetrievalKey {
		return true
	}
	if len(b.Hits) != len(a.Hits) || b.Hidden != a.Hidden || !sameWords(b.Text, a.Text) {
		return false
	}
	for i, h := range b.Hits {
		other := a.Hits[i]
		if h.Text != other.Text || h.Text == "" && h.Span != other.Span {
			return false
		}
	}
	return true
}

// sameWords reports whether two texts are equal but for white space: where one has some, the other has some too, except at
// the ends.
func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	equal := 0
	for equal < min(len(a), len(b)) && a[equal] == b[equal] {
		equal++
	}
	for equal > 0 && (a[equal-1] >= utf8.RuneSelf || a[equal-1] <= ' ') { // back to a character that is whole and no space
		equal--
	}
	a, b = a[equal:], b[equal:]
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		switch {
		case unicode.IsSpace(x) && unicode.IsSpace(y):
			a, b = strings.TrimLeftFunc(a, unicode.IsSpace), strings.TrimLeftFunc(b, unicode.IsSpace)
		case x != y || n != m:
			return false
		default:
			a, b = a[n:], b[m:]
		}
	}
	return a == b
}

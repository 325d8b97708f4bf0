package findings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// Slice is the verdicts of the matched questions of one group.
type Slice struct {
	By       string   `json:"by" enum:"theme,category,hops"`
	ID       string   `json:"id"`
	Name     Text     `json:"name"`
	Source   Text     `json:"source"` // of which classification it is: the dataset's tags, the question analysis, or both
	Matched  int      `json:"matched"`
	Verdicts Verdicts `json:"verdicts"` // they add up to Matched
	Text     Text     `json:"text"`
	Again    bool     `json:"-"` // by the places needed, with the very questions of a category: a table need not tell them twice
}

// The ways in which questions are grouped, in the order of every page.
var groupings = [3]string{"theme", "category", "hops"}

// slices count the verdicts by theme, category, and whether one place of the documents answers; in each way most worse first. A
// question without a group is left out; without a comparison there are none.
func (b *builder) slices() []Slice {
	out, at := []Slice{}, map[[2]string]int{}
	if b.in.Comparison == nil || b.in.Baseline == nil {
		return out
	}
	labels, verdicts := b.questionLabels(), b.verdictsBy()
	sources := map[[2]string][2]bool{} // tagged, found by the analysis
	asked := map[[2]string][]string{}
	for _, q := range b.asked {
		one, matched := verdicts[q.ID]
		if !matched {
			continue
		}
		for i, id := range groupsOf(q, labels) {
			if id == "" {
				continue
			}
			by := groupings[i]
			key := [2]string{by, id}
			tagged := groupsOf(q, nil)[i] == id
			sources[key] = [2]bool{sources[key][0] || tagged, sources[key][1] || !tagged}
			i, known := at[key]
			if !known {
				i = len(out)
				at[key] = i
				out = append(out, Slice{By: by, ID: id, Name: b.groupName(by, id)})
			}
			out[i].Matched++
			asked[key] = append(asked[key], q.ID)
			out[i].Verdicts = out[i].Verdicts.plus(one)
		}
	}
	for _, ids := range asked {
		slices.Sort(ids)
	}
	for i := range out {
		v := out[i].Verdicts
		out[i].Again = out[i].By == "hops" && slices.ContainsFunc(out, func(s Slice) bool {
			return s.By == "category" && slices.Equal(asked[[2]string{s.By, s.ID}], asked[[2]string{"hops", out[i].ID}])
		})
		from := sources[[2]string{out[i].By, out[i].ID}]
		out[i].Source = classifiedBy(from[0], from[1])
		name, by := out[i].Name, out[i].Source
		if sure, guessed := strings.CutSuffix(out[i].ID, guessedEnding); guessed { // one bracket holds both
			name, by = b.groupName(out[i].By, sure), say("slice.by_guess", "by", by)
		}
		out[i].Text = say("slice.counts", "name", name, "by", by, "matched", out[i].Matched,
			"worse", v.Worse, "better", v.Better)
	}
	slices.SortFunc(out, func(x, y Slice) int {
		return cmp.Or(cmp.Compare(slices.Index(groupings[:], x.By), slices.Index(groupings[:], y.By)),
			cmp.Compare(y.Verdicts.Worse, x.Verdicts.Worse), cmp.Compare(y.Matched, x.Matched), strings.Compare(x.ID, y.ID))
	})
	return out
}

// verdictsBy are the verdicts by question of the candidate; a question that the comparison set beside none of the baseline has none.
func (b *builder) verdictsBy() map[string]Verdicts {
	out, before := make(map[string]Verdicts, len(b.after)), make(map[string]bool, len(b.in.Baseline.Questions))
	for i := range b.in.Baseline.Questions {
		before[b.in.Baseline.Questions[i].ID] = true
	}
	for id := range b.after {
		was := id
		if old, renamed := b.names[id]; renamed {
			was = old
		}
		if before[was] && !b.apart(id) {
			out[id] = Verdicts{NoChange: 1}
		}
	}
	for _, id := range b.in.Comparison.Undecided {
		out[id] = Verdicts{Undecided: 1}
	}
	for _, v := range b.Order {
		one := Verdicts{}
		switch v.Verdict {
		case compare.Worse:
			one.Worse = 1
			if v.Critical {
				one.Critical = 1
			}
		case compare.Mixed:
			one.Mixed = 1
		case compare.NeedsCheck:
			one.NeedsCheck = 1
		case compare.Better:
			one.Better = 1
		case compare.NoChange:
			one.NoChange = 1
		}
		out[v.QuestionID] = one
	}
	return out
}

// plus adds verdicts.
func (v Verdicts) plus(w Verdicts) Verdicts {
	return Verdicts{v.Worse + w.Worse, v.Mixed + w.Mixed, v.NeedsCheck + w.NeedsCheck, v.NoChange + w.NoChange, v.Better + w.Better,
		v.Critical + w.Critical, v.Undecided + w.Undecided}
}

// groupsOf are the groups of a question in the order of groupings: of its tags, as targets have them, else of the question analysis;
// "" where it has none.
func groupsOf(q *experiments.Question, labels map[string]experiments.QuestionLabels) (out [3]string) {
	label, known := labels[q.ID]
	category := string(label.Category)
	for _, tag := range q.Tags {
		if c, ok := strings.CutPrefix(tag, "category:"); ok {
			category = c
		}
	}
	out = [3]string{themeOf(q, labels), category}
	if known && label.Hops != "" {
		out[2] = string(label.Hops)
		if label.Category != label.Category.Sure() {
			out[2] += guessedEnding
		}
	}
	return out
}

// guessedEnding is what the id of a group ends with that was guessed from the wording of its questions.
const guessedEnding = "_guessed"

// groupName is a group as people read it.
func (b *builder) groupName(by, id string) Text {
	switch by {
	case "category":
		c := experiments.Category(id)
		if c != c.Sure() {
			return say("slice.asks_perhaps", "what", Text{EN: questions.CategoryAsks(c, "en"), JA: questions.CategoryAsks(c, "ja")})
		}
		return say("slice.asks", "what", Text{EN: questions.CategoryAsks(c, "en"), JA: questions.CategoryAsks(c, "ja")})
	case "hops":
		return choice("hops", id)
	}
	return b.label("theme", id)
}

// questionLabels are what the analysis of the questions says of each.
func (b *builder) questionLabels() map[string]experiments.QuestionLabels {
	out := map[string]experiments.QuestionLabels{}
	if b.in.Questions != nil {
		for _, l := range b.in.Questions.Questions {
			out[l.QuestionID] = l
		}
	}
	return out
}

package questions

import (
	"cmp"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// QuestionAnalysis is a finished run of kind questions with its findings, by question id.
type QuestionAnalysis struct {
	Run    experiments.Run
	Labels map[string]experiments.QuestionLabels
}

// QuestionReportOf is the question analysis of an evaluation's questions: keywords settled, bars counted with the low scores among
// them, what the dataset does not test, and how far the labels can be trusted. An evaluation without results counts no low
// scores. previous, which may be nil, is an earlier analysis of the same dataset name: questions whose wording it has in common and
// whose label differs are listed. Questions without labels, because their analysis failed or was
// of another wording, are left out.
func QuestionReportOf(e experiments.Evaluation, a QuestionAnalysis, previous *QuestionAnalysis) QuestionReport {
	r := QuestionReport{
		RunID: e.Run.ID, AnalyseID: a.Run.ID, Dataset: a.Run.Setup.Dataset.String(), Offline: a.Run.Setup.Offline,
		Questions: []experiments.QuestionLabels{}, Categories: []LabelCount{}, Themes: []LabelCount{}, Keywords: []LabelCount{},
		Warnings: []CoverageWarning{},
	}
	if a.Run.Setup.Analysis != nil {
		r.Taxonomies = a.Run.Setup.Analysis.Taxonomies
	}
	var texts []string
	given := map[string]string{}
	for _, q := range e.Questions {
		if theme, ok := q.Theme(); ok {
			given[q.ID] = theme
		}
		if l, ok := a.Labels[q.ID]; ok && (l.TextDigest == "" || l.TextDigest == digestOf(q.Text)) {
			r.Questions = append(r.Questions, l)
			texts = append(texts, text.Fold(q.Text))
		}
	}
	r.settleKeywords(texts)
	low, told := lowScores(e)
	r.OwnLow, r.LowUntold = e.Run.Setup.Low, len(e.Results) > 0 && !told
	r.count(low)
	r.Warnings = r.coverage(given)
	if previous != nil {
		r.Previous = previous.Run.ID
		r.compareWith(previous)
	}
	r.Reliability = r.reliability(previous)
	return r
}

// lowScores are the low-score answers; told is whether it can be told of any answer.
func lowScores(e experiments.Evaluation) (low map[string]bool, told bool) {
	low, rule := map[string]bool{}, e.Run.Setup.LowRule()
	standing, _ := experiments.Standing(e.Results)
	for _, res := range standing {
		told = told || res.Rated(rule)
		if res.Low(rule) {
			low[res.QuestionID] = true
		}
	}
	return low, told
}

// settleKeywords replaces candidates by keywords, which only the whole set decides. texts are folded.
func (r *QuestionReport) settleKeywords(texts []string) {
	candidates := make([][]string, len(r.Questions))
	for i, l := range r.Questions {
		candidates[i] = l.Keywords
	}
	for i, words := range settledKeywords(texts, candidates, r.taxonomy(experiments.ThemeTaxonomy).Aliases) {
		r.Questions[i].Keywords = words
	}
}

func (r *QuestionReport) taxonomy(id string) experiments.Taxonomy {
	for _, t := range r.Taxonomies {
		if t.ID == id {
			return t
		}
	}
	return experiments.Taxonomy{}
}

// count makes the bars. Categories stand in the paper's order, its four also where no question has them; the others by how many questions
// they have. A second theme is not counted: bars of themes add up to the questions.
func (r *QuestionReport) count(low map[string]bool) {
	for _, c := range experiments.KnownCategories() {
		counted := countOf(string(c), r.Questions, low,
			func(l experiments.QuestionLabels) []string { return []string{string(l.Category)} })
		if counted.Count > 0 || slices.Contains(experiments.Categories(), c) {
			r.Categories = append(r.Categories, counted)
		}
	}
	r.Themes = countAll(r.Questions, low, func(l experiments.QuestionLabels) []string { return []string{l.Theme} })
	r.Keywords = countAll(r.Questions, low, func(l experiments.QuestionLabels) []string { return l.Keywords })
	for _, t := range r.Taxonomies {
		if t.ID == experiments.ThemeTaxonomy || t.ID == experiments.CategoryTaxonomy {
			continue
		}
		if r.Further == nil {
			r.Further = map[string][]LabelCount{}
		}
		r.Further[t.ID] = countAll(r.Questions, low, func(l experiments.QuestionLabels) []string { return l.Labels[t.ID] })
	}
}

func countOf(label string, questions []experiments.QuestionLabels, low map[string]bool,
	labels func(experiments.QuestionLabels) []string) LabelCount {
	c := LabelCount{Label: label, Questions: []string{}}
	for _, l := range questions {
		if slices.Contains(labels(l), label) {
			c.add(l.QuestionID, low)
		}
	}
	return c
}

func (c *LabelCount) add(question string, low map[string]bool) {
	c.Count++
	c.Questions = append(c.Questions, question)
	if low[question] {
		c.Low++
	}
}

// countAll counts every label that occurs, the most frequent first, those without a label last.
func countAll(questions []experiments.QuestionLabels, low map[string]bool, labels func(experiments.QuestionLabels) []string) []LabelCount {
	place := map[string]int{}
	out := []LabelCount{}
	for _, l := range questions {
		for _, label := range labels(l) {
			i, known := place[label]
			if !known {
				i = len(out)
				place[label] = i
				out = append(out, LabelCount{Label: label})
			}
			out[i].add(l.QuestionID, low)
		}
	}
	slices.SortStableFunc(out, func(a, b LabelCount) int {
		return cmp.Or(cmp.Compare(otherLast(a), otherLast(b)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Label, b.Label))
	})
	return out
}

func otherLast(c LabelCount) int {
	if c.Label == experiments.OtherLabel {
		return 1
	}
	return 0
}

// compareWith lists the questions that both analyses have with the same wording: those whose category, theme or labels differ, and
// apart from them those that had no theme and got one of the themes appended meanwhile, which takes nothing back.
func (r *QuestionReport) compareWith(previous *QuestionAnalysis) {
	var before experiments.Taxonomy
	if previous.Run.Setup.Analysis != nil {
		for _, t := range previous.Run.Setup.Analysis.Taxonomies {
			if t.ID == experiments.ThemeTaxonomy {
				before = t
			}
		}
	}
	for _, l := range r.Questions {
		b, ok := previous.Labels[l.QuestionID]
		if !ok || b.TextDigest != l.TextDigest {
			continue
		}
		_, known := before.Label(l.Theme)
		if b.Theme == experiments.OtherLabel && l.Theme != experiments.OtherLabel && !known {
			r.Gained = append(r.Gained, l.QuestionID)
			b.Theme, b.SecondTheme = l.Theme, l.SecondTheme
		}
		if !sameLabels(l, b) {
			r.Changed = append(r.Changed, l.QuestionID)
		}
	}
}

func sameLabels(a, b experiments.QuestionLabels) bool {
	if a.Category != b.Category || a.Theme != b.Theme || a.SecondTheme != b.SecondTheme {
		return false
	}
	for id, labels := range a.Labels {
		if other, ok := b.Labels[id]; ok && !slices.Equal(labels, other) {
			return false
		}
	}
	return true
}

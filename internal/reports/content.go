package reports

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	analysiscompare "github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// The two metrics that span the bubble chart and decide what a low score is, and the one that says how much of the marked
// evidence was retrieved.
const (
	correctness  = "correctness"
	trust        = "trust"
	spanCoverage = "span_coverage"
	lowShare     = experiments.LowScoreShare // a target's metric that is no metric of a suite
)

// content is what a report says, before it is laid out.
type content struct {
	Report
	words     wording.Catalogue
	names     wording.Catalogue   // of the sheets
	rule      experiments.LowRule // of the candidate, for both sides: one rule for one page
	threshold float64             // of the rule, on the scale of grades; 0 where it is another one
	after     side
	before    *side // nil without a baseline
	specs     []metrics.Spec
	found     findings.Findings

	causes  map[string]*causes.Diagnosis // of the candidate, by question
	agreed  progress.AgreementProgress
	labels  map[string]*experiments.QuestionLabels
	humans  map[string]*progress.HumanLabel
	changes map[string]findings.Verdict // by question; those without change are left out
	named   map[[2]string][2]string     // English and Japanese names of labels, by taxonomy and label
	apart   map[string]bool             // questions that the comparison left out
	deeds   map[string][]int            // agreed items about a question
}

// side is one evaluation, one row for each question.
type side struct {
	run    experiments.Run
	rows   []row
	byID   map[string]int
	totals experiments.Totals
	rated  int // rows with a score by which they can be low
	low    int
}

type row struct {
	question *experiments.Question
	result   *experiments.Result
}

func newContent(r Report, words wording.Catalogue) *content {
	if r.NoTexts {
		r = r.withoutWords()
	}
	found := findings.Of(r.Input)
	if r.NoTexts { // only now: the findings are those of the whole report
		r = r.withoutTexts()
		found.Worst, found.Best = textlessExamples(found.Worst), textlessExamples(found.Best)
	}
	f := &content{Report: r, words: words, names: words, rule: r.Candidate.Run.Setup.LowRule(), found: found}
	f.threshold = f.rule.Threshold()
	f.after = newSide(r.Candidate, f.rule)
	if r.Baseline != nil {
		before := newSide(*r.Baseline, f.rule)
		f.before = &before
	}
	f.specs = ordered(r.Candidate.Run.Setup.Suite)
	f.changes = map[string]findings.Verdict{}
	for _, v := range f.found.Order {
		f.changes[v.QuestionID] = v
	}
	f.join()
	return f
}

// join finds what the analyses say of each question.
func (f *content) join() {
	f.causes, f.labels = map[string]*causes.Diagnosis{}, map[string]*experiments.QuestionLabels{}
	f.humans, f.named, f.apart = map[string]*progress.HumanLabel{}, map[[2]string][2]string{}, map[string]bool{}
	if c := f.Comparison; c != nil {
		for _, id := range slices.Concat(c.Added, c.Reworded, c.ReferenceChanged) {
			f.apart[id] = true
		}
	}
	if f.Causes != nil {
		for i := range f.Causes.Diagnoses {
			f.causes[f.Causes.Diagnoses[i].QuestionID] = &f.Causes.Diagnoses[i]
		}
	}
	if f.Questions != nil {
		for i := range f.Questions.Questions {
			f.labels[f.Questions.Questions[i].QuestionID] = &f.Questions.Questions[i]
		}
	}
	if f.Reviews != nil {
		for i := range f.Reviews.Labels {
			f.humans[f.Reviews.Labels[i].QuestionID] = &f.Reviews.Labels[i]
		}
	}
	if f.Agreement != nil {
		f.agreed = *f.Agreement
	} else {
		f.agreed = progress.ProgressOf(experiments.Agreement{}, f.Candidate, f.Causes, f.Questions)
	}
	f.deeds = map[string][]int{}
	for i, item := range f.agreed.Items {
		for _, id := range item.Questions {
			f.deeds[id] = append(f.deeds[id], i)
		}
	}
	for _, t := range f.Taxonomies {
		for _, l := range t.Labels {
			f.named[[2]string{t.ID, l.ID}] = [2]string{l.EN, l.JA}
		}
	}
}

// newSide lays out a run by what stands for its questions.
func newSide(e experiments.Evaluation, rule experiments.LowRule) side {
	questions := make(map[string]int, len(e.Questions))
	for i := range e.Questions {
		questions[e.Questions[i].ID] = i
	}
	standing, _ := experiments.Standing(e.Results)
	s := side{run: e.Run, totals: experiments.Total(e.Results, rule), byID: make(map[string]int, len(standing)),
		rows: make([]row, 0, len(standing))}
	for i := range standing {
		r := &standing[i]
		q := &experiments.Question{ID: r.QuestionID, Answerable: true} // nothing is known of it
		if at, known := questions[r.QuestionID]; known {
			q = &e.Questions[at]
		}
		s.byID[r.QuestionID] = len(s.rows)
		s.rows = append(s.rows, row{question: q, result: r})
		if r.Rated(rule) {
			s.rated++
		}
		if r.Low(rule) {
			s.low++
		}
	}
	return s
}

// row returns the row of a question; an empty one where there is none.
func (s *side) row(id string) (row, bool) {
	if s == nil {
		return row{&experiments.Question{}, &experiments.Result{}}, false
	}
	i, ok := s.byID[id]
	if !ok {
		return row{&experiments.Question{}, &experiments.Result{}}, false
	}
	return s.rows[i], true
}

// ordered puts correctness and trust first and keeps the rest as the suite has it.
func ordered(suite []metrics.Spec) []metrics.Spec {
	specs := slices.Clone(suite)
	slices.SortStableFunc(specs, func(a, b metrics.Spec) int { return place(a.ID) - place(b.ID) })
	return specs
}

func place(metric string) int {
	switch metric {
	case correctness:
		return 0
	case trust:
		return 1
	default:
		return 2
	}
}

// comparedFigures are the means that page 1 compares: those of the metrics that decide, and how much of the evidence was found.
func (f *content) comparedFigures() []findings.Figure {
	figures := f.found.Figures
	if change, ok := f.Comparison.Metrics[spanCoverage]; ok {
		figures = append(slices.Clone(figures), findings.FigureOf(f.specs, spanCoverage, change))
	}
	return figures
}

// isHeadline reports whether the mean of a metric of one run stands on page 1.
func (f *content) isHeadline(metric string) bool {
	return place(metric) < 2 || metric == spanCoverage ||
		slices.ContainsFunc(f.found.Figures, func(figure findings.Figure) bool { return figure.Metric == metric })
}

// graded reports whether answers have grades of correctness or trust, from 1 to 5, so that what these mean has to be told.
func (f *content) graded() bool {
	for _, s := range []*side{&f.after, f.before} {
		if s != nil && (s.totals.Scores[correctness].N > 0 || s.totals.Scores[trust].N > 0) {
			return true
		}
	}
	return false
}

// squared reports whether some answer has both grades, and so a place in the chart of answers.
func (f *content) squared() bool {
	for _, s := range []*side{&f.after, f.before} {
		if s != nil {
			if _, shown := s.grid(f.threshold); shown > 0 {
				return true
			}
		}
	}
	return false
}

// worseChanges lists what got worse, is mixed or needs a check, one row for each question, in the order of the findings.
func (f *content) worseChanges() []findings.Verdict {
	var list []findings.Verdict
	for _, v := range f.found.Order {
		if v.Verdict == analysiscompare.Worse || v.Verdict == analysiscompare.Mixed || v.Verdict == analysiscompare.NeedsCheck {
			list = append(list, v)
		}
	}
	return list
}

// lowRows lists the candidate's low-score answers: critical ones first, then the lowest scores, otherwise in dataset order.
func (f *content) lowRows() []row {
	var list []row
	for _, r := range f.after.rows {
		if r.result.Low(f.rule) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b row) int {
		if a.question.Critical != b.question.Critical {
			if a.question.Critical {
				return -1
			}
			return 1
		}
		return compare(f.lowest(a.result), f.lowest(b.result))
	})
	return list
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// title is the metric's name for people; its id when the suite does not know it.
func (f *content) title(metric string) string {
	if i := slices.IndexFunc(f.specs, func(s metrics.Spec) bool { return s.ID == metric }); i >= 0 {
		if t := f.each(f.specs[i].Title); t != "" {
			return t
		}
	}
	switch metric {
	case lowShare:
		if f.rule.Own {
			return f.words.Say("metric.low_score_share_own", "line", f.lowLine())
		}
		if f.ownLine() {
			return f.words.Say("metric.low_score_share_at", "threshold", plain(f.agreed.LowScore))
		}
		return f.words.Say("metric." + metric)
	case correctness, trust:
		return f.words.Say("metric." + metric)
	default:
		return metric
	}
}

// ownLine reports whether what was agreed counts low scores by another threshold than the run, which has to stand beside its numbers. It
// does not where the run says in its own terms what is low, or nobody says it.
func (f *content) ownLine() bool {
	return !f.rule.Own && !f.rule.Unsaid && f.agreed.LowScore > 0 && f.agreed.LowScore != f.threshold
}

// metricHeading is the metric's title with its range and, where it matters, its direction.
func (f *content) metricHeading(s metrics.Spec) string {
	key := "metric.range"
	if s.LowerIsBetter {
		key = "metric.lower"
	}
	return f.each(func(lang string) string {
		return wording.Catalogues()[lang].Say(key, "title", f.in(lang).title(s.ID), "min", plain(s.Min), "max", plain(s.Max))
	})
}

// label is the word people read for a verdict.
func (f *content) label(v findings.Verdict) string {
	return f.each(func(lang string) string {
		word := v.Verdict.Word(lang)
		if v.BecameLow {
			return wording.Catalogues()[lang].Say("word.became_low", "label", word)
		}
		return word
	})
}

// reportTitle is the report's heading.
func (f *content) reportTitle() string {
	if f.Title != "" {
		return f.Title
	}
	return f.words.Say("title.default", "experiment", f.after.run.Setup.Experiment)
}

// about says on the first page what was evaluated and when; ids stand on the sheet of the configuration.
func (f *content) about() string {
	parts := []string{f.words.Say("subtitle.about", "dataset", f.after.run.Setup.Dataset.Name, "n", len(f.after.rows))}
	if !f.GeneratedAt.IsZero() {
		parts = append(parts, f.words.Say("subtitle.made", "time", clock(&f.GeneratedAt)))
	}
	return strings.Join(parts, " · ")
}

// subtitle says which runs the report is about, and when and by what it was made.
func (f *content) subtitle() string {
	s := f.after.run.Setup
	parts := []string{f.words.Say("subtitle", "experiment", s.Experiment, "revision", s.Revision, "run", f.after.run.ID)}
	if f.before != nil {
		parts = append(parts, f.words.Say("subtitle.baseline", "run", f.before.run.ID))
	}
	if !f.GeneratedAt.IsZero() {
		parts = append(parts, f.words.Say("subtitle.made", "time", clock(&f.GeneratedAt)))
	}
	if f.Version != "" {
		parts = append(parts, f.words.Say("subtitle.version", "version", f.Version))
	}
	return strings.Join(parts, " · ")
}

// each is a text in the report's language, or in both.
func (f *content) each(text func(lang string) string) string {
	if f.Lang != wording.Both {
		return text(f.Lang)
	}
	return wording.Joined(text("en"), text("ja"))
}

// in is the same report in one language. Names of sheets stay those of the report.
func (f *content) in(lang string) *content {
	other := *f
	other.Lang, other.words = lang, wording.Catalogues()[lang]
	return &other
}

// sheetName is the name of a sheet of the workbook; a first page of its own language has that language's name.
func (f *content) sheetName(key string) string {
	if key == "sheet.summary" {
		return f.words.Say(key)
	}
	return f.names.Say(key)
}

// figureName is a metric's name with its scale and the number of questions behind it.
func (f *content) figureName(id string, n int) string {
	for _, s := range f.specs {
		if s.ID == id {
			return f.metricHeading(s) + f.words.Say("figure.of", "n", n)
		}
	}
	return f.title(id)
}

package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// FileRules say how two files of scores are compared. The zero value is the usual way.
type FileRules struct {
	Deterministic bool               // asking again would give the same scores: one of them settles a question
	Metrics       []string           // only these; empty means all that both files have
	Lower         []string           // metrics of which less is better, whatever their names say
	Higher        []string           // metrics of which more is better, whatever their names say
	Deltas        map[string]float64 // smallest difference on one question that matters, by metric

	forms []foreign.ColumnForm // of the columns of both files
}

// FileComparison sets two files of scored answers side by side, question by question.
type FileComparison struct {
	Baseline  string       `json:"baseline"`  // path
	Candidate string       `json:"candidate"` // path
	Matched   int          `json:"matched"`   // ids in both files
	Added     []string     `json:"added"`     // ids only in the candidate
	Removed   []string     `json:"removed"`   // ids only in the baseline
	Metrics   []FileMetric `json:"metrics"`   // in the order of the baseline's columns
	Questions []FileChange `json:"questions"` // details: every metric of every question that both files score, worst first

	DecideBy      []string          `json:"decide_by"`      // the columns that decide, the first before its guard
	VerdictCounts VerdictCounts     `json:"verdict_counts"` // of the questions that a deciding column scores in both files
	Verdicts      []QuestionVerdict `json:"verdicts"`       // of those questions, severest first
	Excluded      []FileExclusion   `json:"excluded"`       // columns of one file only
	Warnings      []string          `json:"warnings,omitempty"`
	WarningsJA    []string          `json:"warnings_ja,omitempty"` // the same, in Japanese
	Notes         []string          `json:"notes,omitempty"`       // what warns of nothing: how the files are read
	NotesJA       []string          `json:"notes_ja,omitempty"`    // the same, in Japanese
	// what the files say of the questions beside their scores, of those with a verdict, severest first, at most [MostFileTexts]
	Texts []FileText `json:"texts,omitempty"`

	sides [2]*foreign.ScoreTable
}

// FileMetric is one metric over the questions that both files score.
type FileMetric struct {
	ID            string  `json:"metric"`
	Scale         string  `json:"scale"` // "binary", "ordinal", "unit" or "other"
	Min           float64 `json:"min"`   // of the scale; of "other" the smallest score in the files
	Max           float64 `json:"max"`
	LowerIsBetter bool    `json:"lower_is_better"`
	// nobody knows whether less or more is better: it decides nothing, and what changed needs a check
	Undirected bool          `json:"undirected,omitempty"`
	Delta      float64       `json:"delta"`              // smallest difference on one question that counts
	Method     string        `json:"method"`             // "replicates", "paired_tests", "one_score" or "deterministic"
	Note       string        `json:"note"`               // in words: where scale and delta come from
	N          int           `json:"n"`                  // questions that both files score
	Unscored   int           `json:"unscored"`           // questions in both files that lack a score in one of them
	LeftOut    []FileLeftOut `json:"left_out,omitempty"` // which these are, and why
	Baseline   float64       `json:"baseline"`           // mean over questions of the mean over replicates
	Candidate  float64       `json:"candidate"`          //
	Diff       float64       `json:"diff"`               // candidate - baseline
	CI95       *[2]float64   `json:"ci95"`               // paired t interval of Diff; null under 3 questions
	// smallest change of the mean found in 4 of 5 such comparisons; null under 3 questions
	Visible       *float64    `json:"visible"`
	NoiseFloor    *float64    `json:"noise_floor"`    // a change of one score below it is within noise; null without replicates
	ExpectedFalse float64     `json:"expected_false"` // expected number of wrong ones among the worse
	ExpectedMiss  float64     `json:"expected_miss"`  // expected number of regressions among the others; needs replicates
	Counts        LabelCounts `json:"counts"`
	CheckWorse    int         `json:"check_worse"`  // of those that need a check, the ones whose score moved for the worse
	CheckBetter   int         `json:"check_better"` // and for the better
}

// by reports whether some metric is compared by a method.
func (c FileComparison) by(method string) bool {
	return slices.ContainsFunc(c.Metrics, func(m FileMetric) bool { return m.Method == method })
}

// Exact says what *confirmed* means where the scores are taken as exact, as somebody said; nil where they are not.
func (c FileComparison) Exact() *Note {
	if !c.by("deterministic") {
		return nil
	}
	first := c.Metrics[slices.IndexFunc(c.Metrics, func(m FileMetric) bool { return m.ID == c.DecideBy[0] })]
	return new(newNote("files.exact", "metric", metricNote(first.ID), "delta", LimitWords(first.Delta)))
}

// FileExclusion is a column that only one of two files has.
type FileExclusion struct {
	Metric string `json:"metric"`
	Why    string `json:"why"`
	WhyJA  string `json:"why_ja"` // the same, in Japanese
}

func fileExclusion(metric string, why Note) FileExclusion {
	return FileExclusion{Metric: metric, Why: why.Text("en"), WhyJA: why.Text("ja")}
}

// FileChange is one metric of one question in two files.
type FileChange struct {
	ID           string   `json:"id"`
	Metric       string   `json:"metric"`
	Baseline     float64  `json:"baseline"` // mean over replicates
	Candidate    float64  `json:"candidate"`
	Label        Label    `json:"label"`
	Detail       Detail   `json:"detail"`
	PRegression  *float64 `json:"p_regression,omitempty"`  // probability that it is worse by delta or more; only from the guard
	PImprovement *float64 `json:"p_improvement,omitempty"` // the mirror
	P            *float64 `json:"p_value,omitempty"`       // one-sided, for a fall; only from paired tests
	Replicates   [2]int   `json:"replicates"`              // scores in the baseline and in the candidate
	Flaky        bool     `json:"flaky,omitempty"`         // right only sometimes, whatever the arm
	Critical     bool     `json:"critical,omitempty"`

	moved     bool    // by delta or more
	loss      float64 // as a share of the metric's range, above 0 for a loss
	settledBy SettledBy
	open      float64 // see [Deciding.Open]
}

// CompareScores compares two files of scored answers with the verdicts of [CompareWith]: questions are matched by id and wording, or
// by wording, and metrics by name, and every metric counts as a gate by itself. Where questions have several replicates the regression
// guard decides; a question is worse only with three scores in both files. Otherwise a change of delta or more needs a check, for
// one score proves nothing, unless the rules say that the scores are deterministic.
//
// Metrics of the catalogue have its scale, direction and delta as long as the scores fit in; the scale of others is guessed
// from the scores, and [FileMetric].Note says so. Their direction follows from the tool and the name; one of which nobody knows
// it decides nothing, and is named in the warnings. A Problem of kind NotComparable says that the files share no question, no metric
// or no score; Invalid that the rules name a metric that neither file has, or that no metric is left to decide by.
func CompareScores(baseline, candidate *foreign.ScoreTable, rules FileRules) (FileComparison, error) {
	candidate, reworded := aligned(baseline, candidate)
	baseline, candidate, votes := foreign.SameVotes(baseline, candidate)
	c := FileComparison{
		Baseline: baseline.File, Candidate: candidate.File, sides: [2]*foreign.ScoreTable{baseline, candidate},
		Added: []string{}, Removed: []string{}, Metrics: []FileMetric{}, Questions: []FileChange{}, Excluded: []FileExclusion{},
	}
	pairs := c.match()
	if len(pairs) == 0 {
		b, a := baseline.Items[0], candidate.Items[0]
		return c, problem.New(problem.NotComparable, "no_common_questions",
			"%s and %s share no question: the first row of one has %q, of the other %q",
			baseline.File, candidate.File, b.ID, a.ID).With("baseline", baseline.File).With("candidate", candidate.File).
			With("row", b.Row).With("column", "id").WithHint("%s", unmatchedHint(baseline, candidate))
	}
	rules = rules.resolved(baseline, candidate)
	names, err := c.shared(rules.Metrics)
	if err != nil {
		return c, err
	}
	var scales []*problem.Problem // of metrics whose numbers mean something else in the other file
	for _, name := range names {
		m := fileMetric{name: name, pairs: pairs, rules: rules,
			places: [2]int{slices.Index(baseline.Metrics, name), slices.Index(candidate.Metrics, name)}}
		if !m.collect() {
			c.Excluded = append(c.Excluded, fileExclusion(name, newNote("excluded.not_in_both")))
			continue
		}
		if why, differ := m.scalesDiffer(baseline.File, candidate.File); differ {
			scales = append(scales, scalesProblem(name, why))
			c.Excluded = append(c.Excluded, fileExclusion(name, newNote("excluded.scales_differ", "what", why, "metric", name)))
			continue
		}
		c.leftOut(&m)
		changes := m.compare()
		c.Metrics, c.Questions = append(c.Metrics, m.out), append(c.Questions, changes...)
	}
	if len(c.Metrics) == 0 && len(scales) > 0 {
		return c, scales[0]
	}
	if len(c.Metrics) == 0 {
		return c, problem.New(problem.NotComparable, "no_common_scores", "no question has a score of the same metric in both %s and %s",
			baseline.File, candidate.File).
			WithHint("look at the columns %s of both files", strings.Join(names, ", "))
	}
	c.warnVotes(votes)
	c.warn(reworded)
	slices.SortStableFunc(c.Questions, worstFileChange)
	err = c.decide()
	c.tellTexts(pairs)
	return c, err
}

// filePair is one question in both files.
type filePair struct {
	before, after *foreign.ScoredItem
}

func (c *FileComparison) match() []filePair {
	before, after := c.sides[0], c.sides[1]
	known := make(map[string]*foreign.ScoredItem, len(after.Items))
	for i := range after.Items {
		known[after.Items[i].ID] = &after.Items[i]
	}
	var pairs []filePair
	for i := range before.Items {
		b := &before.Items[i]
		if a, ok := known[b.ID]; ok {
			pairs = append(pairs, filePair{b, a})
			delete(known, b.ID)
			continue
		}
		c.Removed = append(c.Removed, b.ID)
	}
	for i := range after.Items {
		if _, left := known[after.Items[i].ID]; left {
			c.Added = append(c.Added, after.Items[i].ID)
		}
	}
	c.Matched = len(pairs)
	return pairs
}

// shared returns the metrics of both files in the order of the baseline, and notes the others.
func (c *FileComparison) shared(only []string) ([]string, error) {
	before, after := c.sides[0], c.sides[1]
	for _, name := range only {
		if !slices.Contains(before.Metrics, name) && !slices.Contains(after.Metrics, name) {
			return nil, metricUnknown(name, before.File, before.Metrics)
		}
	}
	wanted := func(name string) bool { return len(only) == 0 || slices.Contains(only, name) }
	why := func(name string, t *foreign.ScoreTable) Note {
		if slices.Contains(t.Text, name) {
			return newNote("excluded.no_numbers", "file", t.File)
		}
		return newNote("excluded.no_column", "file", t.File)
	}
	var names []string
	for _, name := range before.Metrics {
		switch {
		case !wanted(name):
		case slices.Contains(after.Metrics, name):
			names = append(names, name)
		default:
			c.Excluded = append(c.Excluded, fileExclusion(name, why(name, after)))
		}
	}
	for _, name := range after.Metrics {
		if wanted(name) && !slices.Contains(before.Metrics, name) {
			c.Excluded = append(c.Excluded, fileExclusion(name, why(name, before)))
		}
	}
	if len(names) > 0 {
		return names, nil
	}
	var empty []string
	for _, t := range c.sides {
		if len(t.Metrics) == 0 {
			empty = append(empty, t.File)
		}
	}
	if len(empty) > 0 {
		p := problem.New(problem.NotComparable, "no_common_metrics", "no column of scores was read in %s", strings.Join(empty, " and "))
		for _, f := range slices.Concat(before.Forms, after.Forms) {
			if f.Form == "mixed" || f.Form == "words" {
				return nil, p.WithHint("%s", problem.Both(f.ToWrite()))
			}
		}
		if unread := slices.Concat(before.Unread, after.Unread); len(unread) > 0 {
			slices.Sort(unread)
			return nil, p.With("unread", slices.Compact(unread)).
				WithHint("not read as scores, though they hold numbers: %s; docs/imports.md says which columns are scores",
					strings.Join(slices.Compact(unread), ", "))
		}
		return nil, p.WithHint("export the scores with the answers; docs/imports.md shows how for each tool")
	}
	return nil, problem.New(problem.NotComparable, "no_common_metrics", "%s and %s share no column of scores: one has %s, the other %s",
		before.File, after.File, strings.Join(before.Metrics, ", "), strings.Join(after.Metrics, ", ")).
		WithHint("give a metric the same column name in both files")
}

func metricUnknown(name, where string, known []string) *problem.Problem {
	return problem.New(problem.Invalid, "metric_unknown", "%s has no metric %q", where, name).With("name", name).
		WithHint("it has: %s", metrics.Listed(known))
}

// warns adds a warning; args are pairs of name and value.
func (c *FileComparison) warns(code string, args ...any) { c.say(newNote(code, args...)) }

// say adds a warning in both languages.
func (c *FileComparison) say(n Note) {
	c.Warnings, c.WarningsJA = append(c.Warnings, n.Text("en")), append(c.WarningsJA, n.Text("ja"))
}

// warnVotes says which columns are compared with the votes that the other file holds in several.
func (c *FileComparison) warnVotes(votes []foreign.OneVote) {
	for _, v := range votes {
		c.warns("warn.one_vote", "file", v.File, "column", v.Column, "metric", v.Metric)
	}
}

func (c *FileComparison) warn(reworded []string) {
	for _, n := range ReadingNotes(c.sides[:]...) {
		c.say(n)
	}
	for _, n := range ReadBeside(c.sides[:]...) {
		c.Notes, c.NotesJA = append(c.Notes, n.Text("en")), append(c.NotesJA, n.Text("ja"))
	}
	if c.Baseline == c.Candidate {
		c.warns("warn.same_file", "file", c.Baseline)
	}
	if len(reworded) > 0 {
		c.warns("warn.reworded_ids", "n", len(reworded), "ids", listOf(reworded))
	}
	for _, side := range []struct {
		ids        []string
		here, gone string
	}{{c.Removed, c.Baseline, c.Candidate}, {c.Added, c.Candidate, c.Baseline}} {
		if len(side.ids) > 0 {
			c.warns("warn.one_file", "n", len(side.ids), "here", side.here, "gone", side.gone, "ids", listOf(side.ids))
		}
	}
	moved := map[string]bool{}
	for _, q := range c.Questions {
		if q.settledBy == ByIdentity && q.moved {
			moved[q.ID] = true
		}
	}
	if n := len(moved); n > 0 {
		c.warns("warn.same_answers", "n", n)
	}
	for _, m := range c.Metrics {
		if m.Unscored > 0 {
			c.warns("warn.unscored", "metric", metricNote(m.ID), "n", m.Unscored, "which", leftOutNotes(m.LeftOut))
		}
	}
}

// fileNotes are notes with the files of which each is said.
type fileNotes struct {
	notes []Note
	files map[string][]string // by what is said
}

func (f *fileNotes) say(file, code string, args ...any) {
	n := newNote(code, args...)
	key := n.Text("en")
	if f.files[key] == nil {
		f.notes = append(f.notes, n)
	}
	if !slices.Contains(f.files[key], file) { // a file may be compared with itself
		f.files[key] = append(f.files[key], file)
	}
}

func (f *fileNotes) named() []Note {
	for i, n := range f.notes {
		f.notes[i] = newNote("warn.in_files", "what", n, "files", listOf(f.files[n.Text("en")]))
	}
	return f.notes
}

// ReadBeside says of files how they are read, and what is read beside their scores. Nothing of it is a warning.
func ReadBeside(tables ...*foreign.ScoreTable) []Note {
	f := &fileNotes{files: map[string][]string{}}
	for _, t := range tables {
		for _, s := range t.Told {
			f.say(t.File, "warn.sheet", "what", told(s))
		}
		for _, form := range t.Forms {
			if form.Read() {
				f.say(t.File, "warn.form_"+form.Form, "column", form.Column, "cells", listOf(form.Examples))
			}
		}
	}
	return f.named()
}

// ReadingNotes say of files what of their numbers was not read as scores, and which rows are votes.
func ReadingNotes(tables ...*foreign.ScoreTable) []Note {
	all := &fileNotes{files: map[string][]string{}}
	say := all.say
	for _, t := range tables {
		for _, s := range t.Sheet {
			say(t.File, "warn.sheet", "what", told(s))
		}
		for _, f := range t.Forms {
			if !f.Read() {
				say(t.File, "warn.form_"+f.Form, "column", f.Column, "cells", listOf(f.Examples))
			}
		}
		unread := slices.DeleteFunc(slices.Clone(t.Unread), func(name string) bool {
			return slices.ContainsFunc(t.Forms, func(f foreign.ColumnForm) bool { return f.Column == name })
		})
		if len(unread) > 0 {
			say(t.File, "warn.unread", "columns", strings.Join(unread, ", "))
		}
		if len(t.Operation) > 0 {
			say(t.File, "warn.operation", "columns", strings.Join(t.Operation, ", "))
		}
		if n := len(t.Doubled); n > 0 {
			say(t.File, "warn.votes", "n", n, "rows", doubled(t))
		}
	}
	return all.named()
}

// told is what was said of a file where it was read.
type told text.Said

// Text is what was said, in "ja" or else English.
func (s told) Text(lang string) string { return text.Said(s).In(lang) }

// Only returns the changes with one of these labels, in their order.
func (c FileComparison) Only(labels ...Label) []FileChange {
	mixed := map[string]bool{} // of whom no metric alone says so
	for _, v := range c.Verdicts {
		mixed[v.QuestionID] = v.Verdict == Mixed && slices.Contains(labels, Mixed)
	}
	out := []FileChange{}
	for _, q := range c.Questions {
		if slices.Contains(labels, q.Label) || mixed[q.ID] && q.Label != NoChange {
			out = append(out, q)
		}
	}
	return out
}

// worstFileChange orders by label, critical questions first, then by what was lost.
func worstFileChange(a, b FileChange) int {
	return cmp.Or(
		cmp.Compare(labelOrder[a.Label], labelOrder[b.Label]),
		first(a.Critical, b.Critical),
		cmp.Compare(b.loss, a.loss),
		cmp.Compare(a.ID, b.ID),
		cmp.Compare(a.Metric, b.Metric),
	)
}

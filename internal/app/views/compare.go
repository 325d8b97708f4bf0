package views

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// ComparisonView is a comparison as its page shows it first: everything but the questions, which are a list of their own.
type ComparisonView struct {
	Baseline      app.RunRow            `json:"baseline"`
	Candidate     app.RunRow            `json:"candidate"`
	Same          bool                  `json:"same_run"`
	Sentences     findings.Sentences    `json:"sentences"`      // those of the findings
	Findings      findings.Findings     `json:"findings"`       // what came of it: all that this page says about the result
	Parts         []findings.Part       `json:"parts"`          // of the findings, as they are laid out
	Labels        compare.VerdictCounts `json:"labels"`         // questions by their verdict
	DecideBy      []string              `json:"decide_by"`      // the metrics that decide, the first before its guard
	TieBreaks     int                   `json:"tie_breaks"`     // verdicts decided by looking at two answers of equal grade together
	ByBothOrders  int                   `json:"by_both_orders"` // of these, the ones that a comparison of both answers decided
	CriticalWorse int                   `json:"critical_worse"` // critical questions among the worse ones
	Bubbles       [2]*Bubbles           `json:"bubbles"`        // before and after
	Charts        Movement              `json:"charts"`         // the same, drawn
	Scale         int                   `json:"scale"`          // the largest count in either: both charts are drawn on this scale
	Moved         []BubbleMove          `json:"moved"`          // between the places of the two charts, most first
	Classes       []ClassCount          `json:"classes"`        // why answers are worse, mixed or need a check, most first
	Config        []ConfigChange        `json:"config"`         // what differs between the two setups

	Causes           *CauseTable                     `json:"causes,omitempty"` // where a run was diagnosed
	Metrics          map[string]compare.MetricChange `json:"metrics"`          // by metric id
	Counts           map[string]compare.LabelCounts  `json:"counts"`           // by metric id
	Matched          int                             `json:"matched"`
	Added            []string                        `json:"added"`
	Removed          []string                        `json:"removed"`
	Reworded         []string                        `json:"reworded"`
	ReferenceChanged []string                        `json:"reference_changed"`
	Renamed          []compare.Renaming              `json:"renamed,omitempty"`
	Unscored         []compare.Unscored              `json:"unscored,omitempty"`
	Excluded         []compare.Exclusion             `json:"excluded"`
	LowBefore        int                             `json:"low_before"` // low scores among the matched questions
	LowAfter         int                             `json:"low_after"`
	Method           compare.Method                  `json:"method"`
	Warnings         []compare.Note                  `json:"warnings,omitempty"` // that the sentences do not tell
}

// BubbleMove counts questions that went from one place of the bubble chart to another.
type BubbleMove struct {
	From  [2]int `json:"from"` // correctness, trust
	To    [2]int `json:"to"`
	Count int    `json:"count"`
	Low   string `json:"low,omitempty"` // "became" low, or "left" the red zone
}

// ClassCount counts questions by why they changed.
type ClassCount struct {
	Class compare.Class `json:"class"`
	EN    string        `json:"en"`
	JA    string        `json:"ja"`
	Count int           `json:"count"`
}

// ChangeRow is one question of a comparison in a table.
type ChangeRow struct {
	QuestionID string `json:"question_id"`
	BaselineID string `json:"baseline_question_id,omitempty"` // where the baseline has it under another id
	// matched, added, removed, reworded or reference_changed
	Match     string         `json:"match"`
	Question  string         `json:"question"`
	Category  string         `json:"category,omitempty"`
	Theme     string         `json:"theme,omitempty"`
	ThemeName *listing.Word  `json:"theme_name,omitempty"`
	ThemeBy   *findings.Text `json:"theme_by,omitempty"` // of which classification the theme is
	Tags      []string       `json:"tags,omitempty"`
	Critical  bool           `json:"critical,omitempty"`
	Label     compare.Label  `json:"label,omitempty"`  // the verdict; absent where nothing is compared
	Detail    compare.Detail `json:"detail,omitempty"` // of the metric that made it
	Metric    string         `json:"metric,omitempty"` // that made it
	// how it came about; absent where there is no change and nothing to say
	Verdict    *compare.QuestionVerdict          `json:"verdict,omitempty"`
	RemarkEN   string                            `json:"remark_en,omitempty"` // what the word alone does not say
	RemarkJA   string                            `json:"remark_ja,omitempty"`
	Class      compare.Class                     `json:"class,omitempty"`
	BecameLow  bool                              `json:"became_low,omitempty"`
	LowBefore  bool                              `json:"low_before"`
	LowAfter   bool                              `json:"low_after"`
	Flaky      bool                              `json:"flaky,omitempty"`
	Before     map[string]float64                `json:"before"` // scores by metric
	After      map[string]float64                `json:"after"`
	Changes    map[string]compare.QuestionChange `json:"changes"` // by metric, that differ or are not settled
	AnswerWas  string                            `json:"answer_before,omitempty"`
	AnswerIs   string                            `json:"answer_after,omitempty"`
	SameAnswer bool                              `json:"same_answer"`
	Votes      *findings.Text                    `json:"votes,omitempty"` // of how many votes the scores are means; absent where it is one
	CauseWas   string                            `json:"cause_before,omitempty"`
	CauseIs    string                            `json:"cause_after,omitempty"`

	place int // in the order of the comparison, worst first
}

// The ways in which a question stands in both runs.
const (
	matchMatched   = "matched"
	matchAdded     = "added"
	matchRemoved   = "removed"
	matchReworded  = "reworded"
	matchReference = "reference_changed"
)

// listed ranks the words as a list shows them.
var listed = map[compare.Label]int{compare.Worse: 0, compare.Mixed: 1, compare.NeedsCheck: 2, compare.Better: 3, compare.NoChange: 4}

func newCompared(c compare.Comparison, both [2]*loaded) *compared {
	out := &compared{Comparison: c, both: both}
	renamed := map[string]string{}
	for _, r := range c.Renamed {
		renamed[r.After] = r.Before
	}
	match := map[string]string{}
	for how, ids := range map[string][]string{matchAdded: c.Added, matchReworded: c.Reworded, matchReference: c.ReferenceChanged} {
		for _, id := range ids {
			match[id] = how
		}
	}
	rows := map[string]*ChangeRow{}
	before, after := standingOf(both[0]), standingOf(both[1])
	out.standing = [2][]experiments.Result{before.results, after.results}
	for i, after := range after.rows {
		row := &ChangeRow{
			QuestionID: after.QuestionID, BaselineID: renamed[after.QuestionID], Match: matchMatched, Question: after.Question,
			Category: after.Category, Theme: after.Theme, ThemeName: after.ThemeName,
			ThemeBy: after.ThemeBy,
			Tags:    after.Tags, Critical: after.Critical, LowAfter: after.Low, After: after.Scores, Before: map[string]float64{},
			AnswerIs: after.Answer, CauseIs: after.Cause,
			Changes: map[string]compare.QuestionChange{}, place: len(c.Verdicts) + i,
		}
		if how, ok := match[row.QuestionID]; ok {
			row.Match = how
		}
		if at, ok := before.at[row.inBaseline()]; ok && row.Match != matchAdded {
			before := before.rows[at]
			row.Votes = findings.VotesText(before.Votes, after.Votes)
			row.Before, row.LowBefore, row.AnswerWas, row.CauseWas = before.Scores, before.Low, before.Answer, before.Cause
			row.SameAnswer = before.Answer == after.Answer
		}
		if row.Match == matchMatched {
			row.Label = compare.NoChange
		}
		rows[row.QuestionID] = row
	}
	out.label(rows)
	for _, row := range rows {
		out.rows = append(out.rows, *row)
	}
	for i, id := range c.Removed {
		before := before.rows[before.at[id]]
		out.rows = append(out.rows, ChangeRow{
			QuestionID: id, Match: matchRemoved, Question: before.Question, Category: before.Category, Theme: before.Theme,
			ThemeName: before.ThemeName, ThemeBy: before.ThemeBy, Tags: before.Tags, Critical: before.Critical,
			LowBefore: before.Low, Before: before.Scores, After: map[string]float64{}, AnswerWas: before.Answer, CauseWas: before.Cause,
			Changes: map[string]compare.QuestionChange{}, place: len(c.Verdicts) + len(both[1].rows) + i,
		})
	}
	slices.SortFunc(out.rows, func(a, b ChangeRow) int { return a.place - b.place })
	return out
}

// standing is what stands for the questions of one side.
type standing struct {
	results []experiments.Result
	rows    []QuestionRow
	at      map[string]int // question id → index in both
}

func standingOf(l *loaded) standing {
	s := standing{at: map[string]int{}}
	s.results, _ = experiments.Standing(l.Results)
	for i, r := range s.results {
		s.at[r.QuestionID] = i
		s.rows = append(s.rows, l.row(l.Questions[l.first[r.QuestionID]], r))
	}
	return s
}

// label puts what the comparison says on the rows of their questions.
func (c *compared) label(rows map[string]*ChangeRow) {
	for _, id := range c.Undecided {
		if row, ok := rows[id]; ok {
			row.Label = ""
		}
	}
	for i := range c.Comparison.Verdicts {
		v := &c.Comparison.Verdicts[i]
		row, ok := rows[v.QuestionID]
		if !ok {
			continue
		}
		row.Label, row.Detail, row.Metric, row.place, row.Verdict = v.Verdict, v.Detail, v.Decider().Metric, i, v
		row.Flaky, row.BecameLow = v.Flaky, v.BecameLow
		if v.Remark != nil {
			row.RemarkEN, row.RemarkJA = v.Remark.Text("en"), v.Remark.Text("ja")
		}
	}
	for _, q := range c.Comparison.Questions {
		if row, ok := rows[q.QuestionID]; ok {
			row.Changes[q.Metric] = q
		}
	}
	for _, t := range c.Comparison.Triage {
		if row, ok := rows[t.QuestionID]; ok {
			row.Class = t.Class
		}
	}
}

func (r ChangeRow) inBaseline() string {
	if r.BaselineID != "" {
		return r.BaselineID
	}
	return r.QuestionID
}

// inBaseline is the id that a question of the candidate has in the baseline.
func (c *compared) inBaseline(id string) string {
	for _, r := range c.Comparison.Renamed {
		if r.After == id {
			return r.Before
		}
	}
	return id
}

// Comparison compares two runs. An empty baseline means the pinned one of the candidate's dataset. Whether the candidate may be
// released goes by these rules of a gate.
func (v *compareViews) Comparison(ctx context.Context, baseline, candidate string, asked reporting.GateAsked) (ComparisonView, error) {
	rules, err := asked.Rules()
	if err != nil {
		return ComparisonView{}, err
	}
	c, err := v.comparison(ctx, baseline, candidate)
	if err != nil {
		return ComparisonView{}, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return ComparisonView{}, err
	}
	bubbles := func(i int) *Bubbles { return bubblesOf(c.standing[i], c.both[i].Run.Setup) }
	view := ComparisonView{
		Baseline: app.RunRowOf(c.both[0].Run, baselines), Candidate: app.RunRowOf(c.both[1].Run, baselines),
		Same:   c.both[0].Run.ID == c.both[1].Run.ID,
		Labels: c.VerdictCounts, DecideBy: c.DecideBy, TieBreaks: c.TieBreaks,
		ByBothOrders: c.ByBothOrders, CriticalWorse: c.CriticalWorse,
		Bubbles: [2]*Bubbles{bubbles(0), bubbles(1)}, Charts: c.movement(Chosen{}),
		Moved: c.moved(), Classes: c.classes(), Config: configChanges(c.both[0].Run.Setup, c.both[1].Run.Setup),
		Causes: c.causeTable(), Metrics: c.Metrics, Counts: c.Counts, Matched: c.Matched, Added: app.NonNil(c.Added),
		Removed: app.NonNil(c.Removed), Reworded: app.NonNil(c.Reworded),
		ReferenceChanged: app.NonNil(c.ReferenceChanged), Renamed: c.Renamed, Unscored: c.Unscored, Excluded: c.Excluded,
		LowBefore: c.LowBefore, LowAfter: c.LowAfter, Method: c.Method, Warnings: c.WarningsBeside(),
	}
	if view.Findings, err = reporting.Findings(ctx, v.w, c.Comparison, c.evaluations(), rules); err != nil {
		return ComparisonView{}, err
	}
	view.Sentences, view.Parts = view.Findings.Said(), view.Findings.Parts()
	if view.Excluded == nil {
		view.Excluded = []compare.Exclusion{}
	}
	for _, b := range view.Bubbles {
		for _, row := range b.Counts {
			view.Scale = max(view.Scale, slices.Max(row))
		}
	}
	return view, nil
}

// evaluations are the two sides as they are compared.
func (c *compared) evaluations() [2]experiments.Evaluation {
	return [2]experiments.Evaluation{c.both[0].Evaluation, c.both[1].Evaluation}
}

// moved counts the moves between places of the bubble chart.
func (c *compared) moved() []BubbleMove {
	counts := map[BubbleMove]int{}
	for _, r := range c.rows {
		from, to := placeOf(r.Before, c.both[0].Run.Setup.LowScore), placeOf(r.After, c.both[1].Run.Setup.LowScore)
		if from == to || from[0]*from[1]*to[0]*to[1] == 0 {
			continue
		}
		m := BubbleMove{From: from, To: to}
		switch {
		case r.LowAfter && !r.LowBefore:
			m.Low = "became"
		case r.LowBefore && !r.LowAfter:
			m.Low = "left"
		}
		counts[m]++
	}
	out := []BubbleMove{}
	for m, n := range counts {
		m.Count = n
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b BubbleMove) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return slices.Compare([]int{a.From[0], a.From[1], a.To[0], a.To[1]}, []int{b.From[0], b.From[1], b.To[0], b.To[1]})
	})
	return out
}

// placeOf is the column and row in the bubble chart; 0 where there is no score.
func placeOf(scores map[string]float64, threshold float64) (at [2]int) {
	for i, metric := range []string{"correctness", "trust"} {
		if v, ok := scores[metric]; ok {
			at[i] = compare.Square(v, threshold)
		}
	}
	return at
}

// classes counts the reasons of what is worse, mixed or needs a check, and of what could not be compared.
func (c *compared) classes() []ClassCount {
	counts := map[compare.Class]int{}
	for _, t := range c.Comparison.Triage {
		if t.Label != compare.Better {
			counts[t.Class]++
		}
	}
	out := []ClassCount{}
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, ClassCount{Class: class, EN: class.Word("en"), JA: class.Word("ja"), Count: counts[class]})
	}
	slices.SortStableFunc(out, func(a, b ClassCount) int { return b.Count - a.Count })
	return out
}

// ChangeQuery narrows the questions of a comparison. Empty fields do not narrow.
type ChangeQuery struct {
	listing.Page
	Label    []string
	Class    []string
	Match    []string
	Metric   string // only questions whose value of this metric differs or is not settled; Label is then that metric's
	Category []string
	Theme    []string
	Tag      []string
	Became   *bool // became a low score
	Critical *bool
	Text     string // in id, question or either answer
}

// Changes lists the questions of a comparison, worst first.
func (v *compareViews) Changes(ctx context.Context, baseline, candidate string, q ChangeQuery) (listing.Listed[ChangeRow],
	[2]experiments.Run, error) {
	c, err := v.comparison(ctx, baseline, candidate)
	if err != nil {
		return listing.Listed[ChangeRow]{}, [2]experiments.Run{}, err
	}
	runs := [2]experiments.Run{c.both[0].Run, c.both[1].Run}
	needle := strings.ToLower(q.Text)
	rows := make([]ChangeRow, 0, len(c.rows))
	for _, r := range c.rows {
		if q.fits(r) && (needle == "" || listing.Contains(needle, r.QuestionID, r.Question, r.AnswerWas, r.AnswerIs)) {
			rows = append(rows, r)
		}
	}
	out, err := listing.List(rows, c.changeOrder(), q.Page)
	return out, runs, err
}

func (q ChangeQuery) fits(r ChangeRow) bool {
	label := r.Label
	if q.Metric != "" {
		change, ok := r.Changes[q.Metric]
		if !ok {
			return false
		}
		label = change.Label
	}
	return among(q.Label, string(label)) && among(q.Class, string(r.Class)) && among(q.Match, r.Match) && among(q.Category, r.Category) &&
		among(q.Theme, r.Theme) &&
		(q.Became == nil || *q.Became == r.BecameLow) && (q.Critical == nil || *q.Critical == r.Critical) &&
		!slices.ContainsFunc(q.Tag, func(t string) bool { return !slices.Contains(r.Tags, t) })
}

// changeOrder sorts by the comparison's own order, id, label, class, or the change of any metric.
func (c *compared) changeOrder() listing.Order[ChangeRow] {
	o := listing.Order[ChangeRow]{
		First: "worst",
		ID:    func(r ChangeRow) string { return r.Match + " " + r.QuestionID },
		Keys: map[string]func(ChangeRow) listing.SortKey{
			"worst": func(r ChangeRow) listing.SortKey { return listing.NumberKey(float64(r.place)) },
			"id":    func(r ChangeRow) listing.SortKey { return listing.TextKey(r.QuestionID) },
			"label": func(r ChangeRow) listing.SortKey { return listing.OptionalKey(float64(listed[r.Label]), r.Label != "") },
			"class": func(r ChangeRow) listing.SortKey { return listing.TextKey(string(r.Class)) },
			"theme": func(r ChangeRow) listing.SortKey { return listing.TextKey(r.Theme) },
		},
	}
	for _, s := range c.both[1].Run.Setup.Suite {
		o.Keys[s.ID] = func(r ChangeRow) listing.SortKey {
			before, had := r.Before[s.ID]
			after, has := r.After[s.ID]
			return listing.OptionalKey(after-before, had && has)
		}
	}
	return o
}

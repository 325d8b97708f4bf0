// Package compare explains runs. It compares two evaluations question by question and says which answers got worse, why,
// and how sure that is.
//
// Comparing is pure: no database, no clock, no model. The same stored votes always give the same comparison, whatever the
// order of the questions.
//
//   - [CompareWith] matches the questions, labels every change of every metric, and computes the means with their intervals.
//   - [VerifyPlan] says which votes the regression guard wants next. Buy them, load both evaluations again, ask again.
//   - [DiffContexts] and [DiffAnswers] show what is different in one question.
//
// People read five words: worse, mixed, needs check, no change, better. [QuestionVerdict] is what became of a question, by the metrics
// that decide and in their order ([Settle] is the whole table); a label is what became of one metric of it. One vote settles a
// change only where generator and judge
// of both runs are deterministic. Otherwise a drop needs a check until replicates decide: a question is worse when the
// guard is sure that the candidate's configuration answers it worse, not when one answer had bad luck.
package compare

import "github.com/rag-workbench/workbench/internal/experiments"

// Comparison sets a candidate run beside a baseline run, question by question.
type Comparison struct {
	Baseline  experiments.Run `json:"-"`
	Candidate experiments.Run `json:"-"`

	DecideBy []string `json:"decide_by"` // the metrics that decide, the first before its guard
	// what decides first by the setup and did not, for all questions or for some; nil where it decided wherever it applies
	Replaced *Replaced `json:"replaced,omitempty"`
	// of the matched questions; the one count of worse, mixed, … there is
	VerdictCounts VerdictCounts            `json:"verdict_counts"`
	TagCounts     map[string]VerdictCounts `json:"verdict_counts_by_tag,omitempty"` // the same among the questions of each tag
	CriticalWorse int                      `json:"critical_worse"`                  // critical questions among the worse ones
	// verdicts decided by looking at two answers of equal grade together
	TieBreaks int `json:"tie_breaks"`
	// of these, the ones that a comparison of both answers decided
	ByBothOrders int `json:"by_both_orders"`
	// questions that such a comparison could decide and that has not been made
	OpenTies []string `json:"open_ties,omitempty"`
	// questions whose answers differ and have one grade (the mean of their votes), counted by it alone: a run was not scored by what tells
	// such answers apart
	ByGradeAlone int `json:"by_grade_alone"`
	// severest first; questions without change and without a remark are left out
	Verdicts []QuestionVerdict `json:"verdicts"`
	// matched questions that no deciding metric scored in both runs: no verdict
	Undecided []string `json:"undecided"`

	Metrics   map[string]MetricChange `json:"metrics"`   // by metric id, for the metrics both runs measure the same way
	Questions []QuestionChange        `json:"questions"` // details by metric: what differs or is not settled, worst first
	Counts    map[string]LabelCounts  `json:"counts"`    // details by metric id; metrics of operation, such as latency, have none
	Triage    []Triage                `json:"triage"`    // why: one for each question whose verdict is not "no change", in their order

	Matched          int         `json:"matched"`           // questions in both runs with equal text and right answer
	Added            []string    `json:"added"`             // only in the candidate
	Removed          []string    `json:"removed"`           // only in the baseline
	Reworded         []string    `json:"reworded"`          // equal id, other question: compared nowhere
	ReferenceChanged []string    `json:"reference_changed"` // equal question, other right answer: compared nowhere
	Renamed          []Renaming  `json:"renamed,omitempty"` // equal question under another id: compared
	Unscored         []Unscored  `json:"unscored,omitempty"`
	Excluded         []Exclusion `json:"excluded"` // metrics that cannot be compared, and why

	LowBefore int `json:"low_before"` // low-score answers among the matched questions that are rated in both runs
	LowAfter  int `json:"low_after"`
	// matched questions of which it can be told in both runs whether the answer is low, twice the same number; none where the scores of one
	// are another tool's alone
	RatedBefore int `json:"rated_before"`
	RatedAfter  int `json:"rated_after"`
	// the runs do not mean the same by a low score, and one says so in its own terms: none is counted
	LowApart bool   `json:"low_apart,omitempty"`
	Method   Method `json:"method"` // how it was computed, for those who check
	Warnings []Note `json:"warnings,omitempty"`
}

// Renaming is a question that the candidate's dataset has under another id. The comparison uses the candidate's.
type Renaming struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// Replaced says that the metric which decides first could not, and what decided in its place.
type Replaced struct {
	Metric    string `json:"metric"`
	By        string `json:"by"`
	Questions int    `json:"questions"`     // that have a verdict by the other
	Why       *Note  `json:"why,omitempty"` // why the metric is compared nowhere; nil where single questions lack a score by it
}

// Unscored is a question that one run scored by a metric and the other could not score.
type Unscored struct {
	QuestionID string `json:"question_id"`
	Metric     string `json:"metric"`
	Arm        Arm    `json:"arm"`   // that has no score
	Cause      string `json:"cause"` // an llm cause code, or "pending"
}

// Exclusion is a metric left out of a comparison.
type Exclusion struct {
	Metric string `json:"metric"`
	Why    string `json:"why"` // in English; [Exclusion.Note] says it in other languages
	Note   Note   `json:"reason"`
}

// Arm names one of the two runs.
type Arm string

// The arms of a comparison.
const (
	BaselineArm  Arm = "baseline"
	CandidateArm Arm = "candidate"
)

// MetricChange is one metric over the questions scored in both runs. Where a question has several votes their mean counts.
type MetricChange struct {
	Baseline  float64     `json:"baseline"`       // mean
	Candidate float64     `json:"candidate"`      // mean
	Diff      float64     `json:"diff"`           // candidate - baseline
	CI95      *[2]float64 `json:"ci95,omitempty"` // interval of Diff; nil under 3 questions
	N         int         `json:"n"`              // questions
	// of every metric, those of other tools too, which no catalogue has
	LowerIsBetter bool `json:"lower_is_better,omitempty"`

	P        *float64 `json:"p,omitempty"`        // two-sided, of the same test as the interval
	Effect   *float64 `json:"effect,omitempty"`   // Hedges' standardised mean difference of pairs; nil where no question differs
	Improved float64  `json:"improved"`           // share of the questions that moved the good way, by any amount
	Worsened float64  `json:"worsened"`           // share that moved the bad way
	Visible  *float64 `json:"visible,omitempty"`  // smallest true change that this comparison finds with 80% power at 5%
	Clusters int      `json:"clusters,omitempty"` // source documents the interval is robust to; 0: questions count as independent
	Free     float64  `json:"df,omitempty"`       // degrees of freedom of the interval, which is Student's t

	Drift  *Drift        `json:"judge_drift,omitempty"`
	Slices []SliceChange `json:"slices,omitempty"` // of gate metrics, clearest first
	Guard  *GuardFigures `json:"guard,omitempty"`  // of metrics with replicates

	// By which groups of questions the change is told from chance, or left to it, where the same scores would say otherwise by other
	// groups, and by which; both are empty where the groups change nothing.
	Grouped   Grouping `json:"-"`
	Otherwise Grouping `json:"-"`
}

// Grouping is what groups questions whose scores may depend on each other.
type Grouping string

// The groups of questions.
const (
	ByDocument Grouping = "document" // that their marked evidence names first
	ByTheme    Grouping = "theme"    // of their tags, where no question has marked evidence
	ByQuestion Grouping = "question" // each stands by itself
)

// Shift is the improved share minus the worsened one, in [-1, 1].
func (m MetricChange) Shift() float64 { return m.Improved - m.Worsened }

// LabelCounts counts questions by label for one metric.
type LabelCounts struct {
	Worse      int `json:"worse"`
	NeedsCheck int `json:"needs_check"`
	NoChange   int `json:"no_change"`
	Better     int `json:"better"`
}

// QuestionChange is one metric of one question that differs between the runs or is not settled. Values are means where
// there are several votes.
type QuestionChange struct {
	QuestionID string    `json:"question_id"`
	BaselineID string    `json:"baseline_question_id,omitempty"` // where the baseline has the question under another id
	Metric     string    `json:"metric"`
	Baseline   float64   `json:"baseline"`
	Candidate  float64   `json:"candidate"`
	Label      Label     `json:"label"`
	Detail     Detail    `json:"detail"`
	SettledBy  SettledBy `json:"settled_by,omitempty"` // "" while it needs a check
	Flaky      bool      `json:"flaky,omitempty"`      // right only sometimes, whatever the configuration
	BecameLow  bool      `json:"became_low,omitempty"` // good in the baseline, a low score in the candidate
	Critical   bool      `json:"critical,omitempty"`

	PRegression  *float64 `json:"p_regression,omitempty"`  // probability that the configuration is worse here by delta or more
	PImprovement *float64 `json:"p_improvement,omitempty"` // the mirror
	Replicates   [2]int   `json:"replicates"`              // votes of the baseline and of the candidate
}

// InBaseline is the question's id in the baseline.
func (q QuestionChange) InBaseline() string {
	if q.BaselineID != "" {
		return q.BaselineID
	}
	return q.QuestionID
}

// GuardFigures are what the regression guard says about one metric as a whole.
type GuardFigures struct {
	Gate          bool    `json:"gate"`           // the metric may confirm; others are exploratory
	Decided       bool    `json:"decided"`        // there were enough repeated votes to label by
	Q             float64 `json:"q"`              // false discovery rate it confirms at; 0 when exploratory
	ExpectedFalse float64 `json:"expected_false"` // questions called worse that are not, on average
	ExpectedMiss  float64 `json:"expected_miss"`  // regressions among the questions not called worse, on average
	Flaky         int     `json:"flaky"`          // questions named so
	Noise         float64 `json:"noise"`          // standard deviation of a vote on the same question
	SameQuestion  float64 `json:"same_question"`  // a smaller change on one question is within noise: 1.645 √2 Noise
	Pairs         int     `json:"pairs"`          // degrees of freedom that Noise rests on
}

package progress

import (
	"slices"
	"strings"
	"time"

	analysiscauses "github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// Trend is how an experiment did over time: a series with a point for each fire or run, oldest first. Slots without a run are points
// without figures, so that a gap is seen as one.
type Trend struct {
	Schedule   string       `json:"schedule,omitempty"`
	Experiment string       `json:"experiment,omitempty"`
	Metrics    []string     `json:"metrics"`  // in the order of the newest suite
	Deciding   []string     `json:"deciding"` // those that decide a comparison of the newest run, the first one first
	Points     []TrendPoint `json:"points"`
	Baselines  []TrendRun   `json:"baselines"` // the runs that points were compared with, in the order of their first use
	More       int          `json:"more"`      // older points that are left out

	Chosen []string     `json:"chosen,omitempty"` // metrics that are drawn
	Chart  *charts.Plan `json:"chart,omitempty"`  // where it was asked for
	suite  []metrics.Spec
}

// Spec is a metric as the newest run has it; false for one of older runs alone.
func (t Trend) Spec(id string) (metrics.Spec, bool) {
	i := slices.IndexFunc(t.suite, func(s metrics.Spec) bool { return s.ID == id })
	if i < 0 {
		return metrics.Spec{ID: id}, false
	}
	return t.suite[i], true
}

// Choose takes the metrics that are asked for and that there are; else correctness and trust, else the first two.
func (t *Trend) Choose(asked []string) {
	among := func(wanted []string) []string {
		return slices.DeleteFunc(slices.Clone(t.Metrics), func(m string) bool { return !slices.Contains(wanted, m) })
	}
	if t.Chosen = among(asked); len(t.Chosen) == 0 {
		t.Chosen = among([]string{"correctness", "trust"})
	}
	if len(t.Chosen) == 0 {
		t.Chosen = t.Metrics[:min(2, len(t.Metrics))]
	}
}

// TrendPoint is one fire, or one run that no schedule started.
type TrendPoint struct {
	At         time.Time             `json:"at"` // nominal time of a fire, end of a run
	FireID     string                `json:"fire_id,omitempty"`
	State      experiments.FireState `json:"state"` // ran where there is no fire
	Reason     string                `json:"reason,omitempty"`
	Run        *TrendRun             `json:"run,omitempty"`      // nil where there are no figures
	Baseline   string                `json:"baseline,omitempty"` // run that it was compared with
	Worse      int                   `json:"worse"`              // questions confirmed worse than the baseline
	NewlyWorse int                   `json:"newly_worse"`
	Gate       string                `json:"gate,omitempty"`
	Drift      string                `json:"drift,omitempty"` // how the judge changed on the anchors
	Spent      int64                 `json:"spent_micros"`
	Calls      int                   `json:"calls"`

	IsBaseline  bool          `json:"is_baseline"`  // its run is one of Baselines
	NewBaseline bool          `json:"new_baseline"` // it was compared with another run than the point before
	Changes     []TrendChange `json:"changes"`      // what is not as at the point with figures before: a jump may come from there

	Schedule string      `json:"-"` // of its fire
	By       text.Said   `json:"-"` // the limits of the release check in words; nothing where they are not known
	Limits   *LimitsMove `json:"limits,omitempty" doc:"where the release check goes by other limits than at the decision before it"`
}

// LimitsMove are the limits of a release check at two decisions after each other, in words.
type LimitsMove struct {
	From text.Said `json:"from"`
	To   text.Said `json:"to"`
}

// TrendChange names a part of the setup that changed between two points.
type TrendChange string

// The changes. Figures before and after a change of dataset, judge, metrics or threshold do not measure the same.
const (
	ChangedDataset   TrendChange = "dataset"
	ChangedQuestions TrendChange = "questions" // another part of the same dataset was asked
	ChangedJudge     TrendChange = "judge"
	ChangedMetrics   TrendChange = "metrics"
	ChangedThreshold TrendChange = "low_score"
	ChangedCorpus    TrendChange = "corpus"
	ChangedSystem    TrendChange = "system" // configuration or endpoint
	ChangedLimits    TrendChange = "limits" // of the release check: scores measure the same, decisions do not
)

// TrendRun is a run reduced to what a series shows.
type TrendRun struct {
	RunID     string                     `json:"run_id"`
	Metrics   map[string]TrendValue      `json:"metrics"`
	Low       int                        `json:"low"`               // questions with a low score
	Scored    int                        `json:"scored"`            // of so many
	LowShare  TrendValue                 `json:"low_share"`         // with the Wilson interval
	Threshold float64                    `json:"low_score"`         // correctness or trust at or below it is a low score
	Own       []experiments.LowLine      `json:"own_low,omitempty"` // the run's own terms, in the place of the threshold
	Causes    []TrendCause               `json:"causes"`            // of the low scores, in the pipeline's order; none without a diagnosis
	Method    analysiscauses.CauseMethod `json:"cause_method,omitempty"`
	Offline   bool                       `json:"offline"` // the judge was the offline one

	setup  experiments.Setup
	judge  string // digest of its judge
	system string // of its configuration alone
}

// LowRule is which answers of the run are low.
func (r *TrendRun) LowRule() experiments.LowRule {
	rule := experiments.Setup{LowScore: r.Threshold, Low: r.Own}.LowRule()
	rule.Unsaid = r.setup.LowRule().Unsaid
	return rule
}

// TrendValue is a mean over N questions with its 95% interval, where there are enough questions for one.
type TrendValue struct {
	Mean float64     `json:"mean"`
	N    int         `json:"n"`
	CI95 *[2]float64 `json:"ci95,omitempty"`
}

// TrendCause is how many low scores have a cause.
type TrendCause struct {
	Component analysiscauses.Component `json:"component"`
	N         int                      `json:"n"`
}

// ReduceRun reduces an evaluation, and the diagnosis of its low scores where there is one, to a point's figures. Replicates of a
// question are averaged, for means as for low scores, as in the totals of the run.
func ReduceRun(e experiments.Evaluation, causes *analysiscauses.CauseReport) TrendRun {
	r := TrendRun{RunID: e.Run.ID, Metrics: map[string]TrendValue{}, Threshold: e.Run.Setup.LowScore, Offline: e.Run.Setup.ByOffline(),
		Causes: []TrendCause{}, setup: e.Run.Setup,
		judge:  experiments.Setup{Judge: e.Run.Setup.Judge}.Digest(),
		system: experiments.Setup{Config: e.Run.Setup.Config}.Digest()}
	rule := e.Run.Setup.LowRule()
	r.Own = rule.Said()
	sources := compare.SharedBy(e.Questions)
	standing, _ := experiments.Standing(e.Results)
	for _, spec := range e.Run.Setup.Suite {
		if v, ok := trendValue(standing, spec, sources); ok {
			r.Metrics[spec.ID] = v
		}
	}
	for _, result := range standing {
		if !result.Rated(rule) {
			continue
		}
		r.Scored++
		if result.Low(rule) {
			r.Low++
		}
	}
	if interval, err := stats.Wilson(r.Low, r.Scored, 0.95); err == nil {
		r.LowShare = TrendValue{Mean: float64(r.Low) / float64(r.Scored), N: r.Scored, CI95: &[2]float64{interval.Low, interval.High}}
	}
	if causes != nil {
		r.Method = causes.Method
		counts := map[analysiscauses.Component]int{}
		for _, d := range causes.Diagnoses {
			counts[d.Component]++
		}
		for _, c := range analysiscauses.Components() {
			if counts[c] > 0 {
				r.Causes = append(r.Causes, TrendCause{c, counts[c]})
			}
		}
	}
	return r
}

// trendValue is the mean of a metric; false where nothing was scored.
func trendValue(standing []experiments.Result, spec metrics.Spec, sources map[string]int) (TrendValue, bool) {
	var values []float64
	var clusters []int
	for i := range standing {
		if value, ok := standing[i].Value(spec.ID); ok {
			values, clusters = append(values, value), append(clusters, sources[standing[i].QuestionID])
		}
	}
	if len(values) == 0 {
		return TrendValue{}, false
	}
	v := TrendValue{Mean: stats.Mean(values), N: len(values)}
	if len(values) < compare.Fewest {
		return v, true
	}
	if slices.Max(clusters) == slices.Min(clusters) { // a single cluster does not say how clusters differ
		for i := range clusters {
			clusters[i] = i
		}
	}
	if m, err := stats.ClusterRobust(values, clusters, 0.95); err == nil {
		v.CI95 = &[2]float64{m.Low, m.High}
		if spec.Max > spec.Min {
			v.CI95 = &[2]float64{max(m.Low, spec.Min), min(m.High, spec.Max)}
		}
	}
	return v, true
}

// Series puts points, oldest first, into a trend: what changed between them and which of them are baselines. baselines are the
// reduced runs that points were compared with; those that nobody names are left out.
func Series(points []TrendPoint, baselines []TrendRun) Trend {
	t := Trend{Metrics: []string{}, Deciding: []string{}, Points: points, Baselines: []TrendRun{}}
	used := map[string]bool{}
	var before *TrendRun
	compared := ""
	for i := range points {
		p := &points[i]
		p.Changes = []TrendChange{}
		if p.Baseline != "" {
			p.NewBaseline, compared = compared != "" && p.Baseline != compared, p.Baseline
			if at := slices.IndexFunc(baselines, func(r TrendRun) bool { return r.RunID == p.Baseline }); at >= 0 && !used[p.Baseline] {
				t.Baselines = append(t.Baselines, baselines[at])
			}
			used[p.Baseline] = true
		}
		if p.Run == nil {
			continue
		}
		if before != nil {
			p.Changes = changesBetween(before, p.Run)
		}
		before = p.Run
	}
	markLimits(points)
	for i := range points {
		points[i].IsBaseline = points[i].Run != nil && used[points[i].Run.RunID]
	}
	if before != nil {
		t.suite, t.Deciding = before.setup.Suite, append(t.Deciding, before.setup.Deciding()...)
		for _, spec := range before.setup.Suite {
			t.Metrics = append(t.Metrics, spec.ID)
		}
	}
	return t
}

// markLimits marks the decisions that go by other limits than the one before them of the same schedule.
func markLimits(points []TrendPoint) {
	before := map[string]text.Said{}
	for i := range points {
		p := &points[i]
		if p.Gate == "" || p.By == (text.Said{}) {
			continue
		}
		if was, decided := before[p.Schedule]; decided && was != p.By {
			p.Limits, p.Changes = &LimitsMove{From: was, To: p.By}, append(p.Changes, ChangedLimits)
		}
		before[p.Schedule] = p.By
	}
}

// changesBetween lists what differs between the setups of two runs, what breaks the series first.
func changesBetween(before, after *TrendRun) []TrendChange {
	a, b := before.setup, after.setup
	out := []TrendChange{}
	add := func(c TrendChange, when bool) {
		if when {
			out = append(out, c)
		}
	}
	suite := func(s experiments.Setup) string {
		var ids []string
		for _, m := range s.Suite {
			ids = append(ids, m.ID+" "+m.Version)
		}
		return strings.Join(ids, "\n")
	}
	add(ChangedDataset, a.Dataset != b.Dataset)
	add(ChangedQuestions, a.Dataset == b.Dataset && !slices.Equal(a.Questions, b.Questions))
	add(ChangedJudge, before.judge != after.judge)
	add(ChangedMetrics, suite(a) != suite(b))
	add(ChangedThreshold, a.LowRule() != b.LowRule())
	add(ChangedCorpus, a.Corpus != b.Corpus)
	untold := a.Config.Log != nil && b.Config.Log != nil // two files: neither says how its system was set up
	add(ChangedSystem, before.system != after.system && !untold)
	return out
}

package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// GateRules say what a candidate must show. [DefaultGateRules] has the recommended ones.
type GateRules struct {
	Thresholds []Threshold
	Margin     float64 // share of a metric's scale that the mean may fall; 0 follows what the comparison can see
	Allowance  float64 // largest share of questions allowed to be worse
	Coverage   float64 // share of the questions that must be scored on both sides
	Alpha      float64 // one-sided level of the test of the mean
	Slice      int     // questions from which on a tag is looked at by itself
	By         Setter  // who set those that are not the usual ones
}

// Setter is who set limits of a release check in the place of the usual ones, as far as that is known.
type Setter struct {
	Where string `json:"where" enum:"command,page,schedule,cell,notebook"` // page: a page of ours, or a request of a client
	Name  string `json:"name,omitempty" doc:"of the command, the schedule, the notebook, or its cell"`
}

// What sets limits.
const (
	SetByCommand  = "command"
	SetByPage     = "page"
	SetBySchedule = "schedule"
	SetByCell     = "cell"
	SetByNotebook = "notebook" // a cell of it, where nobody knows which
)

// Words say who it is after *set*.
func (s Setter) Words() Note { return newNote("limits.by_"+s.Where, "name", s.Name) }

// The margins that follow what a comparison can see, as shares of a metric's scale: never under the usual margin, and
// never over twice that, however few the questions are.
const (
	UsualMargin   = 0.05
	largestMargin = 0.10
	gatePower     = 0.8
)

// SecondLook is the one-sided level of each of two looks at the same comparison, before and after checking questions
// again: together they are wrong with probability 0.05 at most.
const SecondLook = 0.03

// DefaultGateRules have no threshold, a margin that follows what the comparison can see, 2% of the questions worse, 98%
// scored, and a level of 0.05.
func DefaultGateRules() GateRules {
	return GateRules{Allowance: 0.02, Coverage: 0.98, Alpha: 0.05, Slice: 10}
}

// hold reports whether a threshold is about a metric.
func (r GateRules) hold(metric string) bool {
	return slices.ContainsFunc(r.Thresholds, func(t Threshold) bool { return strings.EqualFold(t.Metric, metric) })
}

// named are the rules with the metrics called as the candidate's are.
func (r GateRules) named(arms GateArms) GateRules {
	names := make([]string, len(arms.Metrics))
	for i, m := range arms.Metrics {
		names[i] = m.ID
	}
	r.Thresholds = slices.Clone(r.Thresholds)
	for i, t := range r.Thresholds {
		if name, ok := metrics.IDAmong(t.Metric, names); ok {
			r.Thresholds[i].Metric = name
		}
	}
	return r
}

// Limits are what the rules ask for in place of the usual limits, in words.
func (r GateRules) Limits() (out []Note) {
	for _, t := range r.Thresholds {
		out = append(out, newNote(t.code("limits.min"), t.words()...))
	}
	if r.Margin != 0 {
		out = append(out, newNote("limits.margin", "share", Percent(r.Margin)))
	}
	if !DefaultAllowance(r.Allowance) {
		out = append(out, newNote("limits.allowance", "share", Percent(r.Allowance)))
	}
	return out
}

// GateArms are a candidate and its baseline as a gate sees them; make them with [FileGate] or [RunGate].
type GateArms struct {
	Baseline  string // "" without one: then only thresholds are looked at
	Candidate string
	Metrics   []GateMetric // of the candidate
	Gates     []string     // the metrics that decide: the mean of each may not fall
	Questions []GateQuestion
	Unasked   []Unasked
	Dropped   Dropped
	OneScore  bool  // files that hold one score for each question, by which nothing is confirmed
	Exact     *Note // what that means, of files whose scores are taken as exact because somebody said so
	Repeated  bool  // repeated scores confirm that single answers are worse
}

// Unasked are questions that one run alone was asked, because the other one was over a part of the dataset.
type Unasked struct {
	Partial Arm // the run over the part
	N       int
}

// GateQuestion is one question that both sides measured, with its verdict.
type GateQuestion struct {
	GateChange
	Verdict Label
	Lost    string // of a mixed question: the metric by which it is worse

	gain float64 // of what decided: share of its range that it moved for the better, below 0 for the worse
	open float64 // see [QuestionVerdict.Open]
}

// gateQuestion is the question that a verdict is about.
func gateQuestion(v *QuestionVerdict) GateQuestion {
	return GateQuestion{GateChange: worseBy(v), Verdict: v.Verdict, Lost: v.Lost(), gain: v.Decider().Gain,
		open: v.Open}
}

// GateMetric is one metric of a gate.
type GateMetric struct {
	ID            string
	Min, Max      float64
	LowerIsBetter bool
	Defined       bool       // its range is that of its definition, not one that was read off the scores
	Themed        bool       // clusters are themes, and not documents
	Items         []GateItem // questions to which the metric applies
}

// GateItem is one question of a gate. Before and After are means over replicates, NaN without a score.
type GateItem struct {
	ID       string
	Critical bool
	Tags     []string
	Cluster  string // what it shares with other questions, such as a document; "" for nothing
	Paired   bool   // the baseline asks it too
	Before   float64
	After    float64
	Compared bool // it was compared: both sides have a score
	Mixed    bool // the question's verdict is mixed: what it lost is weighed against what it won already
}

// GateResult is what a gate says. Whatever is missing or too little counts against PASS, never for it.
type GateResult struct {
	Decision  stats.Decision `json:"decision"`
	Baseline  string         `json:"baseline,omitempty"`
	Candidate string         `json:"candidate"`
	Reasons   []string       `json:"reasons"` // why it is not PASS
	Checks    []GateCheck    `json:"checks"`
	Worse     []GateChange   `json:"worse"` // answers whose verdict is worse, severest first
	// the questions that need a check, with the reason: those that scored lower first
	NeedsCheck []GateDoubt   `json:"needs_check"`
	Counts     VerdictCounts `json:"counts"` // all zero without a baseline; mixed answers alone never fail the gate
	Scored     int           `json:"scored"`
	Questions  int           `json:"questions"` // times metrics that decide
	Coverage   float64       `json:"coverage"`  // Scored / Questions; 1 without a baseline
	Limits     []Note        `json:"limits,omitempty" doc:"what was asked of it in place of its usual limits"`
	LimitsBy   *Setter       `json:"limits_by,omitempty" doc:"who asked for these limits"`
	// Preset are the limits that decided and that nobody set, by the names of their fields: a door that has such fields names them.
	Preset []string `json:"preset,omitempty" doc:"limits that nobody set, so that RAG Workbench's own decided: margin, allowance"`
	Said   []string `json:"said"` // in sentences: the decision and why, the result, what needs a check
	SaidJA []string `json:"said_ja" doc:"said, in Japanese"`
}

// SaidIn are the sentences in a language: "ja", or else English.
func (r GateResult) SaidIn(lang string) []string {
	if lang == "ja" {
		return r.SaidJA
	}
	return r.Said
}

// GateCheck is one thing that a gate looked at.
type GateCheck struct {
	// "threshold", "not_worse", "critical", "dropped", "share_worse", "slice", "coverage" or "quality"
	Name      string         `json:"name"`
	Metric    string         `json:"metric,omitempty"`
	Decision  stats.Decision `json:"decision"`
	Message   string         `json:"message"`
	MessageJA string         `json:"message_ja" doc:"message, in Japanese"`
	N         int            `json:"n,omitempty"`
	// Value is what was measured; of not_worse the mean gain, below 0 for the worse whichever way the metric runs, with the loss of mixed
	// questions as none. Whole is that with their loss, where it is another.
	Value         *float64 `json:"value,omitempty" doc:"what was measured; of not_worse the mean gain, below 0 for the worse even where less is better"`
	Whole         *float64 `json:"whole,omitempty"`
	Bound         *float64 `json:"bound,omitempty"` // what it is held against; of not_worse minus the margin
	Lower         *float64 `json:"lower,omitempty"` // one-sided bounds of the gain
	Upper         *float64 `json:"upper,omitempty"`
	LowerIsBetter bool     `json:"lower_is_better,omitempty" doc:"of not_worse: the metric itself changed by minus the value"`
	Mixed         int      `json:"mixed,omitempty"` // of not_worse: mixed questions whose loss counts as none
	// of critical: the questions that are worse, else those that need a check; of dropped: those among the dropped ones
	Critical  []string `json:"critical,omitempty"`
	Dropped   []string `json:"dropped,omitempty" doc:"questions that the candidate's dataset dropped or changed"`
	Missing   bool     `json:"missing,omitempty"` // the scores that are there would have passed
	Lacking   int      `json:"lacking,omitempty" doc:"where missing: how many scores were taken as the worst one"`
	WorstCase *float64 `json:"worst_case,omitempty" doc:"where missing: value with the worst score in place of each that lacks"`
	// of share_worse
	Tags    []string `json:"tags,omitempty" doc:"of slice: the tags that got worse, else those that fell and cannot be told from chance"`
	Open    int      `json:"open,omitempty" doc:"of share_worse: answers that may be worse, with too few scores to confirm it"`
	Unasked int      `json:"unasked,omitempty"` // of coverage: questions that one run alone was asked
	Partial []Arm    `json:"partial,omitempty" doc:"of coverage: the runs over a part of the dataset, for which questions are unasked"`
}

// Text is the message in a language: "ja", or else English.
func (c GateCheck) Text(lang string) string {
	if lang == "ja" {
		return c.MessageJA
	}
	return c.Message
}

// says adds to the message, in both languages; args are pairs of name and value.
func (c *GateCheck) says(code string, args ...any) {
	n := newNote(code, args...)
	c.Message, c.MessageJA = c.Message+n.Text("en"), c.MessageJA+n.Text("ja")
}

// DecisionWord is a gate's decision as people read it, in "ja" or else English; any other word is returned as it is.
func DecisionWord(d stats.Decision, lang string) string {
	code := "decision." + string(d)
	if word := say(lang, code, nil); word != code {
		return word
	}
	return string(d)
}

// GateChange is one answer that is worse.
type GateChange struct {
	ID        string  `json:"id"`
	Metric    string  `json:"metric"` // that made it worse; where it ties, the one whose tie was broken
	Baseline  float64 `json:"baseline"`
	Candidate float64 `json:"candidate"`
	Critical  bool    `json:"critical,omitempty"`
	// what decided where the grades tie or are overruled; "" where the metric did
	ByTie  TieBreak `json:"by_tie,omitempty"`
	Remark *Note    `json:"remark,omitempty"` // that, in words
}

// worseBy is the answer that a verdict is about, by what decided it.
func worseBy(v *QuestionVerdict) GateChange {
	d := v.Decider()
	c := GateChange{ID: v.QuestionID, Metric: d.Metric, Baseline: d.Baseline, Candidate: d.Candidate, Critical: v.Critical, ByTie: v.ByTie}
	if v.ByTie != "" {
		c.Remark = v.Remark
	}
	return c
}

// decided names what decided: the metric, or what decided in place of its grades, which tie or are overruled.
func (c GateChange) decided() Note {
	if c.Remark == nil {
		return metricNote(c.Metric)
	}
	if c.Baseline != c.Candidate {
		return newNote("gate.by_facts", "metric", metricNote(c.Metric), "why", *c.Remark,
			"before", fmt.Sprintf("%.4g", c.Baseline), "after", fmt.Sprintf("%.4g", c.Candidate))
	}
	return newNote("gate.by_tie", "metric", metricNote(c.Metric), "why", *c.Remark)
}

// Decided names what decided in a language: the metric, or what broke its tie.
func (c GateChange) Decided(lang string) string { return c.decided().Text(lang) }

// Gate decides whether a candidate may replace its baseline. It fails on a threshold that is not reached, the mean of a deciding
// metric that is worse by more than the margin, a critical question that is worse, too many worse questions, or a tag that is
// worse. Mixed questions alone never make it fail: in means and tags what they lost counts as nothing lost. It passes only when
// none of that can be so and nearly everything was scored on both sides; and otherwise it is
// inconclusive. An Invalid Problem says that there is nothing to decide by or that a rule names an unknown metric.
func Gate(arms GateArms, rules GateRules) (GateResult, error) {
	rules = rules.named(arms)
	r := GateResult{Baseline: arms.Baseline, Candidate: arms.Candidate, Decision: stats.Pass, Reasons: []string{}, Worse: []GateChange{},
		Coverage: 1, Limits: rules.Limits(), Said: []string{}, SaidJA: []string{}}
	if len(r.Limits) > 0 {
		r.LimitsBy = &rules.By
	}
	for _, t := range rules.Thresholds {
		m, err := arms.metric(t.Metric)
		if err != nil {
			return r, err
		}
		beyond := m.Defined && t.beyond(m.Min, m.Max)
		if beyond && rules.By.Where != SetBySchedule { // one that was saved before goes on, and says it
			return r, t.offScale(m.Min, m.Max)
		}
		c := t.check(m)
		if beyond {
			c.says("gate.threshold_beyond", "min", fmt.Sprintf("%g", m.Min), "max", fmt.Sprintf("%g", m.Max))
		}
		r.Checks = append(r.Checks, c)
	}
	if arms.Baseline != "" {
		if err := r.compare(arms, rules); err != nil {
			return r, err
		}
	}
	if len(r.Checks) == 0 {
		return r, problem.New(problem.Invalid, "gate_empty",
			"the release check has nothing to decide by: there is neither a baseline nor a threshold").
			WithHint("give a baseline, pin one with `workbench baseline set RUN`, or set --min 'correctness >= 4'")
	}
	for _, c := range r.Checks {
		r.Decision = stricter(r.Decision, c.Decision)
		if c.Decision != stats.Pass {
			r.Reasons = append(r.Reasons, c.Message)
		}
	}
	if arms.Exact != nil {
		r.Said, r.SaidJA = append(r.Said, arms.Exact.Text("en")), append(r.SaidJA, arms.Exact.Text("ja"))
	}
	r.doubted(arms)
	return r, nil
}

func (a GateArms) metric(id string) (GateMetric, error) {
	names := make([]string, len(a.Metrics))
	for i, m := range a.Metrics {
		if m.ID == id {
			return m, nil
		}
		names[i] = m.ID
	}
	return GateMetric{}, metricUnknown(id, a.Candidate, names)
}

// compare adds the checks against the baseline.
func (r *GateResult) compare(arms GateArms, rules GateRules) error {
	var scores []coveredBy
	for _, id := range arms.Gates {
		m, err := arms.metric(id)
		if err != nil {
			return err
		}
		margin, check := m.notWorse(rules)
		r.Checks = append(r.Checks, check)
		if rules.Margin == 0 && check.Bound != nil && !slices.Contains(r.Preset, "margin") {
			r.Preset = append(r.Preset, "margin")
		}
		r.Checks = append(r.Checks, m.slices(arms, rules, margin)...)
		own := m.counted()
		scores = append(scores, own)
		r.Questions, r.Scored = r.Questions+own.n, r.Scored+own.scored
	}
	if c, only := operationOnly(arms.Gates, rules); only {
		r.Checks = append([]GateCheck{c}, r.Checks...)
	}
	var critical []GateQuestion
	lower, open, expected := 0, 0, 0.0
	for i := range arms.Questions {
		q := arms.Questions[i]
		r.Counts.Add(q.Verdict)
		if q.open > 0 {
			open, expected = open+1, expected+q.open
		}
		if q.Verdict == NeedsCheck && q.inDoubt() == ScoredLower {
			lower++
		}
		if q.Verdict == Worse {
			r.Worse = append(r.Worse, q.GateChange)
		}
		if q.Critical {
			critical = append(critical, q)
		}
	}
	r.Checks = append(r.Checks, r.shareWorse(arms, rules, lower, open, expected))
	r.Checks = append(r.Checks, criticalCheck(critical)...)
	r.Checks = append(r.Checks, droppedCheck(arms.Dropped)...)
	unasked := 0
	for _, u := range arms.Unasked {
		unasked += u.N
	}
	r.Questions += unasked * len(arms.Gates)
	if r.Questions > 0 {
		r.Coverage = float64(r.Scored) / float64(r.Questions)
	}
	covered := r.covered(arms, rules, scores)
	if unasked > 0 { // why there is too little for the others
		r.Checks = slices.Insert(r.Checks, 0, covered)
		return nil
	}
	r.Checks = append(r.Checks, covered)
	return nil
}

// operationOnly is the check that fails to say yes where figures of operation, such as latency, are all that decides and nobody set a limit
// for them: that they did not change says nothing of the answers.
func operationOnly(gates []string, rules GateRules) (GateCheck, bool) {
	if len(gates) == 0 || slices.ContainsFunc(gates, func(id string) bool { return !metrics.OfOperation(id) || rules.hold(id) }) {
		return GateCheck{}, false
	}
	c := GateCheck{Name: "quality", Metric: gates[0], Decision: stats.Inconclusive, N: len(gates)}
	c.says("gate.operation", "metrics", listOf(gates))
	return c, true
}

// shareWorse holds the share of worse answers against the allowance. It says how many scored lower unconfirmed and how many are mixed:
// whoever reads of no worse answer must know of them. Where more answers than allowed would be worse with those that may be and have too
// few scores for that to be confirmed, the check could not have failed, and does not pass either (docs/adr/0067). These are counted by how
// likely they are worse, as far as repeated votes on others tell, and so many are expected to the nearest whole one.
func (r *GateResult) shareWorse(arms GateArms, rules GateRules, lower, open int, expected float64) GateCheck {
	n := r.Counts.Compared()
	shareOf := func(worse int) float64 { return float64(worse) / float64(max(1, n)) }
	share := shareOf(r.Counts.Worse)
	c := GateCheck{Name: "share_worse", Decision: stats.Pass, N: n, Value: &share, Bound: &rules.Allowance, Open: open}
	by := newNote("gate.limit_asked")
	if DefaultAllowance(rules.Allowance) {
		by, r.Preset = newNote("gate.limit_usual"), append(r.Preset, "allowance")
	}
	code := "gate.share_worse"
	if arms.Exact != nil {
		code += "_exact" // nothing was confirmed: that the scores are exact was only said
	}
	c.says(code, "worse", r.Counts.Worse, "n", n, "share", Percent(share), "allowed", Percent(rules.Allowance),
		"most", MostWorse(n, rules.Allowance), "by", by, "better", r.Counts.Better)
	if share > rules.Allowance {
		c.Decision = stats.Fail
	} else if expected = math.Ceil(expected - .5); shareOf(r.Counts.Worse+int(expected)) > rules.Allowance {
		c.Decision = stats.Inconclusive
	}
	others := besides(r.Counts.Worse)
	switch {
	case c.Decision == stats.Inconclusive && arms.OneScore: // what would confirm them is said once, above all checks
		c.says("gate.share_open_once", "n", open, "others", others)
	case c.Decision == stats.Inconclusive:
		c.says("gate.share_open", "n", open, "others", others, "votes", confirmedFrom)
	case lower > 0 && shareOf(r.Counts.Worse+max(lower, open)) <= rules.Allowance:
		c.says("gate.share_within", "n", lower, "others", others)
	case lower > 0:
		c.says("gate.share_lower", "n", lower, "others", others)
	case r.Counts.Worse+r.Counts.Mixed+open == 0 && r.fell():
		c.says("gate.share_small")
	}
	if r.Counts.Mixed > 0 {
		c.says("gate.share_mixed", "n", r.Counts.Mixed)
	}
	return c
}

// fell reports whether a mean surely fell by too much, by scores that are there.
func (r *GateResult) fell() bool {
	return slices.ContainsFunc(r.Checks, func(c GateCheck) bool { return c.Name == "not_worse" && c.Decision == stats.Fail && !c.Missing })
}

// Others says of answers that they are others than the worse ones named before them; nothing where there are none of these.
func Others(worse int, lang string) string {
	if worse == 0 {
		return ""
	}
	return say(lang, "gate.others", nil)
}

// besides are these words within a message.
type besides int

// Text is the words in a language.
func (worse besides) Text(lang string) string { return Others(int(worse), lang) }

// DefaultAllowance reports whether a share is the one that holds where nobody has decided on another.
func DefaultAllowance(share float64) bool { return share == DefaultGateRules().Allowance }

// MostWorse is how many of n answers may be worse where a share of them may.
func MostWorse(n int, allowance float64) int {
	most := int(allowance * float64(n))
	for float64(most+1)/float64(n) <= allowance { // as the share is compared, and not as a product is rounded
		most++
	}
	return most
}

func criticalCheck(questions []GateQuestion) []GateCheck {
	if len(questions) == 0 {
		return nil
	}
	var worse, unsure, mixed listed
	var worseIDs, unsureIDs []string
	for _, q := range questions {
		switch of := newNote("gate.of_metric", "id", questionNote(q.ID), "metric", q.decided()); q.Verdict {
		case Worse:
			worse, worseIDs = append(worse, of), append(worseIDs, q.ID)
		case NeedsCheck:
			if q.doubt().Reason == ScoredHigher && q.open == 0 {
				continue // better, or mixed, or as before: not worse
			}
			unsure, unsureIDs = append(unsure, of), append(unsureIDs, q.ID)
		case Mixed:
			mixed = append(mixed, newNote("gate.worse_in", "id", questionNote(q.ID), "metric", metricNote(q.Lost)))
		case NoChange, Better:
		}
	}
	c := GateCheck{Name: "critical", Decision: stats.Pass, N: len(questions)}
	one := ""
	if len(questions) == 1 {
		one = "_one"
	}
	switch {
	case len(worse) > 0:
		c.Decision, c.Critical = stats.Fail, worseIDs
		c.says("gate.critical_worse", "which", worse)
	case len(unsure) > 0:
		c.Decision, c.Critical = stats.Inconclusive, unsureIDs
		c.says("gate.critical_check", "which", unsure)
	case len(mixed) > 0:
		c.says("gate.critical_mixed"+one, "n", len(questions), "which", mixed)
	default:
		c.says("gate.critical_none"+one, "n", len(questions))
	}
	return []GateCheck{c}
}

// Percent is a share of a check in per cent, as every door tells it: with three digits at most, and a part looks neither like nothing nor
// like the whole.
func Percent(share float64) string {
	number := stats.Significant(math.Round(share*1e4)/100, 3)
	switch {
	case share < 1 && number == "100":
		number = "99.9"
	case share > 0 && number == "0":
		number = "< 0.01"
	}
	return number + "%"
}

var strictness = map[stats.Decision]int{stats.Pass: 0, stats.Inconclusive: 1, stats.Fail: 2}

// stricter is the decision that counts of two.
func stricter(a, b stats.Decision) stats.Decision {
	if strictness[b] > strictness[a] {
		return b
	}
	return a
}

// Blocks reports whether the candidate failed by scores that are there, and not only because others are missing.
func (r GateResult) Blocks() bool {
	return slices.ContainsFunc(r.Checks, func(c GateCheck) bool { return c.Decision == stats.Fail && !c.Missing })
}

// Unasked is how many questions one of the two runs alone was asked, because the other was over a part of the dataset.
func (r GateResult) Unasked() (n int) {
	for _, c := range r.Checks {
		n += c.Unasked
	}
	return n
}

// Outcome is what a gate means for whoever waits for it: the command line makes exit codes of it, clients exceptions.
type Outcome string

// The outcomes of a gate.
const (
	OutcomePass         Outcome = "pass"
	OutcomeFail         Outcome = "fail"
	OutcomeIncomplete   Outcome = "incomplete" // so much is missing that nothing else is said
	OutcomeInconclusive Outcome = "inconclusive"
)

// leastCoverage is the coverage under which a gate says that work is missing rather than what it found.
const leastCoverage = 0.95

// Outcome is the outcome. A failure by scores that are there comes before scores that are missing.
func (r GateResult) Outcome() Outcome {
	switch {
	case r.Blocks():
		return OutcomeFail
	case r.Coverage < leastCoverage:
		return OutcomeIncomplete
	case r.Decision == stats.Fail:
		return OutcomeFail
	case r.Decision == stats.Inconclusive:
		return OutcomeInconclusive
	}
	return OutcomePass
}

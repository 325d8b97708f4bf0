package compare

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// judgedItem is a question of a gate with its verdict; "" where there is none.
type judgedItem struct {
	GateItem
	Label Label
}

// gateArms are n questions of correctness with these differences between candidate and baseline; NaN is a missing score.
func gateArms(diffs []float64, change func(i int, item *judgedItem)) GateArms {
	m := GateMetric{ID: "correctness", Min: 1, Max: 5}
	arms := GateArms{Baseline: "old", Candidate: "new", Gates: []string{"correctness"}}
	for i, d := range diffs {
		item := judgedItem{GateItem{ID: fmt.Sprintf("q%d", i), Paired: true, Before: 4, After: 4 + d}, NoChange}
		if math.IsNaN(d) {
			item.After, item.Label = math.NaN(), ""
		}
		if change != nil {
			change(i, &item)
		}
		item.Compared, item.Mixed = item.Label != "", item.Label == Mixed
		m.Items = append(m.Items, item.GateItem)
		if item.Compared {
			arms.Questions = append(arms.Questions,
				GateQuestion{GateChange: GateChange{ID: item.ID, Metric: "correctness", Baseline: item.Before, Candidate: item.After,
					Critical: item.Critical}, Verdict: item.Label, Lost: "trust", gain: (item.After - item.Before) / 4})
		}
	}
	arms.Metrics = []GateMetric{m}
	return arms
}

// around draws n differences with a mean and a standard deviation of 0.35 of the scale, exactly.
func around(n int, mean float64) []float64 {
	r := rand.New(rand.NewPCG(uint64(n), 4))
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	m, sd := stats.Mean(out), math.Sqrt(stats.Variance(out, 1))
	for i := range out {
		out[i] = mean + 4*0.35*(out[i]-m)/sd
	}
	return out
}

func repeat(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

// missing is diffs without the first n scores.
func missing(diffs []float64, n int) []float64 {
	diffs = slices.Clone(diffs)
	for i := range n {
		diffs[i] = math.NaN()
	}
	return diffs
}

func gated(t *testing.T, arms GateArms, rules GateRules) GateResult {
	t.Helper()
	r, err := Gate(arms, rules)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func checkOf(t *testing.T, r GateResult, name string) GateCheck {
	t.Helper()
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %q in %+v", name, r.Checks)
	return GateCheck{}
}

func TestGateDecides(t *testing.T) {
	t.Parallel()
	fixed := DefaultGateRules()
	fixed.Margin = 0.05
	worse := func(n int, critical bool) func(int, *judgedItem) {
		return func(i int, item *judgedItem) {
			if i < n {
				item.Label, item.Critical = Worse, critical
			}
		}
	}
	cases := []struct {
		name   string
		arms   GateArms
		rules  GateRules
		want   stats.Decision
		reason string
		blocks bool
	}{
		{"nothing changed", gateArms(repeat(100, 0), nil), DefaultGateRules(), stats.Pass, "", false},
		{"better", gateArms(around(200, 0.5), nil), DefaultGateRules(), stats.Pass, "", false},
		{"noise among many", gateArms(around(500, 0), nil), fixed, stats.Pass, "", false},
		{"noise among few", gateArms(around(50, 0), nil), fixed, stats.Inconclusive, "About 303 questions", false},
		{"clearly worse", gateArms(around(200, -0.8), nil), fixed, stats.Fail, "The mean of correctness fell by 0.8", true},
		{"one question", gateArms(repeat(1, 0), nil), fixed, stats.Inconclusive, "too few", false},
		{"a critical question", gateArms(repeat(200, 0), worse(1, true)), fixed, stats.Fail,
			"critical questions are worse: q0 (correctness)", true},
		{"a critical question in doubt", gateArms(repeat(200, 0), func(i int, item *judgedItem) {
			if i == 7 {
				item.Label, item.Critical = NeedsCheck, true
			}
		}), fixed, stats.Inconclusive, "need a check: q7", false},
		{"2% worse", gateArms(repeat(200, 0), worse(4, false)), fixed, stats.Pass, "", false},
		{"more than 2% worse", gateArms(repeat(200, 0), worse(5, false)), fixed, stats.Fail,
			"5 of 200 answers (2.5%) are confirmed as worse", true},
		{"1% missing", gateArms(missing(repeat(200, 0), 2), nil), fixed, stats.Pass, "", false},
		{"3% missing", gateArms(missing(repeat(200, 0), 6), nil), fixed, stats.Inconclusive, "194 of 200 questions have a score", false},
		{"15% missing", gateArms(missing(repeat(200, 0), 30), nil), fixed, stats.Fail, "worst value for 30 missing", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := gated(t, c.arms, c.rules)
			if r.Decision != c.want || !strings.Contains(strings.Join(r.Reasons, "\n"), c.reason) || r.Blocks() != c.blocks ||
				(len(r.Reasons) == 0) != (c.want == stats.Pass) {
				t.Errorf("%s, blocks %t: %q", r.Decision, r.Blocks(), r.Reasons)
			}
		})
	}
}

// TestMarginFollowsWhatCanBeSeen between one and two usual margins, where the usual one would decide otherwise.
func TestMarginFollowsWhatCanBeSeen(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]float64{30: 0.10, 153: 0.0704, 500: 0.05, 5000: 0.05} { // 2.486 * 0.35 / sqrt(n)
		c := checkOf(t, gated(t, gateArms(around(n, -0.05), nil), DefaultGateRules()), "not_worse")
		if got := -*c.Bound / 4; math.Abs(got-want) > 1e-3 {
			t.Errorf("n = %d: margin %.4f of the scale, want %.4f", n, got, want)
		}
	}
}

func TestGateOfLessIsBetter(t *testing.T) {
	t.Parallel()
	arms := gateArms(around(200, 0.8), nil)
	arms.Metrics[0].LowerIsBetter = true
	if r := gated(t, arms, DefaultGateRules()); r.Decision != stats.Fail {
		t.Errorf("more where less is better: %s", r.Decision)
	}
	arms.Metrics[0].Items[0].After = math.NaN()
	if worst := arms.Metrics[0].worst(); worst != 5 {
		t.Errorf("the worst value is %v", worst)
	}
}

// TestGateClusters: questions about one document that fall together are no hundred witnesses.
func TestGateClusters(t *testing.T) {
	t.Parallel()
	diffs := make([]float64, 100)
	for i := range diffs {
		diffs[i] = []float64{-1.2, 0.3, 0.3, 0.2, 0}[i/20]
	}
	rules := DefaultGateRules()
	rules.Margin, rules.Slice = 0.01, 1000
	alone := checkOf(t, gated(t, gateArms(diffs, nil), rules), "not_worse")
	together := checkOf(t, gated(t, gateArms(diffs, func(i int, item *judgedItem) { item.Cluster = strconv.Itoa(i / 20) }), rules),
		"not_worse")
	if !(*together.Lower < *alone.Lower-0.2) || *together.Value != *alone.Value {
		t.Errorf("alone %+v, together %+v", alone, together)
	}
}

func TestGateSlices(t *testing.T) {
	t.Parallel()
	diffs := around(200, 0)
	for i := range diffs {
		diffs[i] /= 2
		if i%8 == 3 {
			diffs[i] -= 1.2
		} else {
			diffs[i] += 0.3
		}
	}
	arms := gateArms(diffs, func(i int, item *judgedItem) {
		item.Tags = []string{fmt.Sprintf("theme:%d", i%8)}
		if i < 5 {
			item.Tags = append(item.Tags, "rare")
		}
	})
	r := gated(t, arms, DefaultGateRules())
	slice := checkOf(t, r, "slice")
	if r.Decision != stats.Fail || slice.Decision != stats.Fail || !strings.Contains(slice.Message, "theme:3 by") ||
		strings.Contains(slice.Message, "theme:4") || slice.N != 8 {
		t.Errorf("%s: %+v", r.Decision, slice)
	}
	if mean := checkOf(t, r, "not_worse"); mean.Decision != stats.Pass {
		t.Errorf("the mean hides it: %+v", mean)
	}
}

// TestTagsThatFellByChanceAreNamed: three of seventeen answers of a tag got worse. That is too few to fail, and not "none is worse".
func TestTagsThatFellByChanceAreNamed(t *testing.T) {
	t.Parallel()
	diffs := repeat(39, 0)
	diffs[0], diffs[1], diffs[2] = -4, -4, -1
	arms := gateArms(diffs, func(i int, item *judgedItem) {
		item.Tags = []string{map[bool]string{true: "importance:medium", false: "importance:high"}[i < 17]}
	})
	slice := checkOf(t, gated(t, arms, DefaultGateRules()), "slice")
	for said, wants := range map[string][]string{
		slice.Message:   {"none of 2 tags", "clearly worse", "chance", "importance:medium by 0.529 (n = 17)"}, // 9/17
		slice.MessageJA: {"2個のタグ", "明らかに", "偶然", "importance:medium（0.529の悪化、17問）"},
	} {
		for _, want := range wants {
			if !strings.Contains(said, want) {
				t.Errorf("no %q in %q", want, said)
			}
		}
	}
	if slice.Decision != stats.Pass || strings.Contains(slice.Message, "importance:high") {
		t.Errorf("%+v", slice)
	}
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]stats.Decision{
		"correctness >= 4": stats.Pass, "correctness>4": stats.Fail, "correctness <= 4.0": stats.Pass, "correctness < 4": stats.Fail,
		"correctness >= 4.01": stats.Fail,
	} {
		rules := DefaultGateRules()
		th, err := ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		rules.Thresholds = []Threshold{th}
		arms := gateArms(repeat(50, 0), nil)
		arms.Baseline = ""
		if r := gated(t, arms, rules); r.Decision != want || len(r.Checks) != 1 {
			t.Errorf("%s: %s %+v", text, r.Decision, r.Checks)
		}
	}
	for _, text := range []string{"", "correctness", "correctness = 4", ">= 4", "correctness >= high", "correctness >= NaN",
		"correctness => 4"} {
		if _, err := ParseThreshold(text); problem.CodeOf(err) != "threshold" {
			t.Errorf("%q: %v", text, err)
		}
	}
	rules := DefaultGateRules()
	rules.Thresholds = []Threshold{{"correctness", ">=", 3.99}}
	arms := gateArms(append(repeat(49, 0), math.NaN()), nil)
	if c := checkOf(t, gated(t, arms, rules), "threshold"); c.Decision != stats.Fail || !c.Missing {
		t.Errorf("a missing score counts as the worst one: %+v", c)
	}
	rules.Thresholds = []Threshold{{"speed", ">=", 1}}
	if _, err := Gate(arms, rules); problem.CodeOf(err) != "metric_unknown" {
		t.Errorf("an unknown metric: %v", err)
	}
	if _, err := Gate(GateArms{Candidate: "new"}, DefaultGateRules()); problem.CodeOf(err) != "gate_empty" {
		t.Errorf("nothing to decide by: %v", err)
	}
}

// TestGateErrorRates: a change of twice the margin seldom passes, and no change seldom fails.
func TestGateErrorRates(t *testing.T) {
	t.Parallel()
	passes, fails := 0, 0
	rules := DefaultGateRules()
	rules.Margin = 0.05
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		same, less := make([]float64, 200), make([]float64, 200)
		for i := range same {
			same[i], less[i] = 4*0.35*r.NormFloat64(), 4*(0.35*r.NormFloat64()-0.10)
		}
		if gated(t, gateArms(less, nil), rules).Decision == stats.Pass {
			passes++
		}
		if gated(t, gateArms(same, nil), rules).Decision == stats.Fail {
			fails++
		}
	}
	t.Logf("of 300: %d passed although worse by 0.10, %d failed although equal", passes, fails)
	if passes > 3 || fails > 3 {
		t.Errorf("%d of 300 passed although worse by 0.10, %d failed although equal", passes, fails)
	}
}

func TestGateOfFiles(t *testing.T) {
	t.Parallel()
	b, c := filesWithNoise(120, 5, 7, 33, 61, 90)
	got := gated(t, FileGate(comparedFiles(t, b, c, FileRules{})), DefaultGateRules())
	if got.Decision != stats.Fail || got.Outcome() != OutcomeFail || len(got.Worse) != 4 || got.Coverage != 1 {
		t.Errorf("%s %q", got.Decision, got.Reasons)
	}
	b, c = filesWithNoise(120, 6)
	got = gated(t, FileGate(comparedFiles(t, b, c, FileRules{})), DefaultGateRules())
	if got.Decision != stats.Pass || got.Outcome() != OutcomePass {
		t.Errorf("equal files: %s %q", got.Decision, got.Reasons)
	}
	c.Items = c.Items[:100]
	got = gated(t, FileGate(comparedFiles(t, b, c, FileRules{})), DefaultGateRules())
	if got.Decision != stats.Fail || got.Outcome() != OutcomeIncomplete || math.Abs(got.Coverage-100.0/120) > 1e-9 {
		t.Errorf("a sixth missing: %s, %s, coverage %v, %q", got.Decision, got.Outcome(), got.Coverage, got.Reasons)
	}
	rules := DefaultGateRules()
	rules.Thresholds = []Threshold{{"points", ">", 100}}
	if got := gated(t, TableGate(c), rules); got.Decision != stats.Pass || got.Baseline != "" {
		t.Errorf("one file: %s %q", got.Decision, got.Reasons)
	}
}

// TestGateOfComparedRuns leaves out what was reworded and counts errors as missing.
func TestGateOfComparedRuns(t *testing.T) {
	t.Parallel()
	rows, after := evaltest.Table{}, evaltest.Table{}
	for i := range 12 {
		id := fmt.Sprintf("q%d", i+1)
		rows[id], after[id] = map[string]float64{"correctness": 4}, map[string]float64{"correctness": 4}
	}
	after["q1"] = map[string]float64{"correctness": 1}
	baseline, candidate := evaltest.Evaluation(t, "b", rows), evaltest.Evaluation(t, "c", after)
	candidate.Questions[1].Text = "asks something else"
	candidate.Questions[0].Critical = true
	candidate.Results[2].Scores[0].State = "error"
	comparison := compared(t, baseline, candidate)
	r := gated(t, RunGate(comparison, baseline, candidate, DefaultGateRules()), DefaultGateRules())
	if r.Questions != 11 || r.Scored != 10 || len(r.Worse) != 1 || r.Worse[0].ID != "q1" || checkOf(t, r, "critical").
		Decision != stats.Fail {
		t.Errorf("%+v", r)
	}
}

// TestGateAndComparisonCountTheSameGroups: where questions have evidence, or none has and they have themes, the gate's error is that of
// the comparison's interval, and a single theme of losses does not pass as many independent answers.
func TestGateAndComparisonCountTheSameGroups(t *testing.T) {
	t.Parallel()
	rows, after := evaltest.Table{}, evaltest.Table{}
	for i := range 40 {
		id := fmt.Sprintf("q%d", i+1)
		rows[id] = map[string]float64{"correctness": 4}
		after[id] = map[string]float64{"correctness": []float64{4, 5, 4, 3}[i/10]}
	}
	for name, mark := range map[string]func(q *experiments.Question, i int){
		"themes": func(q *experiments.Question, i int) { q.Tags = []string{fmt.Sprintf("theme:%d", i/10)} },
		"evidence": func(q *experiments.Question, i int) {
			q.Evidence = []experiments.Evidence{{Span: rag.Span{DocID: fmt.Sprint(i / 10)}}}
		},
		"neither": func(*experiments.Question, int) {},
	} {
		baseline, candidate := evaltest.Evaluation(t, "b", rows), evaltest.Evaluation(t, "c", after)
		for i := range baseline.Questions {
			for _, e := range []experiments.Evaluation{baseline, candidate} {
				e.Questions[i].Evidence, e.Questions[i].Tags = nil, nil
				mark(&e.Questions[i], i)
			}
		}
		comparison := compared(t, baseline, candidate)
		arms := RunGate(comparison, baseline, candidate, DefaultGateRules())
		groups := map[string]bool{}
		for _, item := range arms.Metrics[0].Items {
			groups[item.Cluster] = true
		}
		want := comparison.Metrics["correctness"].Clusters
		if got := len(groups); name == "neither" && (got != 1 || want != 0) || name != "neither" && (got != 4 || want != 4) {
			t.Errorf("%s: the gate has %d groups, the comparison %d", name, got, want)
		}
		mean := checkOf(t, gated(t, arms, DefaultGateRules()), "not_worse")
		if (mean.Decision == stats.Pass) != (name == "neither") {
			t.Errorf("%s: %s: %s", name, mean.Decision, mean.Message)
		}
	}
}

// TestAPartIsNotTheWhole: a run over a part of the questions passes no gate against a run over all of them, on whichever side it stands;
// two runs over the same part do, and so do questions that a later dataset no longer has.
func TestAPartIsNotTheWhole(t *testing.T) {
	t.Parallel()
	rows := evaltest.Table{}
	for i := range 12 {
		rows[fmt.Sprintf("q%d", i+1)] = map[string]float64{"correctness": 4, "trust": 5}
	}
	few := []string{"q1", "q2", "q3"}
	whole := func(id string) experiments.Evaluation { return evaltest.Evaluation(t, id, rows) }
	part := func(id string) experiments.Evaluation {
		e := evaltest.Evaluation(t, id, rows, few...)
		e.Run.Setup.Questions = few
		return e
	}
	for name, c := range map[string]struct {
		baseline, candidate experiments.Evaluation
		unasked             int
	}{
		"candidate": {whole("b"), part("c"), 9}, "baseline": {part("b"), whole("c"), 9}, "both": {part("b"), part("c"), 0},
		"none": {whole("b"), whole("c"), 0}, "a later dataset": {whole("b"), evaltest.Evaluation(t, "c", rows, few...), 0},
	} {
		r := gated(t, RunGate(compared(t, c.baseline, c.candidate), c.baseline, c.candidate, DefaultGateRules()), DefaultGateRules())
		check := checkOf(t, r, "coverage")
		named := map[string]string{"candidate": "because the candidate (c) was over a part",
			"baseline": "because the baseline (b) was over a part"}[name]
		if !strings.Contains(check.Message, named) || named != "" && (len(check.Partial) != 1 || string(check.Partial[0]) != name) {
			t.Errorf("%s: %s names no run %q", name, check.Message, named)
		}
		if r.Unasked() != c.unasked || (c.unasked > 0) != (r.Outcome() == OutcomeIncomplete) || (c.unasked > 0) !=
			strings.Contains(check.Message, "9 questions were asked in one run only") {
			t.Errorf("%s: %s, unasked %d, %s", name, r.Outcome(), r.Unasked(), check.Message)
		}
		if each := fmt.Sprintf("of %d", r.Questions/2); c.unasked > 0 && strings.Count(check.Message, each) < 2 { // of two metrics
			t.Errorf("%s: the metrics do not add up to %d: %s", name, r.Questions, check.Message)
		}
	}
}

// TestGateTellsTheWholeChange: where mixed questions count as nothing lost, the change that people see elsewhere stands beside the one that
// decides, in every outcome; and a critical question that is mixed is named as that and not called not worse.
func TestGateTellsTheWholeChange(t *testing.T) {
	t.Parallel()
	for _, shift := range []float64{-2, -0.1, 0, 1} {
		for _, mixed := range []int{0, 1, 3} {
			arms := gateArms(around(40, shift), nil)
			m, all := &arms.Metrics[0], 0.0
			for i := range m.Items {
				item := &m.Items[i]
				if item.Critical = i == 0; i < mixed {
					item.Mixed, item.After = true, item.Before-3
				}
				all += (item.After - item.Before) / 40
			}
			for i := range arms.Questions {
				if arms.Questions[i].Critical = i == 0; i < mixed {
					arms.Questions[i].Verdict = Mixed
				} else {
					arms.Questions[i].Verdict = NoChange
				}
			}
			r := gated(t, arms, DefaultGateRules())
			c, critical := checkOf(t, r, "not_worse"), checkOf(t, r, "critical")
			said := "The mean of correctness " + movedBy(all).Text("en") + " (40 questions)"
			told := strings.Contains(c.Message, said)
			decides := strings.Contains(c.Message, " as 0, and by that it "+movedBy(*c.Value).Text("en")+". Allowing") // its bounds follow
			if !told || (c.Whole != nil) != (mixed > 0) || decides != (mixed > 0) ||
				!strings.Contains(c.Message, "of 100 such comparisons)") {
				t.Errorf("%v, %d mixed: %s lacks %q", shift, mixed, c.Message, said)
			}
			if strings.Contains(critical.Message, "mixed") != (mixed > 0) ||
				strings.Contains(critical.Message, "(worse in trust)") != (mixed > 0) ||
				mixed > 0 && strings.Contains(critical.Message, "not worse") {
				t.Errorf("%d mixed: %s", mixed, critical.Message)
			}
		}
	}
}

// TestGateLooksAtWhatRulesName: what a gate says is the same, whether only the metrics that it looks at have items or all of them.
func TestGateLooksAtWhatRulesName(t *testing.T) {
	t.Parallel()
	was, is := evaltest.Table{}, evaltest.Table{}
	for i := range 40 {
		id := fmt.Sprintf("q%d", i+1)
		was[id] = map[string]float64{"correctness": 4, "trust": 5, "faithfulness": .9, "context_recall": .5}
		is[id] = map[string]float64{"correctness": 4 - float64(i%3), "trust": 5, "faithfulness": .8, "context_recall": .7}
	}
	b, c := evaltest.Evaluation(t, "b", was), evaltest.Evaluation(t, "c", is)
	comparison := compared(t, b, c)
	rules, all := DefaultGateRules(), DefaultGateRules()
	rules.Thresholds = []Threshold{{"context_recall", ">=", .6}}
	for _, spec := range c.Run.Setup.Suite {
		all.Thresholds = append(all.Thresholds, Threshold{spec.ID, ">=", 0})
	}
	some, whole := RunGate(comparison, b, c, rules), RunGate(comparison, b, c, all)
	for k, m := range some.Metrics {
		looked := m.ID == "context_recall" || slices.Contains(some.Gates, m.ID)
		if looked && (len(m.Items) != 40 || !reflect.DeepEqual(m, whole.Metrics[k])) || !looked && len(m.Items) > 0 {
			t.Errorf("%s has %d items, and %d where all are looked at", m.ID, len(m.Items), len(whole.Metrics[k].Items))
		}
	}
	if i := slices.IndexFunc(whole.Metrics, func(m GateMetric) bool { return m.ID == "faithfulness" }); len(whole.Metrics[i].Items) != 40 {
		t.Errorf("a metric that a threshold names has %d items", len(whole.Metrics[i].Items))
	}
	if got, want := gated(t, some, rules), gated(t, whole, rules); !reflect.DeepEqual(got, want) {
		t.Errorf("the gate says %+v, of all metrics %+v", got, want)
	}
	alone, want := gated(t, EvaluationGate(c, rules), rules), gated(t, EvaluationGate(c, all), rules)
	if !reflect.DeepEqual(alone, want) {
		t.Errorf("by itself the gate says %+v, of all metrics %+v", alone, want)
	}
}

func TestJUnit(t *testing.T) {
	t.Parallel()
	arms := gateArms(around(50, 0), func(i int, item *judgedItem) {
		if i == 0 {
			item.ID, item.Label, item.Critical = "q<0>&\"\x01", Worse, true
		}
	})
	r := gated(t, arms, DefaultGateRules())
	for _, strict := range []bool{false, true} {
		var b bytes.Buffer
		if err := r.WriteJUnit(&b, "en", strict); err != nil {
			t.Fatal(err)
		}
		var suite junitSuite
		if err := xml.Unmarshal(b.Bytes(), &suite); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		failures, skipped := 0, 0
		for _, c := range suite.Cases {
			if c.Failure != nil {
				failures++
			}
			if c.Skipped != nil {
				skipped++
			}
			if c.Name == "" || c.Class == "" {
				t.Errorf("a case without a name: %+v", c)
			}
		}
		if suite.Tests != len(suite.Cases) || suite.Failures != failures || suite.Skipped != skipped || failures == 0 ||
			strict && skipped > len(r.Worse)+len(r.NeedsCheck) {
			t.Errorf("strict %t: %d cases, %d failures, %d skipped\n%s", strict, len(suite.Cases), failures, skipped, b.String())
		}
		if !strings.Contains(b.String(), "q&lt;0&gt;&amp;") {
			t.Errorf("the id is not escaped:\n%s", b.String())
		}
	}
}

// TestNoWorseAnswerIsAPassedTest: whatever allowance there is, a worse answer fails where it made a check fail, and is skipped where it is
// allowed, as is one that needs a check; the properties count the questions by verdict.
func TestNoWorseAnswerIsAPassedTest(t *testing.T) {
	t.Parallel()
	for worse := range 6 {
		for _, critical := range []bool{false, true} {
			arms := gateArms(repeat(100, 0), func(i int, item *judgedItem) {
				if item.Critical = critical && i == 0; i < worse {
					item.Label = Worse
				} else if i < worse+3 {
					item.Label = NeedsCheck
				}
			})
			r := gated(t, arms, DefaultGateRules()) // 2 of 100
			for lang, allowed := range map[string]string{"en": "the release check allows this many", "ja": "許容される件数の範囲内"} {
				var b bytes.Buffer
				if err := r.WriteJUnit(&b, lang, false); err != nil {
					t.Fatal(err)
				}
				var suite junitSuite
				if err := xml.Unmarshal(b.Bytes(), &suite); err != nil {
					t.Fatal(err)
				}
				answers := map[string]int{}
				for _, c := range suite.Cases {
					if c.Class == "workbench.gate" {
						continue
					}
					answers[c.Class]++
					fails := c.Class == "workbench.worse" && (worse > 2 || critical && strings.HasPrefix(c.Name, "q0 "))
					if (c.Failure != nil) != fails || (c.Skipped != nil) == fails ||
						c.Class == "workbench.worse" && !fails && !strings.Contains(c.Skipped.Message, allowed) {
						t.Errorf("%d worse, critical %t: %+v", worse, critical, c)
					}
				}
				counts := map[string]int{}
				for _, p := range suite.Counts {
					counts[p.Name] = p.Value
				}
				if answers["workbench.worse"] != worse || answers["workbench.needs_check"] != 3 || counts["worse"] != worse ||
					counts["needs_check"] != 3 || counts["no_change"] != 97-worse {
					t.Errorf("%d worse: %v, %v", worse, answers, counts)
				}
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	arms := gateArms(repeat(100, 0), func(i int, item *judgedItem) {
		if i < 30 {
			item.Label = Worse
		}
		if i == 0 {
			item.ID = "a|b\n@team <img src=x> [x](http://evil.example) `c` #12 **d**"
		}
	})
	var b strings.Builder
	if err := gated(t, arms, DefaultGateRules()).WriteMarkdown(&b, "en"); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, wrong := range []string{"@team", "<img", "](http", "#12 ", "**d**", "`c`"} {
		if strings.Contains(strings.ReplaceAll(got, "### ", ""), wrong) {
			t.Errorf("%q is not escaped:\n%s", wrong, got)
		}
	}
	if !strings.HasPrefix(got, "### Release check: ❌ FAIL\n") || !strings.Contains(got, "10 more; `--json` lists them all.") ||
		!strings.Contains(got, "Worse answers: 30") {
		t.Errorf("%s", got)
	}
	bars := regexp.MustCompile(`(^|[^\\])\|`)
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "| ") && len(bars.FindAllString(line, -1)) != 4 && len(bars.FindAllString(line, -1)) != 6 {
			t.Errorf("a row with other cells: %s", line)
		}
	}
}

package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/problem"
)

// scores builds a score file: for each id, for each metric, the scores of its replicates.
func scores(file string, metrics []string, rows ...scoreRow) *foreign.ScoreTable {
	t := &foreign.ScoreTable{File: file, Metrics: metrics}
	for i, r := range rows {
		item := foreign.ScoredItem{ID: r.id, Row: i + 2, Critical: r.critical, Tags: r.tags,
			Scores: make([][]float64, len(metrics)), Votes: 1}
		for m, votes := range r.votes {
			item.Scores[m], item.Votes = votes, max(item.Votes, len(votes))
		}
		t.Repeated = t.Repeated || item.Votes > 1
		t.Items = append(t.Items, item)
	}
	return t
}

type scoreRow struct {
	id       string
	critical bool
	tags     []string
	votes    [][]float64
}

func row(id string, votes ...[]float64) scoreRow { return scoreRow{id: id, votes: votes} }

func one1(v float64) []float64 { return []float64{v} }

func comparedFiles(t testing.TB, b, c *foreign.ScoreTable, rules FileRules) FileComparison {
	t.Helper()
	got, err := CompareScores(b, c, rules)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func labelsByID(c FileComparison, metric string) map[string]Label {
	out := map[string]Label{}
	for _, q := range c.Questions {
		if q.Metric == metric {
			out[q.ID] = q.Label
		}
	}
	return out
}

func TestOneScoreProvesNothing(t *testing.T) {
	t.Parallel()
	metrics := []string{"correctness", "hallucination", "mine"}
	b := scores("old.csv", metrics, row("q1", one1(5), one1(0), one1(0.9)), row("q2", one1(3), one1(0.4), one1(0.5)),
		row("q3", one1(2), one1(0), one1(1)))
	c := scores("new.csv", metrics, row("q3", one1(4), one1(0.1), one1(0.85)), row("q2", one1(3), one1(0.1), one1(0.2)),
		row("q1", one1(4), one1(0.3), one1(0.9)))
	got := comparedFiles(t, b, c, FileRules{})
	for metric, want := range map[string]map[string]Label{
		"correctness":   {"q1": NeedsCheck, "q2": NoChange, "q3": NeedsCheck},
		"hallucination": {"q1": NeedsCheck, "q2": NeedsCheck, "q3": NoChange},
		"mine":          {"q1": NoChange, "q2": NeedsCheck, "q3": NoChange},
	} {
		if diff := cmp.Diff(want, labelsByID(got, metric)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", metric, diff)
		}
	}
	settled := comparedFiles(t, b, c, FileRules{Deterministic: true, Lower: []string{"mine"}})
	for metric, want := range map[string]map[string]Label{
		"correctness":   {"q1": Worse, "q2": NoChange, "q3": Better},
		"hallucination": {"q1": Worse, "q2": Better, "q3": NoChange}, // less is better, by the catalogue
		"mine":          {"q1": NoChange, "q2": Better, "q3": NoChange},
	} {
		if diff := cmp.Diff(want, labelsByID(settled, metric)); diff != "" {
			t.Errorf("deterministic %s (-want +got):\n%s", metric, diff)
		}
	}
	if first := settled.Questions[0]; first.ID != "q1" || first.Label != Worse || len(settled.Only(Worse)) != 2 {
		t.Errorf("the worst is %+v of %d", first, len(settled.Only(Worse)))
	}
	finer := comparedFiles(t, b, c, FileRules{Deltas: map[string]float64{"correctness": 2}, Metrics: []string{"correctness"}})
	if diff := cmp.Diff(map[string]Label{"q1": NoChange, "q2": NoChange, "q3": NeedsCheck}, labelsByID(finer, "correctness")); diff != "" ||
		len(finer.Metrics) != 1 {
		t.Errorf("delta 2 (-want +got):\n%s", diff)
	}
}

// filesWithNoise is two files of n questions with three replicates: correctness whose votes move by one level with
// probability 0.1, a share, a yes or no, and a number without a scale; the planted questions fall in all of them.
func filesWithNoise(n int, seed uint64, planted ...int) (b, c *foreign.ScoreTable) {
	truth, noise := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(seed, 2))
	var rows [2][]scoreRow
	for i := range n {
		level, share, pass, size := float64(3+truth.IntN(3)), 0.6+0.1*float64(truth.IntN(5)), truth.IntN(10) > 1, 100+50*truth.Float64()
		for arm := range 2 {
			if arm == 1 && slices.Contains(planted, i) {
				level, share, pass, size = level-2, share-0.5, false, size-60
			}
			votes := make([][]float64, 4)
			for range 3 {
				v := level
				if noise.Float64() < 0.1 {
					v = min(5, max(1, v+float64(2*noise.IntN(2)-1)))
				}
				votes[0] = append(votes[0], v)
				votes[1] = append(votes[1], min(1, max(0, share+0.03*noise.NormFloat64())))
				yes := pass != (noise.Float64() < 0.03)
				votes[2] = append(votes[2], map[bool]float64{true: 1}[yes])
				votes[3] = append(votes[3], size+3*noise.NormFloat64())
			}
			rows[arm] = append(rows[arm], scoreRow{id: fmt.Sprintf("q%04d", i), votes: votes})
		}
	}
	metrics := []string{"correctness", "overlap", "passed", "points"}
	return scores("old.csv", metrics, rows[0]...), scores("new.csv", metrics, rows[1]...)
}

func TestReplicatesDecide(t *testing.T) {
	t.Parallel()
	planted := []int{7, 33, 61, 90}
	b, c := filesWithNoise(120, 5, planted...)
	got := comparedFiles(t, b, c, FileRules{})
	wantScale := map[string]string{"correctness": "ordinal", "overlap": "unit", "passed": "binary", "points": "other"}
	for _, m := range got.Metrics {
		if m.Scale != wantScale[m.ID] || m.N != 120 || m.CI95 == nil || m.Visible == nil || m.NoiseFloor == nil || m.Note == "" {
			t.Errorf("%+v", m)
		}
		worse := 0
		for _, q := range got.Questions {
			if q.Metric != m.ID || q.Label != Worse {
				continue
			}
			worse++
			if i := 0; m.ID != "" {
				_, _ = fmt.Sscanf(q.ID, "q%d", &i)
				if !slices.Contains(planted, i) {
					t.Errorf("%s of %s was not planted and is %s %s", m.ID, q.ID, q.Label, q.Detail)
				}
			}
			if m.ID != "points" && (q.PRegression == nil || *q.PRegression < 0.8) {
				t.Errorf("%s of %s is worse with probability %v", m.ID, q.ID, q.PRegression)
			}
		}
		least := map[string]int{"correctness": 4, "overlap": 4, "passed": 2, "points": 4}[m.ID] // some planted ones did not pass before
		if worse < least || worse != m.Counts.Worse {
			t.Errorf("%s: %d worse, counted %d, at least %d were planted", m.ID, worse, m.Counts.Worse, least)
		}
	}
	if m := got.Metrics[3]; m.Method != "paired_tests" || !strings.Contains(m.Note, "larger than repeated scores of one answer") ||
		m.Delta < 5 || m.Delta > 9 {
		t.Errorf("points: %+v", m) // 1.645 sqrt(2) 3 = 7
	}
}

// TestEqualFilesAreCalm looks at twenty pairs of equal systems.
func TestEqualFilesAreCalm(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("computes for long, and starts nothing that other tests do not start too")
	}
	worse, checks := 0, 0
	for seed := range uint64(20) {
		b, c := filesWithNoise(100, 100+seed)
		for _, m := range comparedFiles(t, b, c, FileRules{}).Metrics {
			worse, checks = worse+m.Counts.Worse, checks+m.Counts.NeedsCheck
		}
	}
	t.Logf("80 equal columns of 100 questions: %d worse, %d need a check", worse, checks)
	if worse > 4 || checks > 80 {
		t.Errorf("%d rows are called worse and %d need a check in 80 columns where nothing changed", worse, checks)
	}
}

func TestWhatScoresLookLike(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, metric string
		scores       []float64
		kind         string
		min, max     float64
		lower        bool
	}{
		{"yes or no", "mine", []float64{0, 1, 1}, "binary", 0, 1, false},
		{"levels", "mine", []float64{1, 2, 5}, "ordinal", 1, 5, false},
		{"share", "mine", []float64{0, 0.5, 1}, "unit", 0, 1, false},
		{"percent", "mine", []float64{0, 50, 100}, "other", 0, 100, false},
		{"negative", "mine", []float64{-1, 1}, "other", -1, 1, false},
		{"rubric", "trust", []float64{1, 5, 3}, "ordinal", 1, 5, false},
		{"mean rubric", "trust", []float64{1, 4.5}, "unit", 1, 5, false},
		{"rubric as a share", "trust", []float64{0.2, 0.8}, "unit", 0, 1, false},
		{"share of the catalogue", "noise_sensitivity", []float64{0.2, 0}, "unit", 0, 1, true},
		{"yes or no of the catalogue", "contradiction", []float64{1, 0}, "binary", 0, 1, true},
		{"time", "latency", []float64{0.2, 3}, "other", 0.2, 3, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := scaleFor(c.metric, spreadOf([]cell{{before: c.scores, after: c.scores}}), FileRules{})
			if s.kind != c.kind || s.spec.Min != c.min || s.spec.Max != c.max || s.spec.LowerIsBetter != c.lower || s.note == "" {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Without repeated scores nobody knows the noise: what moved by a size that the baseline's scores give needs a check.
func TestLeastChangeWithoutReplicates(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	var b, c []scoreRow
	for i := range 400 {
		v := 500 + 100*r.Float64()
		after := v + 10*r.NormFloat64()
		if i < 4 {
			after -= 200
		}
		b, c = append(b, row(strconv.Itoa(i), one1(v))), append(c, row(strconv.Itoa(i), one1(after)))
	}
	got := comparedFiles(t, scores("b", []string{"points"}, b...), scores("c", []string{"points"}, c...), FileRules{})
	m := got.Metrics[0]
	if m.Method != "one_score" || math.Abs(m.Delta-.05*.9*100) > .3 || !strings.Contains(m.Note,
		"scores from 338.2 to 619.1 fit no known scale; more is better; without repeated scores") {
		t.Errorf("%+v", m)
	}
	for i, q := range got.Questions[:4] {
		if q.Label != NeedsCheck || q.Baseline-q.Candidate < 150 {
			t.Errorf("place %d: %+v", i, q)
		}
	}
}

func TestFilesThatFitOnlyInPart(t *testing.T) {
	t.Parallel()
	b := scores("old.csv", []string{"mine", "gone", "half"}, row("q1", one1(1), one1(1), nil), row("q2", one1(0), one1(1), one1(1)),
		row("q9", one1(0), one1(1), one1(1)))
	c := scores("new.csv", []string{"half", "mine", "fresh"}, row("q1", one1(1), one1(1), one1(1)), row("q2", nil, one1(0), one1(0)),
		row("q3", nil, one1(0), one1(0)))
	c.Text = []string{"gone"}
	got := comparedFiles(t, b, c, FileRules{Higher: []string{"mine"}})
	want := []FileExclusion{
		{"gone", "the column holds no scores in new.csv", "new.csvの列にスコアがありません"},
		{"fresh", "old.csv has no such column", "old.csvに列がありません"},
		{"half", "no question is scored in both files", "両方のファイルで採点された質問がありません"},
	}
	if diff := cmp.Diff(want, got.Excluded); diff != "" {
		t.Errorf("excluded (-want +got):\n%s", diff)
	}
	if got.Matched != 2 || !slices.Equal(got.Added, []string{"q3"}) || !slices.Equal(got.Removed, []string{"q9"}) ||
		len(got.Warnings) != 2 || len(got.WarningsJA) != 2 {
		t.Errorf("matched %d, added %v, removed %v, warnings %q", got.Matched, got.Added, got.Removed, got.Warnings)
	}
	for name, other := range map[string]*foreign.ScoreTable{
		"no_common_questions": scores("new.csv", []string{"mine"}, row("x", one1(1))),
		"no_common_metrics":   scores("new.csv", []string{"other"}, row("q1", one1(1))),
		"no_common_scores":    scores("new.csv", []string{"mine"}, row("q1", nil)),
	} {
		_, err := CompareScores(b, other, FileRules{})
		if p := problem.From(err); p == nil || p.Kind != problem.NotComparable || p.Code != name || p.Hint == "" ||
			!strings.Contains(p.Message, "new.csv") {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if _, err := CompareScores(b, c, FileRules{Metrics: []string{"minne"}}); problem.CodeOf(err) != "metric_unknown" {
		t.Errorf("a metric that is nowhere: %v", err)
	}
}

// TestFileComparisonJSON pins the names that scripts read.
func TestFileComparisonJSON(t *testing.T) {
	t.Parallel()
	b, c := filesWithNoise(60, 9, 4)
	got := comparedFiles(t, b, c, FileRules{Metrics: []string{"correctness"}})
	got.Questions = got.Only(Worse)
	body, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Baseline, Candidate string
		Matched             int
		Questions           []map[string]any
	}
	if err := json.Unmarshal(body, &read); err != nil {
		t.Fatal(err)
	}
	if read.Baseline != "old.csv" || read.Candidate != "new.csv" || read.Matched != 60 || len(read.Questions) != 1 {
		t.Fatalf("%s", body)
	}
	q := read.Questions[0]
	if q["id"] != "q0004" || q["metric"] != "correctness" || q["label"] != "worse" || q["detail"] != "CONFIRMED" ||
		q["p_regression"].(float64) < 0.9 ||
		q["baseline"].(float64) <= q["candidate"].(float64) {
		t.Errorf("%v", q)
	}
	labels := []Label{Worse, NeedsCheck, NoChange, Better}
	if diff := cmp.Diff([]Label{"worse", "needs_check", "no_change", "better"}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func BenchmarkCompareScores(b *testing.B) {
	before, after := filesWithNoise(10_000, 1, 1, 2, 3)
	for b.Loop() {
		if _, err := CompareScores(before, after, FileRules{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestOnlyMixedListsWhatIsMixed: no metric alone is mixed, so the changes of mixed questions are listed, without those that did not move.
func TestOnlyMixedListsWhatIsMixed(t *testing.T) {
	t.Parallel()
	c := FileComparison{
		Verdicts: []QuestionVerdict{{QuestionID: "a", Verdict: Mixed}, {QuestionID: "b", Verdict: Worse}},
		Questions: []FileChange{
			{ID: "a", Metric: "x", Label: Worse}, {ID: "a", Metric: "y", Label: Better}, {ID: "a", Metric: "z", Label: NoChange},
			{ID: "b", Metric: "x", Label: Worse},
		},
	}
	if got := c.Only(Mixed); len(got) != 2 || got[0].Metric != "x" || got[1].Metric != "y" {
		t.Errorf("%+v", got)
	}
	if got := c.Only(Worse); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestNothingIsCalledWorseWhereNobodyKnowsTheDirection: whatever settles the scores, a column of which it is not known whether more or
// less is better has changes to look at and none that are worse, better or expected to be so.
func TestNothingIsCalledWorseWhereNobodyKnowsTheDirection(t *testing.T) {
	t.Parallel()
	for _, votes := range []int{1, 3} {
		for _, deterministic := range []bool{false, true} {
			var tables [2]*foreign.ScoreTable
			for side := range tables {
				text := "id,replicate,helpfulness,size\n"
				for i := range 30 {
					for vote := range votes {
						size := 80 + vote
						if side == 1 && i < 6 {
							size = 20 + vote
						}
						text += fmt.Sprintf("q%d,%d,4,%d\n", i, vote, size)
					}
				}
				tables[side] = scoresOf(t, text)
			}
			c, err := CompareScores(tables[0], tables[1], FileRules{Deterministic: deterministic})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(c.Metrics, func(m FileMetric) bool { return m.ID == "size" })
			m := c.Metrics[at]
			if !m.Undirected || m.Counts != (LabelCounts{NeedsCheck: 6, NoChange: 24}) || m.CheckWorse+m.CheckBetter > 0 ||
				m.ExpectedFalse+m.ExpectedMiss > 0 {
				t.Errorf("%d votes, deterministic %t: %+v", votes, deterministic, m)
			}
			for _, q := range c.Questions {
				if q.Metric == "size" && (q.PRegression != nil || q.P != nil || q.Label == Worse || q.Label == Better) {
					t.Errorf("%d votes, deterministic %t: %+v", votes, deterministic, q)
				}
			}
		}
	}
}

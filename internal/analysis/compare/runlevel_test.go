package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// shifted is two settled runs of n questions; the candidate's correctness differs by shift(i).
func shifted(t testing.TB, n int, shift func(i int) float64) (b, c experiments.Evaluation) {
	t.Helper()
	before, after := evaltest.Table{}, evaltest.Table{}
	var ids []string
	for i := range n {
		ids = append(ids, id(i))
		before[id(i)] = map[string]float64{"correctness": 3}
		after[id(i)] = map[string]float64{"correctness": 3 + shift(i)}
	}
	return evaltest.Evaluation(t, "b", before, ids...), evaltest.Evaluation(t, "c", after, ids...)
}

// TestQuestionsAboutOneDocument uses an interval that is robust to documents, and differs from the naive one.
func TestQuestionsAboutOneDocument(t *testing.T) {
	t.Parallel()
	b, c := shifted(t, 40, func(i int) float64 { return float64(i/10%2) * 0.5 })
	for i := range c.Questions {
		evidence := []experiments.Evidence{{Span: rag.Span{DocID: fmt.Sprint("doc", i/10), End: 9}}}
		b.Questions[i].Evidence, c.Questions[i].Evidence = evidence, evidence
	}
	got := compared(t, b, c)
	m := got.Metrics["correctness"]
	var diffs []float64
	var clusters []int
	for i := range 40 {
		diffs, clusters = append(diffs, float64(i/10%2)*0.5), append(clusters, i/10)
	}
	want, err := stats.ClusterRobust(diffs, clusters, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if m.Clusters != 4 || math.Abs(m.CI95[0]-want.Low) > 1e-12 || math.Abs(*m.P-want.P) > 1e-12 || got.Method.Interval != "cluster_t" {
		t.Errorf("%+v, want %+v", m, want)
	}
	if m.CI95[0] > 0 {
		t.Errorf("two of four documents moved: the interval %v must not exclude 0", *m.CI95)
	}
	if m.Improved != 0.5 || m.Worsened != 0 || m.Shift() != 0.5 || math.Abs(*m.Visible-2.8015852*want.SE) > 1e-6 {
		t.Errorf("%+v", m)
	}
	for i := range c.Questions { // themes stand in for documents
		b.Questions[i].Evidence, c.Questions[i].Evidence = nil, nil
		c.Questions[i].Tags = []string{"theme:" + strconv.Itoa(i/10)}
	}
	if m := compared(t, b, c).Metrics["correctness"]; m.Clusters != 4 {
		t.Errorf("by theme: %+v", m)
	}
	if said := compared(t, b, c).Method.Explanation[0].Text("en"); !strings.Contains(said, "4 groups of questions of the same theme") ||
		strings.Contains(said, "about the same source document") {
		t.Errorf("themes are called source documents: %s", said)
	}
}

func TestSlices(t *testing.T) {
	t.Parallel()
	b, c := shifted(t, 120, func(i int) float64 {
		noise := float64(i*7%5-2) * 0.2
		if i%6 == 0 {
			return noise - 1
		}
		return noise + 0.4
	})
	for i := range c.Questions {
		c.Questions[i].Tags = []string{fmt.Sprint("theme:", i%6), "all"}
		if i < 5 {
			c.Questions[i].Tags = append(c.Questions[i].Tags, "rare")
		}
	}
	got := compared(t, b, c)
	s := got.Metrics["correctness"].Slices
	if len(s) != 6 || s[0].P > 0.05 {
		t.Fatalf("slices %+v", s)
	}
	found := false
	for _, x := range s {
		found = found || x.Tag == "theme:0" && x.Diff < -0.9 && x.P < 0.05 && x.N == 20
	}
	if !found {
		t.Errorf("theme:0 is not found: %+v", s)
	}
	warned := false
	for _, w := range got.Warnings {
		warned = warned || w.Code == "warn.slice_reversal" && w.Params["tag"] == "theme:0"
	}
	if !warned {
		t.Errorf("no warning of theme:0 that fell while the mean rose: %v", got.Warnings)
	}
}

// TestSignReversal warns when the runs' own means say the opposite of the questions that both were asked.
func TestSignReversal(t *testing.T) {
	t.Parallel()
	b, c := shifted(t, 20, func(int) float64 { return -0.5 })
	for i := range 20 { // twenty easy questions that only the candidate has
		q, r := c.Questions[i], c.Results[i]
		q.ID, q.Text = "new"+q.ID, "new "+q.Text
		r.QuestionID = q.ID
		r.Scores = append(r.Scores[:0:0], r.Scores...)
		r.Scores[0].Value = 5
		c.Questions, c.Results = append(c.Questions, q), append(c.Results, r)
	}
	got := compared(t, b, c)
	i := -1
	for k, w := range got.Warnings {
		if w.Code == "warn.sign_reversal" {
			i = k
		}
	}
	if i < 0 || got.Warnings[i].Params["raw"] != "+0.75" || got.Warnings[i].Params["matched"] != "-0.5" {
		t.Errorf("%v", got.Warnings)
	}
}

// TestJudgeDrift tells the judge's part of a difference from the system's.
func TestJudgeDrift(t *testing.T) {
	t.Parallel()
	b, c := shifted(t, 60, func(i int) float64 {
		if i%2 == 0 {
			return -0.2 + float64(i%4)*0.01 // unchanged answers, judged more strictly
		}
		return 0.1
	})
	b.Run.Setup.Settled = false
	for i := range c.Results {
		b.Results[i].Answer = &rag.Answer{Generation: rag.Generation{Text: "same"}}
		c.Results[i].Answer = &rag.Answer{Generation: rag.Generation{Text: "same"}}
		if i%2 == 1 {
			c.Results[i].Answer.Text = "other"
		}
	}
	got := compared(t, b, c)
	d := got.Metrics["correctness"].Drift
	if d == nil || d.From != FromUnchanged || d.N != 30 || math.Abs(d.Judge+0.19) > 1e-9 && math.Abs(d.Judge+0.2) > 0.02 ||
		math.Abs(d.Judge+d.System-got.Metrics["correctness"].Diff) > 1e-12 || d.P > 0.01 {
		t.Fatalf("%+v", d)
	}
	if w := got.Warnings[0]; w.Code != "warn.judge_drift" || !strings.Contains(w.Text("en"), "judge -0.") ||
		!strings.Contains(w.Text("ja"), "評価モデル -0.") {
		t.Errorf("%v", got.Warnings)
	}
	anchors := &Anchors{Before: b.Results[:20], Now: b.Results[:20]}
	with, err := CompareWith(b, c, Options{Anchors: anchors})
	if err != nil {
		t.Fatal(err)
	}
	if d := with.Metrics["correctness"].Drift; d == nil || d.From != FromAnchors || d.Judge != 0 || d.N != 20 || d.P != 1 {
		t.Errorf("anchors that did not move: %+v", d)
	}
	for i := range c.Results { // both runs used the same stored replies: nothing was judged anew
		b.Results[i].Scores[0].Stages, c.Results[i].Scores[0].Stages = []string{"s"}, []string{"s"}
	}
	if d := compared(t, b, c).Metrics["correctness"].Drift; d != nil {
		t.Errorf("drift from equal replies: %+v", d)
	}
}

// TestRenamedQuestions matches questions by text where a new version of the dataset numbers them anew.
func TestRenamedQuestions(t *testing.T) {
	t.Parallel()
	b, c := shifted(t, 10, func(i int) float64 { return -float64(i) / 10 })
	for i := range c.Questions { // q0000 becomes q0001 and so on: every id but one is taken by another question
		c.Questions[i].ID, c.Results[i].QuestionID = id(i+1), id(i+1)
		c.Questions[i].Text = "  " + strings.ToUpper(c.Questions[i].Text)
	}
	got := compared(t, b, c)
	if got.Matched != 10 || len(got.Renamed) != 10 || len(got.Added)+len(got.Removed)+len(got.Reworded) != 0 ||
		got.Renamed[0] != (Renaming{id(0), id(1)}) {
		t.Fatalf("%+v", got)
	}
	if q := changeOf(t, got, id(10), "correctness"); q.BaselineID != id(9) || q.InBaseline() != id(9) || math.Abs(q.Candidate-2.1) > 1e-9 {
		t.Errorf("%+v", q)
	}
}

// TestWordsAreComplete fills every phrase in both languages with the same parameters.
func TestWordsAreComplete(t *testing.T) {
	t.Parallel()
	names := func(s string) map[string]bool {
		found := map[string]bool{}
		for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
			found[m[1]] = true
		}
		return found
	}
	for key, both := range words {
		en, ja := names(both[0]), names(both[1])
		if key == "title" {
			continue
		}
		if fmt.Sprint(en) != fmt.Sprint(ja) {
			t.Errorf("%s: parameters %v in English, %v in Japanese", key, en, ja)
		}
		if both[0] == "" || both[1] == "" {
			t.Errorf("%s has no words in one language", key)
		}
	}
	if got := (Note{Code: "unknown.code"}).Text("en"); got != "unknown.code" {
		t.Errorf("an unknown code reads %q", got)
	}
}

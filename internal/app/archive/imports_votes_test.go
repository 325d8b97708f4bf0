package archive

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
)

// TestRepetitionsOfAFileAreVotes: what a tool asked three times has three votes here, by both routes: means are those of all votes, the
// noise between them is known, and the questions that fell in all of them are worse and need no check.
func TestRepetitionsOfAFileAreVotes(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	const n, fallen, votes = 20, 4, 3
	export := func(name string, worse int) string {
		var b strings.Builder
		b.WriteString("user_input,response,reference,faithfulness\n")
		for vote := range votes {
			for i := range n {
				score := []string{"0.9", "0.95", "0.9"}[(vote+i)%3]
				if i < worse {
					score = []string{"0.1", "0.2", "0.1"}[(vote+i)%3]
				}
				if i == n-1 && vote > 0 {
					continue // one question was asked once
				}
				fmt.Fprintf(&b, "How long is way %d?,%s says %d in words %d.,It is %d.,%s\n", i, name, i, vote, i, score)
			}
		}
		return w.Write(t, name+".csv", b.String())
	}
	files := [2]string{export("before", 0), export("after", fallen)}
	var runs [2]string
	for i, name := range []string{"before", "after"} {
		for range 2 { // again changes nothing
			got, err := w.ImportResults(t.Context(), files[i], app.ResultsOptions{Name: name})
			const said = "19 questions are asked in several lines, up to 3; each of these 57 lines is a vote of its question"
			if err != nil || got.Answers != n || !strings.Contains(strings.Join(got.Notes, "\n"), said) {
				t.Fatalf("%+v, %v", got, err)
			}
			runs[i] = got.RunID
		}
		e, err := experiments.LoadEvaluation(t.Context(), w.Store, runs[i])
		if err != nil || len(e.Results) != n*votes-2 {
			t.Fatalf("%d votes, %v", len(e.Results), err)
		}
	}
	c, _, err := w.Compare(t.Context(), runs[0], runs[1])
	if err != nil {
		t.Fatal(err)
	}
	m := c.Metrics["ragas.faithfulness"]
	if c.Counts["ragas.faithfulness"].Worse != fallen || c.VerdictCounts.Worse != fallen || m.Guard == nil || m.Guard.Noise <= 0 {
		t.Errorf("%+v, %+v, guard %+v", c.Counts, c.VerdictCounts, m.Guard)
	}
	if q := c.Questions[0]; q.Replicates != [2]int{votes, votes} || q.Baseline < .91 || q.Baseline > .92 {
		t.Errorf("the mean of the votes does not count: %+v", q)
	}
	var tables [2]*foreign.ScoreTable
	for i, file := range files {
		if tables[i], err = foreign.ReadScores(file, foreign.ForeignOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := compare.CompareScores(tables[0], tables[1], compare.FileRules{})
	if err != nil || f.VerdictCounts != c.VerdictCounts || f.Metrics[0].Candidate != m.Candidate {
		t.Errorf("as files %+v, as runs %+v, %v", f.VerdictCounts, c.VerdictCounts, err)
	}
	path := filepath.Join(w.Dir, "votes.zip")
	if _, err := Export(t.Context(), w.Workbench, path, "test"); err != nil {
		t.Fatal(err)
	}
	if v, err := VerifyStudy(t.Context(), path, Verifier{Version: "test", Now: apptest.SteadyClock()}); err != nil || !v.Equal {
		t.Errorf("%+v, %v", v, err)
	}
	if found, err := w.Whole.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	paid, err := w.ImportResults(t.Context(), files[0], app.ResultsOptions{Name: "paid", Model: "openai/judge-1"})
	if err != nil || paid.RunID != "" || !strings.Contains(strings.Join(paid.Notes, "\n"), "workbench runs replicate RUN -n 2") {
		t.Errorf("%+v, %v", paid, err)
	}
}

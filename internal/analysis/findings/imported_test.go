package findings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// file is an evaluation as an import makes it: nothing of ours scored, and the setup names the offline judge all the same. A question
// whose place is in empty has no score of the last metric; ours adds correctness and trust of ours.
func file(id string, tools []string, empty []int, ours bool, at float64) experiments.Evaluation {
	const n = 6
	e := experiments.Evaluation{Run: experiments.Run{ID: id, Kind: experiments.KindEvaluate, State: experiments.Finished}}
	e.Run.Setup = experiments.Setup{Offline: true, LowScore: 2, Judge: metrics.DefaultJudge(),
		Config: rag.Config{Log: &rag.LogRef{Name: id, Version: 1, Digest: id}}}
	for _, tool := range tools {
		e.Run.Setup.Suite = append(e.Run.Setup.Suite, metrics.Imported([]rag.LoggedAnswer{{Scores: []rag.LoggedScore{
			{Metric: tool + ".faithfulness", Max: 1}, {Metric: tool + ".answer_relevancy", Max: 1}}}})...)
	}
	for i := range n {
		q := experiments.Question{ID: fmt.Sprintf("q%d", i), Text: "What?", Answerable: true}
		e.Questions = append(e.Questions, q)
		r := experiments.Result{QuestionID: q.ID, Answer: &rag.Answer{Generation: rag.Generation{Text: id + q.ID}}}
		for k, s := range e.Run.Setup.Suite {
			score := metrics.Score{Metric: s.ID, State: metrics.Scored, Value: at + float64(i)/20}
			if slices.Contains(empty, i) && k == len(e.Run.Setup.Suite)-1 {
				score = metrics.Score{Metric: s.ID, State: metrics.Errored, Reason: metrics.ImportNaN}
			}
			r.Scores = append(r.Scores, score)
		}
		if ours {
			for _, metric := range []string{"correctness", "trust"} {
				r.Scores = append(r.Scores, metrics.Score{Metric: metric, State: metrics.Scored, Value: 5})
			}
		}
		e.Results = append(e.Results, r)
	}
	if ours {
		for _, metric := range []string{"correctness", "trust"} {
			s, _ := metrics.Find(metric)
			e.Run.Setup.Suite = append(e.Run.Setup.Suite, s)
		}
	}
	return e
}

// TestImportsClaimNothing that their files do not say: whose scores they are, that low scores cannot be told, that settings are not known,
// and that a score is missing in the file. Files of one tool and of several, with and without empty cells and scores of ours.
func TestImportsClaimNothing(t *testing.T) {
	t.Parallel()
	for _, tools := range [][]string{{"ragas"}, {"promptfoo"}, {"ragas", "deepeval"}} {
		for _, empty := range [][]int{nil, {0}, {1, 5}} {
			for _, ours := range []bool{false, true} {
				name := fmt.Sprint(tools, empty, ours)
				before, after := file("april", tools, nil, ours, .5), file("may", tools, empty, ours, .3)
				alone := Of(Input{Candidate: after})
				if got := len(after.Run.Setup.Tools()); got != map[bool]int{false: len(tools)}[ours] {
					t.Errorf("%s: %d tools alone scored", name, got)
				}
				if alone.Offline != ours || ScoredBy(after.Run.Setup).EN == "" != ours {
					t.Errorf("%s: the offline judge scored: %v", name, alone.Offline)
				}
				for _, tool := range tools {
					said, want := alone.Judge.Text, metrics.ToolOf(tool+".")
					if !strings.Contains(said.EN, want) || !strings.Contains(said.JA, want) {
						t.Errorf("%s: whose scores: %+v", name, said)
					}
				}
				untold := alone.Low.Untold
				if (untold.EN == "") != ours || (alone.NoChange().Code == "recommend.good") != ours || alone.Causes.Known != ours {
					t.Errorf("%s: low scores: %+v; to change: %s", name, untold, alone.NoChange().EN)
				}
				if !ours && (!strings.Contains(untold.EN, "q0 (0.3), q1 (0.35), q2 (0.4).") || !strings.Contains(untold.JA, "q0（0.3）")) {
					t.Errorf("%s: the lowest: %+v", name, untold)
				}
				if len(alone.Worst) != 2 || alone.Worst[0].QuestionID != "q0" || alone.Worst[1].QuestionID != "q1" {
					t.Errorf("%s: an empty cell counts as a bad score: %+v", name, alone.Worst)
				}

				c, err := compare.CompareWith(before, after, compare.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, class := range c.Triage {
					if class.Class == compare.RuntimeError {
						t.Errorf("%s: an empty cell is an error while running: %+v", name, class)
					}
				}
				for _, w := range c.Warnings {
					if w.Code == "warn.sign_reversal" {
						t.Errorf("%s: the questions did not change: %s", name, w.Text("en"))
					}
				}
				both := Of(Input{Comparison: &c, Baseline: &before, Candidate: after})
				if len(both.Changed) == 0 || both.Changed[0].Code != "changed.imported" {
					t.Errorf("%s: what changed: %+v", name, both.Changed)
				}
			}
		}
	}
}

// TestSamePassagesWhereThereAre: that answers rest on the same passages is said only where the files hold passages, and answers that did
// not change fell by their scoring alone.
func TestSamePassagesWhereThereAre(t *testing.T) {
	t.Parallel()
	for _, held := range []bool{false, true} {
		before, after := file("april", []string{"ragas"}, nil, false, .9), file("may", []string{"ragas"}, nil, false, .2)
		for _, e := range []experiments.Evaluation{before, after} {
			for i := range e.Results {
				a := &rag.Answer{Generation: rag.Generation{Text: "Two days."}}
				if held {
					a.Hits = []rag.Hit{{Text: "It takes two days."}}
				}
				e.Results[i].Answer = a
			}
		}
		c, err := compare.CompareWith(before, after, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := Of(Input{Comparison: &c, Baseline: &before, Candidate: after})
		var en, ja []string
		for _, s := range append([]Text{found.Headline}, found.Sentences...) {
			en, ja = append(en, s.EN), append(ja, s.JA)
		}
		if found.Headline.Code != "head.same_fell" {
			t.Errorf("passages %t: an answer is said to have fallen: %s", held, found.Headline.EN)
		}
		if told := strings.Join(en, " "); strings.Contains(told, "from the same passages") != held ||
			!strings.Contains(told, "are the same") || strings.Contains(strings.Join(ja, " "), "参照箇所も") != held {
			t.Errorf("passages %t: %s", held, told)
		}
	}
}

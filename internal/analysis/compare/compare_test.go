package compare

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

func TestLabels(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name              string
		metric            string
		before, after     float64
		unsettledB, other bool // baseline, candidate not settled
		lower             bool
		want              Label
	}{
		{"one point down", "correctness", 4, 3, false, false, false, Worse},
		{"one point up", "correctness", 3, 4, false, false, false, Better},
		{"equal", "correctness", 3, 3, false, false, false, NoChange},
		{"exactly delta down", "faithfulness", 0.8, 0.6, false, false, false, Worse},
		{"exactly delta up", "faithfulness", 0.6, 0.8, false, false, false, Better},
		{"exactly delta in binary noise", "faithfulness", 0.3, 0.1, false, false, false, Worse},
		{"below delta", "faithfulness", 0.8, 0.61, false, false, false, NoChange},
		{"above delta", "faithfulness", 0.8, 0.59, false, false, false, Worse},
		{"below one point", "trust", 5, 4.5, false, false, false, NoChange},
		{"baseline not settled", "correctness", 4, 1, true, false, false, NeedsCheck},
		{"candidate not settled", "correctness", 4, 1, false, true, false, NeedsCheck},
		{"not settled upwards", "correctness", 1, 5, true, true, false, NeedsCheck},
		{"not settled, below delta", "faithfulness", 0.5, 0.6, true, true, false, NoChange},
		{"not settled, equal", "correctness", 2, 2, true, true, false, NoChange},
		{"lower is better, up", "faithfulness", 0.2, 0.5, false, false, true, Worse},
		{"lower is better, down", "faithfulness", 0.5, 0.2, false, false, true, Better},
		{"lower is better, exactly delta", "faithfulness", 0.2, 0.4, false, false, true, Worse},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			baseline, candidate := evaltest.One(t, "b", c.metric, c.before), evaltest.One(t, "c", c.metric, c.after)
			baseline.Run.Setup.Settled, candidate.Run.Setup.Settled = !c.unsettledB, !c.other
			if c.lower {
				baseline = withSuite(baseline, func(s *metrics.Spec) { s.LowerIsBetter = s.ID == c.metric })
				candidate = withSuite(candidate, func(s *metrics.Spec) { s.LowerIsBetter = s.ID == c.metric })
			}
			got := compared(t, baseline, candidate)
			var want LabelCounts
			want.add(c.want)
			if diff := cmp.Diff(map[string]LabelCounts{c.metric: want}, got.Counts); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			var changes []QuestionChange
			if c.before != c.after {
				became := (c.metric == "correctness" || c.metric == "trust") && c.before > 2 && c.after <= 2
				row := QuestionChange{QuestionID: "q1", Metric: c.metric, Baseline: c.before, Candidate: c.after, Label: c.want,
					BecameLow: became, Replicates: [2]int{1, 1}}
				row.Detail = map[Label]Detail{Worse: Confirmed, Better: Improved, NoChange: NoRegression, NeedsCheck: Unresolved}[c.want]
				if !c.unsettledB && !c.other {
					row.SettledBy = ByOneVote
				}
				changes = []QuestionChange{row}
			}
			if diff := cmp.Diff(changes, got.Questions, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
			change := got.Metrics[c.metric]
			if change.Baseline != c.before || change.Candidate != c.after || change.Diff != c.after-c.before || change.N != 1 ||
				change.CI95 != nil {
				t.Errorf("metric %+v", change)
			}
		})
	}
}

func TestExcludedMetrics(t *testing.T) {
	t.Parallel()
	row := evaltest.Table{"q1": {"correctness": 3, "trust": 3, "hit": 1, "answer_similarity": 0.5}}
	cases := []struct {
		name     string
		change   func(*experiments.Evaluation)
		excluded map[string]string // metric → words that the reason holds
	}{
		{"version", func(e *experiments.Evaluation) {
			*e = withSuite(*e, func(s *metrics.Spec) {
				if s.ID == "trust" {
					s.Version = "2"
				}
			})
		}, map[string]string{"trust": "version 1 in the baseline, 2 in the candidate"}},
		{"only in the baseline", func(e *experiments.Evaluation) {
			e.Run.Setup.Suite = slices.DeleteFunc(e.Run.Setup.Suite, func(s metrics.Spec) bool { return s.ID == "hit" })
		}, map[string]string{"hit": "only the baseline"}},
		{"only in the candidate", func(e *experiments.Evaluation) {
			e.Run.Setup.Suite = append(e.Run.Setup.Suite, metrics.Spec{ID: "noise", Version: "1"})
		}, map[string]string{"noise": "only the candidate"}},
		{
			"judge model", func(e *experiments.Evaluation) { e.Run.Setup.Judge.Name = "gpt" },
			map[string]string{"correctness": "offline/gpt", "trust": "judged by offline/lexical"},
		},
		{
			"judge provider", func(e *experiments.Evaluation) { e.Run.Setup.Judge.Provider = "openai" },
			map[string]string{"correctness": "openai/lexical", "trust": "openai/lexical"},
		},
		{
			"embedder", func(e *experiments.Evaluation) { e.Run.Setup.Judge.Embedding.Name = "hash" },
			map[string]string{"answer_similarity": "embedded by offline/ngram in the baseline, by offline/hash"},
		},
		{"the language of reasons is no difference", func(e *experiments.Evaluation) { e.Run.Setup.Judge.ExplainLang = "ja" }, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			candidate := evaltest.Evaluation(t, "c", row)
			c.change(&candidate)
			got := compared(t, evaltest.Evaluation(t, "b", row), candidate)
			why := map[string]string{}
			for _, x := range got.Excluded {
				why[x.Metric] = x.Why
			}
			for metric, words := range c.excluded {
				if !strings.Contains(why[metric], words) {
					t.Errorf("%s is left out because %q, want %q", metric, why[metric], words)
				}
			}
			for metric := range row["q1"] {
				_, compared := got.Metrics[metric]
				if _, excluded := c.excluded[metric]; compared == excluded {
					t.Errorf("%s: compared %t, excluded %t", metric, compared, excluded)
				}
			}
			// Metrics without a value in either run are named too, and have neither mean nor counts.
			if why["mrr"] != "no question was scored in both runs" {
				t.Errorf("mrr: %q", why["mrr"])
			}
			if _, there := got.Counts["mrr"]; there {
				t.Error("mrr has counts")
			}
		})
	}
}

func TestQuestionsAreMatched(t *testing.T) {
	t.Parallel()
	row := map[string]float64{"correctness": 4, "hit": 1}
	low := map[string]float64{"correctness": 1, "hit": 0}
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": row, "q2": row, "q3": row, "q4": row, "q5": row, "gone": row},
		"q1", "gone", "q2",
		"q3", "q4", "q5")
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": low, "q2": low, "q3": low, "q4": low, "q5": low, "new": low},
		"new", "q5", "q4",
		"q3", "q2", "q1")
	candidate.Questions[5].Evidence = []experiments.Evidence{{Span: rag.Span{DocID: "other"}}} // q1
	candidate.Questions[4].Text = "asks something else"                                        // q2
	candidate.Questions[3].Reference = "has another answer"                                    // q3
	candidate.Questions[2].Answerable = false                                                  // q4
	got := compared(t, baseline, candidate)
	if diff := cmp.Diff([][]string{{"new"}, {"gone"}, {"q2"}, {"q3", "q4"}},
		[][]string{got.Added, got.Removed, got.Reworded, got.ReferenceChanged}); diff != "" {
		t.Errorf("added, removed, reworded (-want +got):\n%s", diff)
	}
	if got.Matched != 2 || got.LowBefore != 0 || got.LowAfter != 2 {
		t.Errorf("%d matched, low %d → %d", got.Matched, got.LowBefore, got.LowAfter)
	}
	want := map[string]LabelCounts{"correctness": {Worse: 2},
		"hit": {Worse: 1}} // other evidence of q1: hit is measured against another target
	if diff := cmp.Diff(want, got.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].String(), "evidence of 1 question") {
		t.Errorf("warnings %q", got.Warnings)
	}
}

func TestNotComparable(t *testing.T) {
	t.Parallel()
	base := evaltest.One(t, "run-b", "correctness", 3)
	cases := []struct {
		name   string
		change func(*experiments.Evaluation)
		code   string
	}{
		{"other questions", func(e *experiments.Evaluation) { e.Questions[0].ID, e.Questions[0].Text = "q9", "another" },
			"no_common_questions"},
		{"reworded", func(e *experiments.Evaluation) { e.Questions[0].Text = "?" }, "no_common_questions"},
		{"no questions", func(e *experiments.Evaluation) { e.Questions, e.Results = nil, nil }, "no_common_questions"},
		{"other metrics", func(e *experiments.Evaluation) { e.Run.Setup.Suite = []metrics.Spec{{ID: "noise", Version: "1"}} },
			"no_common_metrics"},
		{"other versions", func(e *experiments.Evaluation) {
			*e = withSuite(*e, func(s *metrics.Spec) { s.Version = "9" })
		}, "no_common_metrics"},
		{"nothing scored", func(e *experiments.Evaluation) {
			for i := range e.Results[0].Scores {
				e.Results[0].Scores[i] = metrics.Score{Metric: e.Results[0].Scores[i].Metric, State: metrics.Errored,
					Reason: "provider_server"}
			}
		}, "no_common_scores"},
		{"other metric scored", func(e *experiments.Evaluation) { *e = evaltest.One(t, "run-c", "trust", 3) }, "no_common_scores"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			candidate := evaltest.One(t, "run-c", "correctness", 3)
			c.change(&candidate)
			for _, arms := range [][2]experiments.Evaluation{{base, candidate}, {candidate, base}} {
				_, err := CompareWith(arms[0], arms[1], Options{})
				p := problem.From(err)
				if p == nil || p.Kind != problem.NotComparable || p.Code != c.code || p.Hint == "" ||
					!strings.Contains(p.Message, "run-b") || !strings.Contains(p.Message, "run-c") {
					t.Errorf("got %+v, want code %s", p, c.code)
				}
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	full := evaltest.Table{"q1": {"correctness": 3}, "q2": {"correctness": 4}}
	cases := []struct {
		name   string
		change func(b, c *experiments.Evaluation)
		want   []string
	}{
		{"none", func(_, _ *experiments.Evaluation) {}, nil},
		{"the candidate has errors", func(_, c *experiments.Evaluation) {
			c.Run.Totals.Coverage = experiments.Coverage{Scored: 1, Applicable: 2}
		}, []string{"the candidate has 1 of 2 scores"}},
		{"the candidate asked one of two", func(_, c *experiments.Evaluation) {
			c.Run.Setup.Questions, c.Questions, c.Results = []string{"q1"}, c.Questions[:1], c.Results[:1]
		}, []string{"the candidate was over a part of its dataset: 1 question of the other run was not asked in it and is not compared"}},
		{"the baseline asked one of two", func(b, _ *experiments.Evaluation) {
			b.Run.Setup.Questions, b.Questions, b.Results = []string{"q1"}, b.Questions[:1], b.Results[:1]
		}, []string{"the baseline was over a part of its dataset: 1 question"}},
		{"both have errors", func(b, c *experiments.Evaluation) {
			b.Run.Totals.Coverage = experiments.Coverage{Scored: 7, Applicable: 8}
			c.Run.Totals.Coverage = experiments.Coverage{Scored: 0, Applicable: 8}
		}, []string{"the baseline has 7 of 8 scores", "the candidate has 0 of 8 scores"}},
		{"no totals yet", func(b, _ *experiments.Evaluation) { b.Run.Totals = nil }, nil},
		{"another dataset version", func(_, c *experiments.Evaluation) {
			c.Run.Setup.Dataset = experiments.Ref{Name: "faq", Version: 2, Digest: "d2"}
		}, []string{"different dataset versions (faq@1, faq@2)"}},
		{"an older built-in judge", func(b, c *experiments.Evaluation) {
			b.Run.Setup.Offline, c.Run.Setup.Offline, c.Run.Setup.OfflineVersion = true, true, "11"
		}, []string{"has version ≤ 10 in the baseline and 11 in the candidate"}},
		{"the same built-in judge", func(b, c *experiments.Evaluation) {
			b.Run.Setup.Offline, c.Run.Setup.Offline = true, true
			b.Run.Setup.OfflineVersion, c.Run.Setup.OfflineVersion = "11", "11"
		}, nil},
		{"another threshold", func(_, c *experiments.Evaluation) { c.Run.Setup.LowScore = 3 }, []string{"thresholds differ (2, 3)"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			baseline, candidate := evaltest.Evaluation(t, "b", full), evaltest.Evaluation(t, "c", full)
			c.change(&baseline, &candidate)
			got := compared(t, baseline, candidate).Warnings
			if len(got) != len(c.want) {
				t.Fatalf("warnings %q", got)
			}
			for i, words := range c.want {
				if !strings.Contains(got[i].String(), words) || got[i].Text("ja") == got[i].Code {
					t.Errorf("warning %q, want %q", got[i], words)
				}
			}
		})
	}
}

// TestErrorsAreNoZeros leaves questions without a score in one run out, however low the score of the other.
func TestErrorsAreNoZeros(t *testing.T) {
	t.Parallel()
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"correctness": 5}, "q2": {"correctness": 3}})
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {}, "q2": {"correctness": 3}})
	candidate.Results[0].Scores[0] = metrics.Score{Metric: "correctness", Version: "1", State: metrics.Errored, Reason: "provider_server"}
	got := compared(t, baseline, candidate)
	if m := got.Metrics["correctness"]; m.N != 1 || m.Baseline != 3 || m.Candidate != 3 || len(got.Questions) != 0 {
		t.Errorf("%+v, %+v", m, got.Questions)
	}
}

// TestComparisonJSON pins the names that scripts read.
func TestComparisonJSON(t *testing.T) {
	t.Parallel()
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"correctness": 4}, "q2": {"correctness": 3}, "q3": {"correctness": 5}})
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {"correctness": 2}, "q2": {"correctness": 3}, "q3": {"correctness": 5}})
	candidate.Questions[0].Critical = true
	only := func(s metrics.Spec) bool { return s.ID != "correctness" }
	baseline.Run.Setup.Suite, candidate.Run.Setup.Suite = slices.DeleteFunc(baseline.Run.Setup.Suite, only),
		slices.DeleteFunc(candidate.Run.Setup.Suite, only)
	body, err := json.Marshal(compared(t, baseline, candidate))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"method", "triage"} { // tested by themselves
		if got[name] == nil {
			t.Errorf("no %s", name)
		}
		delete(got, name)
	}
	for _, name := range []string{"p", "effect", "visible"} {
		figures := got["metrics"].(map[string]any)["correctness"].(map[string]any)
		if _, ok := figures[name].(float64); !ok {
			t.Errorf("%s is %v", name, figures[name])
		}
		delete(figures, name)
	}
	interval := got["metrics"].(map[string]any)["correctness"].(map[string]any)["ci95"].([]any)
	if len(interval) != 2 || interval[0].(float64) >= interval[1].(float64) {
		t.Errorf("interval %v", interval)
	}
	want := map[string]any{
		"metrics": map[string]any{"correctness": map[string]any{
			"baseline": 4.0, "candidate": 10.0 / 3, "diff": 10.0/3 - 4, "n": 3.0, "ci95": interval, "df": 2.0,
			"improved": 0.0, "worsened": 1.0 / 3,
		}},
		"questions": []any{map[string]any{
			"question_id": "q1", "metric": "correctness", "baseline": 4.0, "candidate": 2.0, "label": "worse", "became_low": true,
			"critical": true,
			"detail":   "CONFIRMED", "settled_by": "one_vote", "replicates": []any{1.0, 1.0},
		}},
		"counts":         map[string]any{"correctness": map[string]any{"worse": 1.0, "needs_check": 0.0, "no_change": 2.0, "better": 0.0}},
		"verdict_counts": map[string]any{"worse": 1.0, "mixed": 0.0, "needs_check": 0.0, "no_change": 2.0, "better": 0.0},
		"verdicts": []any{map[string]any{
			"question_id": "q1", "verdict": "worse", "critical": true, "kinds": []any{"right", "wrong"}, "transition": "right → wrong",
			"became_low": true, "detail": "CONFIRMED", "settled_by": "one_vote",
			"first": map[string]any{
				"metric": "correctness", "baseline": 4.0, "candidate": 2.0, "gain": -0.5, "movement": "fell", "crossing": "became_low",
				"detail": "CONFIRMED", "settled_by": "one_vote",
			},
		}},
		"decide_by": []any{"correctness"}, "critical_worse": 1.0, "tie_breaks": 0.0, "by_both_orders": 0.0, "by_grade_alone": 0.0,
		"undecided": []any{},
		"matched":   3.0, "added": []any{}, "removed": []any{}, "reworded": []any{}, "reference_changed": []any{}, "excluded": []any{},
		"low_before": 0.0, "low_after": 1.0, "rated_before": 3.0, "rated_after": 3.0,
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Label{"worse", "mixed", "needs_check", "no_change", "better"}, Labels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// TestWhatASearchFoundIsSettled: where only the generator or the judge may say something else, measures of the search are settled by one
// vote, and those of answers need a check.
func TestWhatASearchFoundIsSettled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*experiments.Setup)
		want   Label
	}{
		"our search":         {func(*experiments.Setup) {}, Better},
		"a model rewrites":   {func(s *experiments.Setup) { s.Config.Rewrite.Mode = "llm" }, NeedsCheck},
		"a system elsewhere": {func(s *experiments.Setup) { s.Config.Log = &rag.LogRef{} }, NeedsCheck},
	} {
		baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"correctness": 2, "hit": 0}})
		candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {"correctness": 4, "hit": 1}})
		for _, e := range []*experiments.Evaluation{&baseline, &candidate} {
			e.Run.Setup.Settled = false
			c.change(&e.Run.Setup)
		}
		got := map[string]Label{}
		for _, q := range compared(t, baseline, candidate).Questions {
			got[q.Metric] = q.Label
		}
		if got["hit"] != c.want || got["correctness"] != NeedsCheck {
			t.Errorf("%s: %v", name, got)
		}
	}
}

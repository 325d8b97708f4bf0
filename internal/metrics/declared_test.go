package metrics

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestADeclarationIsEnough declares a metric for the time of the test: every channel has it without another line of code. It is not
// parallel, so that no other test sees the metric.
func TestADeclarationIsEnough(t *testing.T) {
	before := catalogue
	t.Cleanup(func() { catalogue = before })
	catalogue = append(catalogue[:len(catalogue):len(catalogue)], metric{
		Spec: ruled("vowels", "claims", 0.1, [4]string{"Vowels", "母音", "Share of vowels.", "母音の割合。"}),
		Doc: Doc{Formula: "#{vowels} / #{letters}", Inputs: "answer, contexts", Source: "ours",
			DropEN: "The answers are mumbled.", DropJA: "回答が聞き取りにくい。"},
		standard: true, readsContexts: true, blocks: []block{answerByContexts},
		score: func(b *evaluation, _ context.Context) (Score, error) {
			return scored(float64(len(b.sample.Answer)), "counted"), nil
		},
		counts: counting{"answer", inContexts},
	})

	spec, found := Find("vowels")
	if list := Catalogue(); !found || spec != list[len(list)-1] || spec.Title("ja") != "母音" {
		t.Errorf("the catalogue has %+v, %t", spec, found)
	}
	if doc, ok := DocOf("vowels"); !ok || doc.Formula == "" {
		t.Errorf("its documentation is %+v, %t", doc, ok)
	}
	if page := Documentation(); strings.Count(page, "#{vowels} / #{letters}") != 2 || strings.Count(page, "`ndcg`, `vowels`") != 2 {
		t.Error("docs/metrics.md would not hold it in both languages, or not as one of its suite")
	}
	for _, names := range [][]string{nil, {"standard"}, {"all"}, {"vowels"}, {"compact"}} {
		specs, err := Resolve(names)
		last := specs[len(specs)-1]
		if err != nil || last.ID != "vowels" || last.Joint != (len(names) > 0 && names[0] == "compact") {
			t.Errorf("%v resolves to %+v, %v", names, last, err)
		}
	}
	if version, same := spec.Current(); version != "1" || !same {
		t.Errorf("it is computed in version %q, %t", version, same)
	}

	suite := suiteOf(t, &scripted{}, newKept(), judgeConfig("en"), "vowels")
	if !suite.wanted[answerByContexts] || suite.needsNoAnswer(spec) {
		t.Errorf("the suite wants %v", suite.wanted)
	}
	b := suite.newEvaluation(t.Context(), Sample{Answer: "aei"})
	if score, err := b.score(t.Context(), spec); err != nil || score.State != Scored || score.Value != 3 {
		t.Errorf("its score is %+v, %v", score, err)
	}
	b.sample.Hidden = rag.NoContexts
	if score, err := b.score(t.Context(), spec); err != nil || score.State != NotApplicable || score.Reason != rag.NoContexts {
		t.Errorf("without contexts it is %+v, %v", score, err)
	}

	e := &explaining{Explanation: Explanation{Claims: []ExplainedClaim{
		{Of: "answer", Number: 1, Verdicts: []ExplainedVerdict{{Against: "context", Verdict: supported}}}, {Of: "answer", Number: 2},
	}}}
	if got := e.score(Score{Metric: "vowels", State: Scored, Value: 0.5}); got.Of != "answer" || len(got.For) != 1 ||
		len(got.Against) != 1 {
		t.Errorf("it is explained by %+v", got)
	}
}

// TestEveryDeclarationIsComplete: a metric is documented, and there is exactly one way to its score.
func TestEveryDeclarationIsComplete(t *testing.T) {
	t.Parallel()
	for _, m := range catalogue {
		ways := 0
		for _, there := range []bool{m.score != nil, m.alike != nil, m.places} {
			if there {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%s has %d ways to its score", m.ID, ways)
		}
		if m.Formula == "" || m.Inputs == "" || m.Source == "" || m.DropEN == "" || m.DropJA == "" {
			t.Errorf("%s is not documented: %+v", m.ID, m.Doc)
		}
		if (m.counts.counts == nil) != (m.counts.of == "") {
			t.Errorf("%s counts claims of %q", m.ID, m.counts.of)
		}
		if m.places && m.Group != "retrieval" || m.alike != nil && m.Group != "text" {
			t.Errorf("%s is of the group %s", m.ID, m.Group)
		}
	}
}

// TestMetricsThatNeedNoAnswer: they are scored of a question whose answer failed, all others have the failure's cause.
func TestMetricsThatNeedNoAnswer(t *testing.T) {
	t.Parallel()
	alone := []string{"hit", "mrr", "ndcg", "span_coverage"}
	suite := suiteOf(t, &scripted{}, newKept(), judgeConfig("en"), append(slices.Clone(alone), "correctness", "trust", "bleu")...)
	scores, err := suite.ScoreRetrieval(t.Context(), Sample{Question: "Where?", Reference: "Here.", Answerable: true,
		Evidence: []rag.Span{{DocID: "d", Start: 0, End: 4}},
		Contexts: []rag.Hit{{Span: rag.Span{DocID: "d", Start: 0, End: 4}, Text: "Here"}}}, "provider_server")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if want := slices.Contains(alone, s.Metric); (s.State == Scored) != want || !want && s.Reason != "provider_server" {
			t.Errorf("%s: %s %q", s.Metric, s.State, s.Reason)
		}
	}
}

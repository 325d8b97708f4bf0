package metrics

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Catalogue() {
		if seen[s.ID] || s.ID == "" || s.Version == "" {
			t.Errorf("metric %q (version %q) is unnamed or there twice", s.ID, s.Version)
		}
		seen[s.ID] = true
		if s.Min >= s.Max || s.Delta <= 0 || s.Delta > s.Max-s.Min {
			t.Errorf("%s: range %g to %g, delta %g", s.ID, s.Min, s.Max, s.Delta)
		}
		if s.Title("en") == "" || s.Meaning("en") == "" || s.Title("ja") == "" || text.Language(s.Meaning("ja")) != "ja" {
			t.Errorf("%s lacks words in English or Japanese", s.ID)
		}
		if found, ok := Find(s.ID); !ok || found != s {
			t.Errorf("Find(%q) = %+v, %t", s.ID, found, ok)
		}
		if s.Group == "retrieval" && s.NeedsJudge {
			t.Errorf("%s needs no judge", s.ID)
		}
	}
	Catalogue()[0].ID = "changed"
	if Catalogue()[0].ID == "changed" {
		t.Error("a caller can change the catalogue")
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	cases := []struct{ names, want []string }{
		{nil, idsOf("standard")},
		{[]string{"standard"}, idsOf("standard")},
		{[]string{"retrieval"}, []string{"hit", "span_coverage", "fully_covered", "mrr", "ndcg"}},
		{[]string{"ndcg", "correctness", "ndcg"}, []string{"correctness", "ndcg"}},
		{[]string{"retrieval", "trust", "mrr"}, []string{"trust", "hit", "span_coverage", "fully_covered", "mrr", "ndcg"}},
	}
	for _, c := range cases {
		specs, err := Resolve(c.names)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range specs {
			got = append(got, s.ID)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.names, diff)
		}
	}
	_, err := Resolve([]string{"trust", "Trust"})
	if !strings.Contains(err.Error(), `"Trust" (did you mean "trust"?)`) || strings.Contains(problem.From(err).Hint, "context_recall") {
		t.Errorf("a mistyped metric gave %+v", err)
	}
	_, err = Resolve([]string{"trust", "cosiness"})
	p := problem.From(err)
	if p == nil || p.Kind != problem.Invalid || p.Code != "metric_unknown" || p.Params["name"] != "cosiness" ||
		!strings.Contains(p.Hint, "context_recall") || !strings.Contains(p.Hint, "retrieval") {
		t.Errorf("an unknown metric gave %+v", p)
	}
}

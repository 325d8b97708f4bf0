package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

func TestFieldsThatDiffer(t *testing.T) {
	t.Parallel()
	one := Setup{Experiment: "faq", LowScore: 2.5, Config: rag.DefaultConfig(), Judge: metrics.JudgeConfig{Model: rag.Model{Name: "a"}}}
	two, three := one, one
	two.Config.Retrieve.K, two.Judge.Name, two.Config.Chunk.Overlap = 5, "b", 100
	two.Config.Rewrite.Mode, two.Config.PostProcess = "", rag.PostModes{"truncate"}
	three.Config.Rewrite.Mode = ""
	three.Config.Endpoint = &remote.Endpoint{URL: "http://localhost/a", Headers: map[string]string{"X-Key": "${KEY}"}}
	fields := func(setups ...Setup) (list []map[string]any) {
		for _, s := range setups {
			list = append(list, s.Fields())
		}
		return list
	}
	for name, c := range map[string]struct {
		setups []Setup
		want   []string
	}{
		"by the order of an experiment file": {[]Setup{one, two},
			[]string{"chunk.overlap", "rewrite.mode", "retrieve.k", "post_process", "judge.model"}},
		"the same":             {[]Setup{one, one}, nil},
		"one":                  {[]Setup{two}, nil},
		"none":                 {nil, nil},
		"a header is not told": {[]Setup{one, three}, []string{"endpoint.url", "rewrite.mode"}},
	} {
		got := Differing(fields(c.setups...))
		got = without(got, "endpoint.method", "endpoint.name")
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
	if got := two.Fields()["retrieve.k"]; got != 5.0 {
		t.Errorf("retrieve.k is %v", got)
	}
}

func without(list []string, names ...string) (out []string) {
	for _, s := range list {
		if s != names[0] && s != names[1] {
			out = append(out, s)
		}
	}
	return out
}

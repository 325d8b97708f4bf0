package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

// TestRunsOfTheSearchAlone: two runs that score nothing of the answers are compared as searches, in words and in JSON, and the search
// that lost evidence is named worse.
func TestRunsOfTheSearchAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	for name, rewrite := range map[string]string{"whole": "none", "damaged": "damage"} {
		b.save(name+".yaml", "name: "+name+"\ncorpus: faq\ndataset: faq\nbase:\n  chunk: {by: chars, size: 60, overlap: 0}\n"+
			"  rewrite: {mode: "+rewrite+"}\n  retrieve: {mode: bm25, k: 1}\nsuite: [hit, span_coverage]\n")
		b.must("run", "{}/"+name+".yaml")
	}
	said := b.must("compare", "whole", "damaged").stdout
	if !strings.Contains(said, "Only the search was compared, not the answers.") || strings.Contains(said, "Correctness") {
		t.Errorf("%s", said)
	}
	said = b.must("compare", "whole", "damaged", "--lang", "ja").stdout
	if !strings.Contains(said, "比較したのは検索だけで、回答は比較していません。") {
		t.Errorf("%s", said)
	}
	f := jsonOf[struct {
		Findings findings.Findings `json:"findings"`
	}](t, b.must("compare", "whole", "damaged", "--json")).Findings
	if !f.Retrieval || f.Matched != 6 || f.Verdicts.Worse == 0 || f.Verdicts.Better != 0 || f.Figures[0].Metric != "hit" {
		t.Errorf("%+v, %+v", f.Verdicts, f.Figures)
	}
}

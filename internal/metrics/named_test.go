package metrics

import (
	"fmt"
	"strings"
	"testing"
)

// TestAMetricIsFoundByEveryNameItIsGiven: whatever sentences, tables and reports call a metric, in either language, finds it among others,
// and a name of two metrics finds none.
func TestAMetricIsFoundByEveryNameItIsGiven(t *testing.T) {
	t.Parallel()
	imported := []string{"ragas.answer_correctness", "ragas.faithfulness", "table.正確性_5段階", "table.helpfulness", "deepeval.bias"}
	for _, list := range [][]string{imported, CatalogueIDs()} {
		for _, id := range list {
			en, ja := titles(id)
			_, bare, _ := strings.Cut(id, ".")
			for _, name := range []string{id, strings.ToUpper(id), en, ja, bare, strings.ReplaceAll(id, "_", " ")} {
				if name == "" {
					continue
				}
				if got, ok := IDAmong(name, list); !ok || got != id {
					t.Errorf("%q finds %q, want %q", name, got, id)
				}
			}
			if said := Listed(list).String(); !strings.Contains(said, id) {
				t.Errorf("%s is not listed in %q", id, said)
			}
		}
	}
	if got, ok := IDAmong("総合一致度", imported); !ok || got != "ragas.answer_correctness" {
		t.Errorf("the name of two files finds %q", got)
	}
	if got, ok := IDAmong("正確性(5段階)", imported); !ok || got != "table.正確性_5段階" {
		t.Errorf("the name of a column finds %q", got)
	}
	for _, name := range []string{"", "…", "faith", "nothing"} {
		if got, ok := IDAmong(name, imported); ok {
			t.Errorf("%q finds %q", name, got)
		}
	}
	if got, ok := IDAmong("faithfulness", []string{"ragas.faithfulness", "deepeval.faithfulness"}); ok {
		t.Errorf("of two tools %q is found", got)
	}
	if said := fmt.Sprint(Listed([]string{"table.正確性"})); !strings.Contains(said, "table.正確性 (imported 正確性)") {
		t.Errorf("%q", said)
	}
}

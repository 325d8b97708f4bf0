package reviews

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// A category of an agreement is one that questions have: their own, or those of the question analysis where they have none.
func TestCategoriesOfAnAgreement(t *testing.T) {
	t.Parallel()
	tagged := experiments.Question{ID: "q1", Tags: []string{"category:料金"}}
	for _, c := range []struct {
		name      string
		questions []experiments.Question
		category  string
		want      string // "" where it is taken
	}{
		{"a slip", []experiments.Question{tagged}, "量金", "targets (entry 1).category is 量金; it must be one of 料金"},
		{"its own", []experiments.Question{tagged}, "料金", ""},
		{"none of the analysis where all have their own", []experiments.Question{tagged}, "multi_hop_specific", "one of 料金"},
		{"the analysis's beside them", []experiments.Question{tagged, {ID: "q2"}}, "multi_hop_specific", ""},
		{"what the documents do not answer", []experiments.Question{{ID: "q2", Answerable: true}, {ID: "q3"}}, "unanswerable", ""},
		{"of a set that they answer", []experiments.Question{{ID: "q2", Answerable: true}}, "unanswerable", "multi_hop_abstract"},
		{"of tagged questions alone", []experiments.Question{tagged, {ID: "q2", Answerable: true}}, "unanswerable", "multi_hop_abstract"},
		{"a slip of the analysis's", []experiments.Question{{ID: "q2"}}, "multihop", "multi_hop_abstract"},
	} {
		a := experiments.Agreement{Targets: []experiments.Target{{Category: c.category}}}
		err := categorised(a, &experiments.Dataset{Questions: c.questions})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

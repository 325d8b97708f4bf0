package experiments

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestQuestionsOfResults: results in the order of the dataset have its own questions, which is half of what two runs would hold of them;
// those in another order, of which some are not in it, have theirs, and the dataset stays as it is.
func TestQuestionsOfResults(t *testing.T) {
	t.Parallel()
	dataset := []Question{{ID: "a", Text: "A?"}, {ID: "b", Text: "B?"}, {ID: "c", Text: "C?"}}
	results := func(ids ...string) (out []Result) {
		for _, id := range ids {
			out = append(out, Result{QuestionID: id})
		}
		return out
	}
	if got := asked(dataset, results("a", "b")); len(got) != 2 || cap(got) != 2 || &got[0] != &dataset[0] {
		t.Errorf("the dataset's own questions are copied: %+v", got)
	}
	a, b, c := dataset[0], dataset[1], dataset[2]
	for _, x := range []struct {
		of   []Result
		want []Question
	}{
		{results(), []Question{}},
		{results("a", "c", "b"), []Question{a, c, b}},
		{results("a", "a", "b", "b"), []Question{a, a, b, b}},
		{results("a", "lost", "b"), []Question{a, {}, b}},
		{results("a", "b", "c", "a"), []Question{a, b, c, a}},
	} {
		if diff := cmp.Diff(x.want, asked(dataset, x.of)); diff != "" {
			t.Errorf("%+v: %s", x.of, diff)
		}
	}
	if diff := cmp.Diff([]Question{a, b, c}, dataset); diff != "" {
		t.Error(diff)
	}
}

package notebooks

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestWithoutTexts: every value that cells publish is known to it, and none of the texts stays.
func TestWithoutTexts(t *testing.T) {
	t.Parallel()
	low := 1.0
	told := document.Answer{ID: "q1", Question: "canary", Reference: "canary", Answer: "canary", Correctness: &low,
		Contexts: []string{"canary"},
		Reasons:  []document.Words{{EN: "canary"}}}
	found := []document.Found{{Name: "worst", Lines: []document.Words{{EN: "canary"}}},
		{Name: "best", Lines: []document.Words{{JA: "canary"}}},
		{Name: "release", Lines: []document.Words{{EN: "yes"}}}}
	v := &View{Cells: []CellView{
		{Name: "low", Value: document.Failures{Count: 1, Answers: []document.Answer{told}}}, {Name: "one", Value: told},
		{Name: "c", Value: document.Comparison{Found: found}}, {Name: "r", Value: document.Report{Found: found}},
		{Name: "unknown", Value: struct{ Text string }{"canary"}},
	}}
	before, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	bare := v.WithoutTexts()
	body, err := json.Marshal(bare)
	if err != nil || strings.Contains(string(body), "canary") {
		t.Errorf("%s, %v", body, err)
	}
	if got := bare.Cells[0].Value.(document.Failures); got.Count != 1 || got.Answers[0].ID != "q1" || *got.Answers[0].Correctness != 1 {
		t.Errorf("%+v", got)
	}
	if got := bare.Cells[2].Value.(document.Comparison).Found; len(got) != 1 || got[0].Name != "release" {
		t.Errorf("%+v", got)
	}
	if after, _ := json.Marshal(v); string(after) != string(before) {
		t.Error("the view itself was changed")
	}
	for name, kind := range document.Published {
		one := &View{Cells: []CellView{{Value: reflect.New(kind).Elem().Interface()}}}
		if one.WithoutTexts().Cells[0].Value == nil {
			t.Errorf("nobody decided about the texts of a %s", name)
		}
	}
}

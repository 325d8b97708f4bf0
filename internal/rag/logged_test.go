package rag

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/llm"
)

func TestReplay(t *testing.T) {
	t.Parallel()
	log := NewLog("bot", "faq@1", []LoggedAnswer{
		{QuestionID: "q1", Question: "How long?", Answer: "Ten days.", Contexts: []LoggedContext{{Text: "A fee of 500 yen applies."}},
			Measured: &Measured{LatencyMS: 120}},
		{QuestionID: "q2", Question: "Pets?", Answer: "", Contexts: nil},
		{QuestionID: "q3", Question: "Pets?", Answer: "In the hold.", Contexts: []LoggedContext{}},
	})
	stages := newMemoryStages()
	c := Config{Log: &LogRef{Name: "bot", Version: 1, Digest: log.Digest}}
	system, err := Open(t.Context(), c, handbook(), outsideProviders{log: log}, nil, stages)
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	answer := func(id, text string) (Answer, error) {
		return system.Answer(llm.WithScope(t.Context(), llm.Scope{RunID: "r", QuestionID: id}), text)
	}
	first, err := answer("q1", "How long?")
	if err != nil || first.Text != "Ten days." || first.Hidden != "" || first.Measured.LatencyMS != 120 || first.Hits[0].DocID != "d1" {
		t.Errorf("%+v, %v", first, err)
	}
	second, err := answer("q2", "Pets?")
	if err != nil || second.Text != "" || second.Hidden != NoContexts {
		t.Errorf("%+v, %v", second, err)
	}
	third, err := answer("q3", "Pets?")
	if err != nil || third.Text != "In the hold." || third.Hidden != "" || len(third.Hits) != 0 {
		t.Errorf("%+v, %v", third, err)
	}
	for _, id := range []string{"q9", ""} {
		if _, err := answer(id, "Pets?"); llm.CauseOf(err) != llm.CauseNoLoggedAnswer {
			t.Errorf("%q: %v", id, err)
		}
	}
	if byText, err := answer("", "How long?"); err != nil || !cmp.Equal(first, byText) {
		t.Errorf("by text: %+v, %v", byText, err)
	}
	if n := stages.count("generate"); n != 3 {
		t.Errorf("%d answers are stored", n)
	}
}

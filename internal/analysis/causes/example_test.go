package causes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestOneAnswerOfEachFrequentCauseIsToldThrough picks the answer that something healed, and leaves rare causes out.
func TestOneAnswerOfEachFrequentCauseIsToldThrough(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("c", []rag.Document{{ID: "fees", Text: "A refund costs 2,000 yen."},
		{ID: "pets", Text: "Pets travel in the hold."}})
	e := lowRun(t, 6)
	for i := range e.Results {
		e.Results[i].Answer = &rag.Answer{Retrieval: rag.Retrieval{Hits: []rag.Hit{
			{Span: rag.Span{DocID: "pets", Start: 0, End: 24}}, {Span: rag.Span{DocID: "fees", Start: 0, End: 25}}}}}
	}
	at := func(i int, c Component, steps ...CauseStep) Diagnosis {
		return Diagnosis{
			QuestionID: e.Questions[i].ID, Component: c, Data: c.Data(), Confidence: .9, Certainty: HighCertainty, Steps: steps,
			Evidence:  []QuotedSpan{{Span: rag.Span{DocID: "fees", Start: 15, End: 24}, Quote: "2,000 yen", InContext: true}},
			Rationale: experiments.Rationale{EN: "why", JA: "理由"},
		}
	}
	failed := CauseStep{Step: "retrieval", Change: "retrieve.k 3 -> 5", Passes: 0, Trials: 4}
	healed := CauseStep{Step: "regenerate", Change: "retrieve.k 3 -> 6", Passes: 4, Trials: 4}
	found := map[string]Diagnosis{}
	for _, d := range []Diagnosis{at(0, Retriever, failed), at(1, Retriever, failed, healed), at(2, Retriever), at(3, SystemPrompt),
		at(4, NoFault), at(5, NoFault)} {
		found[d.QuestionID] = d
	}
	report := ReportCauses(e, found, CauseReportInput{Method: Tested})
	list := ExamplesOf(report, report.Told(), e, corpus)
	if len(list) != 2 || list[0].Component != Retriever || list[1].Component != SystemPrompt {
		t.Fatalf("examples %+v", list)
	}
	x := list[0]
	if x.QuestionID != e.Questions[1].ID || !x.Fixed || x.Count != 3 || list[1].Fixed {
		t.Errorf("the example is %s of %d, fixed %v", x.QuestionID, x.Count, x.Fixed)
	}
	want := []ExampleText{{DocID: "pets", Text: "Pets travel in the hold."},
		{DocID: "fees", Text: "A refund costs 2,000 yen.", Holds: true}}
	if diff := cmp.Diff(want, x.Retrieved); diff != "" {
		t.Error(diff)
	}
	steps := []ExampleStep{
		{What: experiments.Rationale{EN: "retrieved with one change each, and more passages where needed: passages given to the model (k) 3 → 5",
			JA: "条件を一つずつ変えて検索（必要に応じて渡す参照箇所の数も増加）：" +
				"モデルに渡す参照箇所の数（k） 3 → 5"},
			Result: experiments.Rationale{EN: "0 of 4 changes bring the evidence", JA: "4通りのうち0通りで根拠を取得"}},
		{What: experiments.Rationale{EN: "answered from the contexts after the change: passages given to the model (k) 3 → 6",
			JA: "変更後の参照箇所で回答：モデルに渡す参照箇所の数（k） 3 → 6"},
			Result: experiments.Rationale{EN: "4 of 4 answers good", JA: "4回中4回が良い回答"}, Fixed: true},
	}
	if diff := cmp.Diff(steps, x.Tried); diff != "" {
		t.Error(diff)
	}
}

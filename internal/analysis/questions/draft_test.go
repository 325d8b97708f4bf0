package questions

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

func draftCorpus() *rag.Corpus {
	var docs []rag.Document
	for i, subject := range []string{"refund", "bassinet", "pet", "wheelchair", "upgrade", "lounge"} {
		docs = append(docs, rag.Document{ID: fmt.Sprint("d", i), Title: "About the " + subject, Text: fmt.Sprintf(
			"The %[1]s of the airline costs %[2]d,000 yen for each segment of a journey.\n\nEvery %[1]s can be booked up to %[2]d days before departure, at the airline's counter or by telephone.", subject, i+2)})
	}
	docs = append(docs, rag.Document{ID: "ja", Title: "払い戻し",
		Text: "航空会社の払い戻しの手数料は、フレックス運賃では1区間につき2,000円です。出発時刻までに手続きをしてください。払い戻しには領収書の提示が必要です。"})
	return rag.NewCorpus("rules", docs)
}

func TestDraftsHoldWhatTheyQuote(t *testing.T) {
	t.Parallel()
	corpus := draftCorpus()
	draft := func(seed uint64) []intake.Draft {
		drafts, notes, err := DraftQuestions(t.Context(), corpus, metrics.DefaultJudge(), everyName{newClassifier()}, &rag.MemoryStages{},
			DraftRules{N: 12, Seed: seed, InFlight: 4})
		if err != nil {
			t.Fatal(err)
		}
		if len(drafts) != 12 {
			t.Fatalf("%d drafts: %v", len(drafts), notes)
		}
		return drafts
	}
	drafts := draft(1)
	count := map[string]int{}
	for _, d := range drafts {
		count[d.Category]++
		for _, e := range d.Question.Evidence {
			if corpus.Text(e.Span) != e.Quote {
				t.Errorf("%s: %v is %q, not %q", d.Question.ID, e.Span, corpus.Text(e.Span), e.Quote)
			}
		}
		hops, known := HopsOf(d.Question, corpus)
		if !known || !strings.HasPrefix(d.Category, string(hops)) {
			t.Errorf("%s is drafted as %s and its evidence says %s", d.Question.ID, d.Category, hops)
		}
	}
	if diff := cmp.Diff(map[string]int{"single_hop_specific": 3, "single_hop_abstract": 3, "multi_hop_specific": 3,
		"multi_hop_abstract": 3}, count); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(drafts, draft(1)); diff != "" {
		t.Errorf("the same seed drafts otherwise: %s", diff)
	}
}

func TestDraftsThatDoNotHoldAreDropped(t *testing.T) {
	t.Parallel()
	c := newClassifier()
	n := 0
	c.script[PurposeQuestionDraft] = func(req llm.Request) any {
		var d draftData
		_ = json.Unmarshal(req.Data, &d)
		n++
		r := draftReply{Usable: true, Question: fmt.Sprint("Question ", n), Reference: "Answer.",
			Quotes: []draftQuote{{1, d.Passages[0].Text[:20]}}}
		switch {
		case d.Hops == experiments.MultiHop && n%2 == 0:
			r.Quotes = append(r.Quotes, draftQuote{2, d.Passages[1].Text[:20]})
		case n%3 == 0:
			r.Quotes[0].Quote = "made up by the model"
		case n%5 == 0:
			r.Quotes[0].Passage = 7
		}
		return r
	}
	drafts, notes, err := DraftQuestions(t.Context(), draftCorpus(), metrics.DefaultJudge(), everyName{c}, &rag.MemoryStages{},
		DraftRules{N: 8})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(notes, "; ")
	for _, want := range []string{"a quote is not in its passage", "a multi-hop question rests on one passage"} {
		if !strings.Contains(said, want) {
			t.Errorf("notes do not say %q: %s", want, said)
		}
	}
	for _, d := range drafts {
		if strings.HasPrefix(d.Category, "multi") && len(d.Question.Evidence) < 2 {
			t.Errorf("%s has one piece of evidence", d.Question.Text)
		}
	}
}

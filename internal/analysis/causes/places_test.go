package causes

import (
	"context"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// hops is a lab whose claim stands in two documents, of which only the first is near to its words.
type hops struct{ *scriptLab }

var (
	firstHop = Window{Span: rag.Span{DocID: "one", End: 40}, Text: "Haymo of Faversham lived in the Recovery."}
	nextHop  = Window{Span: rag.Span{DocID: "two", End: 40}, Text: "In the Recovery books became Latin texts."}
)

func (hops) Candidates(_ context.Context, _ experiments.Question, claim string) ([]Window, error) {
	if strings.Contains(claim, firstHop.Text) { // from the first page on to the next one
		return []Window{nextHop, firstHop}, nil
	}
	return []Window{firstHop}, nil
}

func (h hops) Supports(_ context.Context, _ experiments.Question, _ string, windows []Window, _ int) ([]WindowVerdict, error) {
	out := make([]WindowVerdict, len(windows))
	for i, w := range windows {
		out[i] = WindowVerdict{Verdict: Neutral}
		if strings.Contains(w.Text, firstHop.Text) && strings.Contains(w.Text, nextHop.Text) {
			out[i] = WindowVerdict{Verdict: Entails, Quote: rag.Span{DocID: w.DocID, End: 20}}
		}
	}
	return out, h.call("supports")
}

// TestAClaimIsFoundInTwoPlaces: what no passage says by itself is looked for hop by hop before the documents are blamed.
func TestAClaimIsFoundInTwoPlaces(t *testing.T) {
	t.Parallel()
	lab := hops{&scriptLab{config: scriptConfig(), powers: allPowers}}
	x := &diagnosing{lab: lab, c: lowCase(nil, "bad", ""), rules: CauseRules{}.filled(), config: lab.config, powers: lab.powers}
	claim := "Books became Latin in the age of Haymo of Faversham"
	searches, err := x.searching().searchNear(t.Context(), []string{claim})
	if err != nil {
		t.Fatal(err)
	}
	x.searching().sumUp(searches, nil)
	if len(x.claims) != 2 || x.claims[0].spans[0].DocID != "one" || x.claims[1].spans[0].DocID != "two" {
		t.Fatalf("found %+v", x.claims)
	}
	if covered(x.claims, []rag.Hit{{Span: firstHop.Span, Text: firstHop.Text}}, false) {
		t.Error("one place is taken for both")
	}
	if g := x.searching().gaps(); g.missing != 0 || g.found != 2 {
		t.Errorf("%+v", g)
	}
}

// TestContextsThatSufficeAreNotSearched: where the best prompt and model answer from what is there, no search is paid for.
func TestContextsThatSufficeAreNotSearched(t *testing.T) {
	t.Parallel()
	lab := &scriptLab{config: scriptConfig(), powers: allPowers, answer: swapsThatHeal(true, false)}
	d, err := Diagnose(t.Context(), lab, lowCase([]rag.Hit{evidenceHit}, "bad", ""), CauseRules{})
	if err != nil || d.Component != SystemPrompt || lab.asked["supports"]+lab.asked["claims"] > 0 {
		t.Errorf("%s after %v, %v", d.Component, lab.asked, err)
	}
}

// TestAPromptThatHealsByLuckIsAskedInOtherWords: at temperature 0 one good answer may be the draw of another request.
func TestAPromptThatHealsByLuckIsAskedInOtherWords(t *testing.T) {
	t.Parallel()
	lab := &scriptLab{config: scriptConfig(), powers: allPowers, answer: func(_, _ bool, s Swap, _ int) (string, string) {
		if s.Model || s.Prompt && !s.Reworded {
			return "good", ""
		}
		return "bad", ""
	}}
	lab.config.Generate.Temperature = 0
	d, err := Diagnose(t.Context(), lab, lowCase([]rag.Hit{evidenceHit}, "bad", ""), CauseRules{})
	if err != nil || d.Component != GenerationModel {
		t.Errorf("%s, %v; %+v", d.Component, err, d.Steps)
	}
	if ReferencePrompt("ja") == ReferencePromptOf("ja", true) || ReferencePrompt("en") == ReferencePromptOf("en", true) {
		t.Error("the other words are the same")
	}
}

// TestExpectedCallsFollowWhatIsSeen: the plan tells dear diagnoses from cheap ones before any call.
func TestExpectedCallsFollowWhatIsSeen(t *testing.T) {
	t.Parallel()
	r := DefaultCauseRules()
	order := []Prospect{{Labelled: true, Held: true, Refuses: true}, {Labelled: true}, {Held: true}, {}, {Lacking: true}}
	for i := range order[1:] {
		if r.Expected(order[i], true) >= r.Expected(order[i+1], true) {
			t.Errorf("%+v is expected to take no fewer calls than %+v", order[i], order[i+1])
		}
	}
	for _, p := range order {
		if r.Expected(p, false) <= r.Expected(p, true) || int(r.Expected(p, false)) > r.MostCalls() {
			t.Errorf("%+v: %g calls where answers vary, %g where they do not", p, r.Expected(p, false), r.Expected(p, true))
		}
	}
}

// TestMovedText finds what took the place of a lost label, by whole sentences, and takes nothing that speaks of another thing for it.
func TestMovedText(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("c", []rag.Document{{ID: "doc", Text: "Bags are weighed. The fee for a bicycle is 60 euros. It is paid at the desk in cash. " +
		"The fee for a surfboard is 30 euros."}})
	place := rag.Span{DocID: "doc", Start: 0, End: 10}
	for name, c := range map[string]struct{ quote, question, want string }{
		"another figure": {"The fee for a bicycle is 30 euros.", "What is the fee for a bicycle?", "The fee for a bicycle is 60 euros."},
		"two sentences": {"The fee for a bicycle is 60 euros. It is paid at the gate in cash.", "Where is the fee for a bicycle paid?",
			"The fee for a bicycle is 60 euros. It is paid at the desk in cash."},
		"another thing":   {"The fee for a canoe is 30 euros.", "What is the fee for a canoe?", ""},
		"a bare figure":   {"45", "What is the fee for a bicycle?", ""},
		"nothing like it": {"Dogs travel in the hold.", "Where do dogs travel?", ""},
	} {
		span, got := MovedText(corpus, place, c.quote, c.question)
		if got != c.want || got == "" && span != place || got != "" && corpus.Text(span) != got {
			t.Errorf("%s: %q at %v, want %q", name, got, span, c.want)
		}
	}
}

package causes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// scriptLab is a system whose every part does what a test says. One document holds the evidence at [100, 140).
type scriptLab struct {
	config  rag.Config
	powers  LabPowers
	claims  []string
	windows func(claim string) []WindowVerdict                                    // verdicts on the only window; nil: it entails
	labels  []EvidenceLabel                                                       //
	clear   func(vote int) (bool, string)                                         // nil: clear
	hits    func(changes map[string]any) []rag.Hit                                // of the retrieval
	answer  func(evidence, noise bool, swap Swap, trial int) (answer, raw string) // evidence is in the contexts, beside other text
	pass    func(answer string, vote int) bool                                    // nil: the answer says "good"
	asked   map[string]int                                                        // calls by method
	failAt  string
	seen    []string
}

var (
	evidencePlace = rag.Span{DocID: "doc", Start: 100, End: 140}
	evidenceText  = strings.Repeat("evidence", 5)
	evidenceHit   = rag.Hit{Span: rag.Span{DocID: "doc", Start: 80, End: 180}, Text: "around " + evidenceText}
	otherHit      = rag.Hit{Span: rag.Span{DocID: "doc", Start: 300, End: 400}, Text: "something else"}
	evidenceIn    = Window{Span: rag.Span{DocID: "doc", Start: 90, End: 150}, Text: strings.Repeat(".", 10) + evidenceText +
		strings.Repeat(".", 10)}
)

func (l *scriptLab) call(method string) error {
	if l.asked == nil {
		l.asked = map[string]int{}
	}
	l.asked[method]++
	if method == l.failAt {
		return errors.New("the lab is closed")
	}
	return nil
}

func (l *scriptLab) Config() rag.Config { return l.config }

func (l *scriptLab) Can() LabPowers { return l.powers }

func (l *scriptLab) Pass(_ context.Context, _ LabCase, answer string, _ []rag.Hit, vote int) (bool, error) {
	if l.pass != nil {
		return l.pass(answer, vote), l.call("pass")
	}
	return strings.Contains(answer, "good"), l.call("pass")
}

func (l *scriptLab) Claims(context.Context, experiments.Question) ([]string, error) {
	if l.claims == nil {
		return []string{"claim"}, l.call("claims")
	}
	return l.claims, l.call("claims")
}

func (l *scriptLab) Candidates(context.Context, experiments.Question, string) ([]Window, error) {
	return []Window{evidenceIn}, l.call("candidates")
}

func (l *scriptLab) Supports(_ context.Context, _ experiments.Question, claim string, windows []Window, vote int) ([]WindowVerdict, error) {
	out := make([]WindowVerdict, len(windows))
	for i, w := range windows {
		out[i] = WindowVerdict{Verdict: Neutral}
		if w.Span != evidenceIn.Span {
			continue
		}
		out[i] = WindowVerdict{Verdict: Entails, Quote: evidencePlace}
		if l.windows != nil {
			votes := l.windows(claim)
			out[i] = votes[vote%len(votes)]
		}
	}
	return out, l.call("supports")
}

func (l *scriptLab) Clear(_ context.Context, _ experiments.Question, vote int) (bool, string, error) {
	if l.clear == nil {
		return true, "", l.call("clear")
	}
	ok, why := l.clear(vote)
	return ok, why, l.call("clear")
}

func (l *scriptLab) Retrieve(_ context.Context, _ experiments.Question, changes []Change) ([]rag.Hit, error) {
	all := map[string]any{}
	var words []string
	for _, c := range changes {
		all[c.Param] = c.Value
		words = append(words, fmt.Sprintf("%s=%v", c.Param, c.Value))
	}
	l.seen = append(l.seen, strings.Join(words, " "))
	if l.hits == nil {
		return nil, l.call("retrieve")
	}
	return l.hits(all), l.call("retrieve")
}

func (l *scriptLab) Generate(_ context.Context, _ experiments.Question, contexts []rag.Hit, swap Swap, trial int) (answer,
	raw string, err error) {
	held, noise := false, false
	for _, h := range contexts {
		if h.Overlap(evidencePlace) == evidencePlace.Range().Len() || h.DocID == "" && h.Text == "claim" {
			held = true
		} else {
			noise = true
		}
	}
	if l.answer == nil {
		return "bad", "", l.call("generate")
	}
	answer, raw = l.answer(held, noise, swap, trial)
	return answer, raw, l.call("generate")
}

// labelledScript is a scriptLab that knows the dataset's labels.
type labelledScript struct{ *scriptLab }

func (l labelledScript) Labels(experiments.Question) []EvidenceLabel { return l.labels }

// ranked is a retrieval of k places with the evidence at a rank; 0 leaves it out.
func rankedAt(rank, k int) []rag.Hit {
	var out []rag.Hit
	for i := 1; i <= k; i++ {
		h := otherHit
		h.Start, h.End = 1000*i, 1000*i+100
		if i == rank {
			h = evidenceHit
		}
		out = append(out, h)
	}
	return out
}

// depthOnly is a retrieval that finds the evidence at a rank whatever is changed but k.
func depthOnly(rank, k int) func(map[string]any) []rag.Hit {
	return func(changes map[string]any) []rag.Hit {
		if n, ok := changes["retrieve.k"].(int); ok {
			return rankedAt(rank, n)
		}
		return rankedAt(rank, k)
	}
}

// healthy answers well when the contexts hold the evidence.
func healthy(evidence, _ bool, _ Swap, _ int) (answer, raw string) {
	if evidence {
		return "good", ""
	}
	return "bad", ""
}

func scriptConfig() rag.Config {
	c := rag.DefaultConfig()
	c.Chunk, c.Retrieve.K = rag.Chunking{By: "chars", Size: 100, Overlap: 0}, 3
	c.Generate.Temperature = .3
	return c
}

var allPowers = LabPowers{Corpus: true, Retrieval: true, K: true, Contexts: true, Prompt: true, Model: true, Raw: true}

func lowCase(hits []rag.Hit, text, raw string) LabCase {
	return LabCase{
		Question: experiments.Question{ID: "q", Text: "what?", Reference: "reference", Answerable: true, Lang: "en"},
		Corner:   CorrectnessLow,
		Result: experiments.Result{QuestionID: "q",
			Answer: &rag.Answer{Retrieval: rag.Retrieval{Hits: hits}, Generation: rag.Generation{Text: text, Raw: raw}}},
	}
}

// verdict is what a test looks at of a diagnosis.
type causeSummary struct {
	Component Component
	Detail    string
	Further   []Component
	Repairs   string
	Certainty Certainty
}

func summed(d Diagnosis) causeSummary {
	var repairs []string
	for _, r := range d.Repairs {
		repairs = append(repairs, fmt.Sprintf("%s=%v %d/%d", r.Param, r.To, r.Passes, r.Trials))
	}
	return causeSummary{d.Component, d.Detail, d.Further, strings.Join(repairs, ", "), d.Certainty}
}

func swapsThatHeal(prompt, model bool) func(bool, bool, Swap, int) (string, string) {
	return func(evidence, _ bool, s Swap, _ int) (string, string) {
		if evidence && (prompt && s.Prompt || model && s.Model) {
			return "good", ""
		}
		return "bad", ""
	}
}

package causes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// placesLab is a system whose documents seem to hold each claim in several places, of which some answer.
type placesLab struct {
	*scriptLab
	places  []Window
	entails map[string][]int // by claim, which places entail it
	answers []int            // places that an answer needs
	strays  bool             // other contexts stand in the way
	crowded bool             // the text around the evidence in its own chunk does
}

func (l *placesLab) Candidates(context.Context, experiments.Question, string) ([]Window, error) {
	return l.places, nil
}

func (l *placesLab) Supports(_ context.Context, _ experiments.Question, claim string, windows []Window, _ int) ([]WindowVerdict, error) {
	out := make([]WindowVerdict, len(windows))
	for i, w := range windows {
		out[i] = WindowVerdict{Verdict: Neutral}
		at := slices.IndexFunc(l.places, func(p Window) bool { return p.Span == w.Span })
		if slices.Contains(l.entails[claim], at) {
			out[i] = WindowVerdict{Verdict: Entails, Quote: rag.Span{DocID: w.DocID, Start: w.Start + 5, End: w.Start + 25}}
		}
	}
	return out, nil
}

func (l *placesLab) Generate(_ context.Context, _ experiments.Question, contexts []rag.Hit, _ Swap, _ int) (answer, raw string, err error) {
	for _, at := range l.answers {
		if !slices.ContainsFunc(contexts, func(h rag.Hit) bool { return h.Overlap(l.places[at].Span) > 0 }) {
			return "bad", "", nil
		}
	}
	if l.strays && len(contexts) > 2 {
		return "bad", "", nil
	}
	if l.crowded && slices.ContainsFunc(contexts, func(h rag.Hit) bool { return h.Range().Len() >= 60 }) {
		return "bad", "", nil
	}
	return "good", "", nil
}

// Around is the sentence with a place of the evidence: less than its chunk.
func (l *placesLab) Around(place rag.Span) Window {
	return Window{Span: rag.Span{DocID: place.DocID, Start: place.Start - 5, End: place.End + 5}, Text: strings.Repeat("word ", 6)}
}

// randomPlaces is such a system with one or two claims, each of which up to three places entail, and its contexts at k = 3.
func randomPlaces(r *rand.Rand) (*placesLab, []rag.Hit) {
	l := &placesLab{scriptLab: &scriptLab{config: scriptConfig(), powers: allPowers}, entails: map[string][]int{}, strays: r.IntN(2) == 0,
		crowded: r.IntN(4) == 0}
	l.powers.Model, l.powers.Retrieval, l.powers.SameVerdicts = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0
	for i := range 6 {
		at := rag.Span{DocID: "doc", Start: 100 * i, End: 100*i + 60}
		l.places = append(l.places, Window{Span: at, Text: strings.Repeat("word ", 12)})
	}
	for i := range 1 + r.IntN(2) {
		claim := fmt.Sprint("claim ", i)
		l.claims = append(l.claims, claim)
		l.entails[claim] = r.Perm(6)[:1+r.IntN(3)]
		l.answers = append(l.answers, l.entails[claim][r.IntN(len(l.entails[claim]))])
	}
	rank := r.Perm(6)
	l.hits = func(changes map[string]any) (out []rag.Hit) {
		k, set := changes["retrieve.k"].(int)
		if !set {
			k = 3
		}
		for _, at := range rank[:min(k, 6)] {
			out = append(out, rag.Hit{Span: l.places[at].Span, Text: l.places[at].Text})
		}
		return out
	}
	return l, l.hits(nil)
}

// Whatever places a search takes for the evidence and whichever of them the contexts hold, a diagnosis says one thing of whether they do.
func TestWhetherContextsHoldTheEvidenceIsOneFact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	noise, missed, chunk := 0, 0, 0
	for range 4000 {
		l, contexts := randomPlaces(r)
		d, err := Diagnose(t.Context(), l, lowCase(contexts, "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		en, ja := d.Rationale.EN, d.Rationale.JA
		lacks := strings.Contains(en, "do not hold") || strings.Contains(en, "outside k") || strings.Contains(ja, "含まれていませんでした")
		holds := strings.Contains(en, "contexts hold it") || strings.Contains(ja, "参照箇所には含まれ")
		if lacks && strings.Contains(en, causeWords["detail."+noiseThere][0]) || d.Detail == noiseBesides && holds && !lacks {
			t.Fatalf("contradicts itself: %s\n%s\n%+v", en, ja, d.Steps)
		}
		others := strings.Contains(en, "other contexts stand") || strings.Contains(ja, "他の参照箇所が妨げ")
		if one := failedAlone(d, l.config.Retrieve.K); others && (one || d.Detail != noiseThere) {
			t.Fatalf("other contexts are in the way of what failed without them (%v, %s): %s\n%+v", one, d.Detail, en, d.Steps)
		} else if one && d.Detail == noiseChunk {
			chunk++
		}
		if held(d.Detail) {
			noise++
			if len(d.Evidence) == 0 || !d.Evidence[0].InContext {
				t.Fatalf("others are in the way of what is not there: %+v\n%s", d.Evidence, en)
			}
		}
		missed += counted(d.Component == Retriever && lacks)
	}
	if noise == 0 || missed == 0 || chunk == 0 {
		t.Fatalf("the systems do not fail in all ways: %d, %d and %d", noise, missed, chunk)
	}
}

// failedAlone reports whether a step gave one context of the run alone, and the answer stayed low.
func failedAlone(d Diagnosis, k int) bool {
	return slices.ContainsFunc(d.Steps, func(s CauseStep) bool {
		return s.Step == "regenerate" && s.Change == fmt.Sprintf("retrieve.k %d -> 1", k) && s.Passes == 0 && s.Trials > 0
	})
}

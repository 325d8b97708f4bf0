package causes

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestContextsThatHeldItAreToldApart: what other contexts stood in the way of was not missed by the search, and asks for another remedy.
func TestContextsThatHeldItAreToldApart(t *testing.T) {
	t.Parallel()
	oracle := CauseStep{Step: "oracle", Passes: 1, Trials: 1}
	there, not := CauseStep{Step: "in_context", Passes: 1, Trials: 1}, CauseStep{Step: "in_context", Trials: 1}
	passage, chunk := rag.Span{DocID: "d", Start: 10, End: 40}, rag.Span{DocID: "d", Start: 0, End: 100}
	evidence := []QuotedSpan{{Span: rag.Span{DocID: "d", Start: 20, End: 30}, InContext: true}}
	alone := CauseStep{Step: "oracle", Passes: 1, Trials: 1, Given: []rag.Span{passage}}
	beyond := CauseStep{Step: "oracle", Passes: 1, Trials: 1, Given: []rag.Span{{DocID: "d", Start: 10, End: 140}}}
	fewer := CauseStep{Step: "regenerate", Change: "retrieve.k 4 -> 1", Trials: 1, Given: []rag.Span{chunk}}
	better := CauseStep{Step: "regenerate", Change: "retrieve.k 4 -> 1", Passes: 1, Trials: 1, Given: []rag.Span{chunk}}
	two := CauseStep{Step: "regenerate", Change: "retrieve.k 4 -> 2", Trials: 1, Given: []rag.Span{chunk, {DocID: "e", End: 100}}}
	found := map[string]Diagnosis{
		"q6": {Detail: "context_noise", Steps: []CauseStep{there, alone, fewer}, Evidence: evidence},
		"q7": {Detail: "context_noise", Steps: []CauseStep{there, beyond, fewer}, Evidence: evidence},
		"q8": {Detail: "context_noise", Steps: []CauseStep{there, alone, two}, Evidence: evidence},
		"q9": {Detail: "context_noise", Steps: []CauseStep{there, alone}, Evidence: evidence},
		"q1": {Detail: "context_noise", Steps: []CauseStep{there, alone, better}, Evidence: evidence},
		"q2": {Detail: "context_noise", Steps: []CauseStep{not, oracle}}, // as an earlier version stored it
		"q3": {Detail: noiseBesides, Steps: []CauseStep{not, oracle}},
		"q4": {Steps: []CauseStep{not, oracle}},
		"q5": {Steps: []CauseStep{not, oracle}, Further: []Component{SystemPrompt}},
	}
	table := evaltest.Table{}
	for id, want := range map[string]string{"q1": noiseThere, "q2": "", "q3": "", "q4": "", "q5": "more", "q6": noiseChunk,
		"q7": noiseChunk, "q8": noiseRest, "q9": noiseRest} {
		d := found[id]
		d.QuestionID, d.Method, d.Component, d.Data = id, Tested, Retriever, Retriever.Data()
		found[id] = d
		table[id] = map[string]float64{"correctness": 1}
		if d.Way() != want || d.InShort().Way() != want || d.InShort().InShort().Way() != want {
			t.Errorf("%s: %q, in short %q, want %q", id, d.Way(), d.InShort().Way(), want)
		}
	}
	r := ReportCauses(evaltest.Evaluation(t, "run", table), found, CauseReportInput{Method: Tested})
	for _, want := range []string{"Of the 9 low-score answers tested as the retriever's, the contexts of 5 held what was needed. In 1 of these other " +
		"contexts stood in the way. In 2 of these the chunk that holds it failed even alone: how the text is cut (chunk size) stood in the way. " +
		"In 2 of these the passage around it alone made the answer good; which part of the rest stood in the way was not tested.",
		"検証された9件のうち5件では、必要な箇所は参照箇所に含まれていました。うち1件では、他の参照箇所が妨げ",
		"うち2件では、その箇所を含むチャンクだけ",
		"うち2件では、その前後だけ"} {
		if !strings.Contains(r.Summary.EN+r.Summary.JA, want) {
			t.Errorf("%s %s\nlacks %q", r.Summary.EN, r.Summary.JA, want)
		}
	}
}

// TestStepsNameWhatTheyReplaced: only what was replaced is named, by its name and not by its code.
func TestStepsNameWhatTheyReplaced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		swap      Swap
		name, say string
	}{
		{Swap{Prompt: true}, "prompt", "With the reference prompt, 0 of 2 answers were good."},
		{Swap{Model: true}, "model", "With the reference model, 0 of 2 answers were good."},
		{Swap{Prompt: true, Model: true}, "both", "With the reference prompt and the reference model together, 0 of 2 answers were good."},
	} {
		name, change := c.swap.step()
		s := CauseStep{Step: name, Change: change, Trials: 2}
		x := &diagnosing{d: Diagnosis{Component: Undetermined, Steps: []CauseStep{s}}}
		if got := rationaleOf(x); name != c.name || !strings.HasPrefix(got.EN, c.say) || strings.HasPrefix(got.JA, "両方") {
			t.Errorf("%+v is step %q: %s %s", c.swap, name, got.EN, got.JA)
		}
		for _, text := range []string{s.words().EN, s.words().JA, s.Changed("en"), s.Changed("ja")} {
			if strings.Contains(text, "param.") || strings.Contains(text, "generate.") {
				t.Errorf("step %q says %q", name, text)
			}
		}
	}
	if got := (CauseStep{Step: "regenerate", Change: "retrieve.k 4 -> 2"}).Changed("en"); got != "passages given to the model (k) 4 → 2" {
		t.Errorf("a change of k is %q", got)
	}
	for want, s := range map[string]CauseStep{
		"not found, passages searched: 36": {Step: "evidence", Change: "a claim", Trials: 36},
		"0 of 1 answer good":               {Step: "deep", Trials: 1},
		"good by 0 of 3 votes":             {Step: "rejudge", Trials: 3},
	} {
		if got := s.Result("en"); got != want {
			t.Errorf("%+v is told as %q, want %q", s, got, want)
		}
	}
}

// TestReplacedAloneIsNotBoth: where the model cannot be replaced, no diagnosis says that it was.
func TestReplacedAloneIsNotBoth(t *testing.T) {
	t.Parallel()
	powers := allPowers
	powers.Model = false
	l := &scriptLab{config: scriptConfig(), powers: powers,
		windows: func(string) []WindowVerdict { return []WindowVerdict{{Verdict: Neutral}} },
		hits:    depthOnly(0, 3), answer: func(bool, bool, Swap, int) (string, string) { return "bad", "" }}
	d, err := Diagnose(t.Context(), l, lowCase(rankedAt(0, 3), "bad", ""), CauseRules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range d.Steps {
		if s.Step == "both" {
			t.Errorf("the model was not replaced: %+v", s)
		}
	}
}

// tableLab is a system whose documents hold the reference word for word, in a row of a table that has no word of the question.
type tableLab struct{ *scriptLab }

var row = Window{Span: rag.Span{DocID: "manual", Start: 200, End: 240}, Text: "| Temperature range | -30 °C to +65 °C |"}

func (l tableLab) Candidates(_ context.Context, _ experiments.Question, claim string) ([]Window, error) {
	if strings.HasPrefix(claim, "what?") {
		return []Window{evidenceIn}, nil
	}
	return []Window{row}, nil
}

// TestWordsOfTheReferenceThatStandInTheDocuments: nobody says that the documents lack what stands in them word for word, or of which one
// passage holds most words and figures.
func TestWordsOfTheReferenceThatStandInTheDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reference, claim, detail, says string }{
		{"-30 °C to +65 °C", "what? -30 °C to +65 °C", "stands_there", "Document “manual” says “-30 °C to +65 °C” near character 223."},
		{"65 °C (a range of temperature up to 65 °C).", "65 °C (a range of temperature up to 65 °C).", "in_other_words", "in other words"},
		{"Dr. Peter Hansen", "what? Dr. Peter Hansen", "not_in_corpus", "found nothing that says"},
	} {
		powers := allPowers
		powers.SameVerdicts = true
		l := &scriptLab{config: scriptConfig(), powers: powers, claims: []string{c.claim},
			windows: func(string) []WindowVerdict { return []WindowVerdict{{Verdict: Neutral}} }, hits: depthOnly(0, 3),
			answer: func(bool, bool, Swap, int) (string, string) { return "bad", "" }}
		low := lowCase(rankedAt(0, 3), "bad", "")
		low.Question.Reference = c.reference
		d, err := Diagnose(t.Context(), tableLab{l}, low, CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Detail != c.detail || (d.Component == Database) != (c.detail == "not_in_corpus") || !strings.Contains(d.Rationale.EN, c.says) {
			t.Errorf("%q: %s, %q: %s", c.reference, d.Component, d.Detail, d.Rationale.EN)
		}
	}
}

// toldLab is a tableLab whose generator answers well once it is told what the reference says.
type toldLab struct{ tableLab }

func (l toldLab) Generate(ctx context.Context, q experiments.Question, contexts []rag.Hit, swap Swap, trial int) (string, string, error) {
	if slices.ContainsFunc(contexts, func(h rag.Hit) bool { return h.DocID == "" }) {
		return "good", "", nil
	}
	return l.tableLab.Generate(ctx, q, contexts, swap, trial)
}

// TestAGoodAnswerFromTheReferenceIsNoGapInTheDocuments: that a model answers well once it is told the answer does not show that the
// documents lack it, where a judge that compares words may have overlooked it: told in other words, or a claim of too few words.
func TestAGoodAnswerFromTheReferenceIsNoGapInTheDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reference, claim, detail string }{
		{"-30 °C to +65 °C", "what? -30 °C to +65 °C", "stands_there"},
		{"65 °C (a range of temperature up to 65 °C).", "65 °C (a range of temperature up to 65 °C).", "maybe_in_other_words"},
		{"かかりません。", "かかりません。", "maybe_in_other_words"}, {"None.", "None.", "maybe_in_other_words"},
		{"Dr. Peter Hansen", "what? Dr. Peter Hansen", "not_in_corpus"},
	} {
		powers := allPowers
		powers.SameVerdicts = true
		l := &scriptLab{config: scriptConfig(), powers: powers, claims: []string{c.claim},
			windows: func(string) []WindowVerdict { return []WindowVerdict{{Verdict: Neutral}} }, hits: depthOnly(0, 3)}
		low := lowCase(rankedAt(0, 3), "bad", "")
		low.Question.Reference = c.reference
		d, err := Diagnose(t.Context(), toldLab{tableLab{l}}, low, CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Detail != c.detail || (d.Component == Database) != (c.detail == "not_in_corpus") {
			t.Errorf("%q: %s, %q: %s", c.reference, d.Component, d.Detail, d.Rationale.EN)
		}
	}
}

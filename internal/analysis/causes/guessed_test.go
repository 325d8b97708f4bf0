package causes

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// figureLab is a [placesLab] of which some places state what the reference states, and others the number without its unit.
type figureLab struct {
	*placesLab
	labelled bool
	fooled   bool // its judge takes every answer from few contexts for good
}

func (l figureLab) Labels(experiments.Question) []EvidenceLabel {
	if !l.labelled {
		return nil
	}
	at := l.entails[l.claims[0]][0]
	w := l.places[at]
	return []EvidenceLabel{{Now: w.Span, Quote: w.Text, Found: true, Around: w}}
}

func (l figureLab) Generate(ctx context.Context, q experiments.Question, contexts []rag.Hit, s Swap, trial int) (answer, raw string,
	err error) {
	if l.fooled && len(contexts) < 3 {
		return "good", "", nil
	}
	return l.placesLab.Generate(ctx, q, contexts, s, trial)
}

// Whatever a search takes for the evidence and whatever heals the answer, no cause is called tested where the figure of the reference does
// not stand in it with its unit, and the rationale says so; where it does, or where evidence is labelled, causes are tested as before.
func TestNoCauseIsTestedOnEvidenceThatLacksTheFigure(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	stands := map[string]int{}
	for range 1200 {
		places, _ := randomPlaces(r)
		holds := map[int]bool{}
		for i := range places.places {
			words := "平日8:30から17:15まで受け付けます。"
			if holds[i] = r.IntN(2) == 0; holds[i] {
				words = "定員は8名です。"
			}
			places.places[i].Text = words + strings.Repeat("あ", 60-len([]rune(words)))
		}
		l := figureLab{placesLab: places, labelled: r.IntN(4) == 0, fooled: r.IntN(2) == 0}
		contexts := l.hits(nil)
		c := lowCase(contexts, "bad", "")
		c.Question.Text, c.Question.Reference, c.Question.Lang = "定員は何人ですか。", "8人です。", "ja"
		d, err := Diagnose(t.Context(), l, c, CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		there := len(d.Evidence) == 0
		for _, e := range d.Evidence {
			there = there || holds[e.Start/100]
		}
		stand := d.Standing()
		stands[fmt.Sprint(stand, " ", l.labelled)]++
		if !l.labelled && !there && stand == StandsTested {
			t.Fatalf("%s is called tested on %+v: %s", d.Component, d.Evidence, d.Rationale.EN)
		}
		deep := slices.ContainsFunc(d.Steps, func(s CauseStep) bool { return s.Step == "deep" }) // it may find other evidence
		if l.labelled && stand == StandsProbable && len(d.Evidence) > 0 && !deep {
			t.Fatalf("%s is in doubt although its evidence is labelled: %+v", d.Component, d.Evidence)
		}
		said := strings.Contains(d.Rationale.EN, "it is probable only") && strings.Contains(d.Rationale.JA, "推定にとどまります")
		if said != (stand == StandsProbable) {
			t.Fatalf("%s: %s %s", stand, d.Rationale.EN, d.Rationale.JA)
		}
		if stand == StandsProbable && (d.Certainty != LowCertainty || d.InShort().Standing() != stand || len(d.Lacks) == 0 ||
			strings.Contains(d.Rationale.EN, "The evidence is") || strings.Contains(d.Rationale.JA, "必要な根拠は")) {
			t.Fatalf("%+v: %s %s", d.Lacks, d.Rationale.EN, d.Rationale.JA)
		}
	}
	if stands["tested false"] == 0 || stands["tested true"] == 0 || stands["probable false"] == 0 {
		t.Fatalf("the systems do not fail in every way: %v", stands)
	}
}

// A probable cause is counted apart from the known ones, and the summary says how many there are.
func TestProbableCausesAreNoKnownCauses(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		e := experiments.Evaluation{Run: experiments.Run{Setup: experiments.Setup{LowScore: 2}}}
		found, shown, probable := map[string]Diagnosis{}, 0, 0
		for i := range 1 + r.IntN(5) {
			q := experiments.Question{ID: fmt.Sprint("q", i)}
			e.Questions = append(e.Questions, q)
			e.Results = append(e.Results, experiments.Result{QuestionID: q.ID,
				Scores: []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: 1}}})
			d := Diagnosis{QuestionID: q.ID, Method: Tested, Component: Retriever, Data: RetrievalData,
				Steps: []CauseStep{{Step: "oracle", Passes: 1, Trials: 1}}}
			if r.IntN(2) == 0 {
				d.Lacks = []string{"8人"}
				probable++
			} else {
				shown++
			}
			found[q.ID] = d
		}
		report := ReportCauses(e, found, CauseReportInput{Method: Tested})
		known := fmt.Sprintf("Known cause: retriever (%d of %d analysed)", shown, len(found))
		if strings.Contains(report.Summary.EN, known) != (shown > 0) ||
			strings.Contains(report.Summary.EN, "probable only") != (probable > 0) ||
			strings.Contains(report.Summary.JA, fmt.Sprintf("%d件の原因は推定です", probable)) != (probable > 0) {
			t.Fatalf("%d shown, %d probable: %s %s", shown, probable, report.Summary.EN, report.Summary.JA)
		}
	}
}

// passageLab is a system over real text: what surrounds a place is known.
type passageLab struct {
	*placesLab
	corpus *rag.Corpus
	label  rag.Span // no document: nothing is labelled
}

func (l passageLab) Around(place rag.Span) Window { return AroundLabel(l.corpus, place) }

func (l passageLab) Labels(experiments.Question) []EvidenceLabel {
	if l.label.DocID == "" {
		return nil
	}
	return []EvidenceLabel{{Now: l.label, Quote: l.corpus.Text(l.label), Found: true, Around: l.Around(l.label)}}
}

// The same evidence is given with the same words around it, whether it is labelled or a search found it; and the step says which.
func TestTheSameEvidenceIsGivenInTheSamePassage(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	compared := 0
	for range 300 {
		var doc strings.Builder
		for doc.Len() < 3000 {
			doc.WriteString(strings.Repeat("word ", 3+r.IntN(25)) + "end. ")
		}
		corpus := rag.NewCorpus("c", []rag.Document{{ID: "doc", Text: doc.String()}})
		places, _ := randomPlaces(r)
		places.powers.SameVerdicts, places.powers.Contexts = true, true
		for i := range places.places {
			at := rag.Span{DocID: "doc", Start: 400 * i, End: 400*i + 400}
			places.places[i] = Window{Span: at, Text: corpus.Text(at)}
		}
		claim := places.claims[0]
		places.claims, places.entails = []string{claim}, map[string][]int{claim: places.entails[claim][:1]}
		quote := rag.Span{DocID: "doc", Start: places.places[places.entails[claim][0]].Start + 5}
		quote.End = quote.Start + 20
		places.strays, places.answers = true, places.entails[claim]
		given := map[bool][]rag.Span{}
		for _, labelled := range []bool{false, true} {
			l := passageLab{placesLab: places, corpus: corpus}
			if labelled {
				l.label = quote
			}
			c := lowCase(places.hits(nil), "bad", "")
			c.Question.Reference = "It says so, in a whole sentence that is long enough."
			d, err := Diagnose(t.Context(), l, c, CauseRules{})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range d.Steps {
				if s.Step == "oracle" {
					given[labelled] = s.Given
				}
			}
		}
		if len(given) < 2 {
			continue
		}
		compared++
		if len(given[true]) == 0 || !slices.Equal(given[true], given[false]) {
			t.Fatalf("%+v is given as %+v with a label, as %+v without", quote, given[true], given[false])
		}
	}
	if compared < 20 {
		t.Fatalf("only %d of 300 were compared", compared)
	}
}

// Every step of a diagnosis was tried, is told from every other one in both languages, and no Japanese name holds a text of the program
// in English.
func TestStepsAreDistinctAndWereTried(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	steps := map[string]bool{}
	for range 1200 {
		l, contexts := randomPlaces(r)
		l.powers.Prompt, l.config.Generate.Temperature = r.IntN(4) > 0, float64(r.IntN(2))*.3
		d, err := Diagnose(t.Context(), l, lowCase(contexts, "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		checkSteps(t, d)
		for _, s := range d.Steps {
			steps[s.Step] = true
		}
		checkReplaced(t, d)
	}
	for _, s := range []string{"oracle", "regenerate", "deep", "facts", "both", "prompt", "model", "resample"} {
		if !steps[s] {
			t.Errorf("no system came to step %s", s)
		}
	}
}

func checkSteps(t *testing.T, d Diagnosis) {
	t.Helper()
	for _, lang := range []string{"en", "ja"} {
		seen := map[string]bool{}
		for _, s := range d.Steps {
			name := causeWord(lang, "step."+s.Step) + ": " + s.Changed(lang)
			if seen[name] || s.Trials == 0 && s.Step != "evidence" {
				t.Fatalf("%s: step %q stands twice, or was not tried: %+v", lang, name, d.Steps)
			}
			seen[name] = true
			for _, english := range []string{"evidence", "reference", "context", "words", "again", " -> ", "alone"} {
				if lang == "ja" && s.Step != "evidence" && strings.Contains(name, english) {
					t.Fatalf("not translated: %q", name)
				}
			}
		}
	}
}

// checkReplaced looks at what is said of replacements in vain: only of those that were tried.
func checkReplaced(t *testing.T, d Diagnosis) {
	t.Helper()
	_, said, listed := strings.Cut(d.Rationale.EN, "Replacements tried: ")
	if listed != (d.Detail == "nothing_heals") {
		t.Fatalf("%s: %s", d.Detail, d.Rationale.EN)
	}
	for _, step := range []string{"prompt", "model", "both", "oracle", "regenerate", "deep", "facts", "raw_answer"} {
		word := causeWord("en", "tried."+step)
		list, _, _ := strings.Cut(said, ".")
		names := strings.Split(list, ", ")
		tried := slices.ContainsFunc(d.Steps, func(s CauseStep) bool { return s.Step == step })
		if listed && slices.Contains(names, word) != tried {
			t.Fatalf("%q lists %s, tried %v: %+v", list, word, tried, d.Steps)
		}
	}
}

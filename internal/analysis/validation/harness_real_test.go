package validation

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// towns are the documents of a small real corpus: each says who founded a town and what it makes.
var towns = [][3]string{
	{"Ashford", "a miller called Tom Reed", "paper"},
	{"Bexley", "three monks from Ghent", "cheese"},
	{"Calder", "the widow Anna Holt", "rope"},
	{"Dunmore", "a Danish sea captain", "glass"},
	{"Elstow", "two brothers named Pike", "bricks"},
	{"Farley", "a company of weavers", "linen"},
	{"Garston", "the bishop of Ely", "organs"},
	{"Hadley", "a doctor from Padua", "soap"},
}

// townMaterial asks of each town who founded it and what the next one makes, so that the evidence lies in two documents.
func townMaterial(t *testing.T) CauseMaterial {
	t.Helper()
	var docs []rag.Document
	sentences := make([][2]string, len(towns))
	for i, town := range towns {
		sentences[i] = [2]string{
			"The town of " + town[0] + " was founded by " + town[1] + " long before the railway came.",
			"Today the people of " + town[0] + " live from making " + town[2] + ", which is sold in the whole county.",
		}
		docs = append(docs, rag.Document{
			ID: strings.ToLower(town[0]), Lang: "en",
			Text: "A river runs past the old walls. " + sentences[i][0] + " Its market is held on Fridays. " + sentences[i][1] +
				" Visitors come in summer.",
		})
	}
	for _, name := range []string{"Iver", "Jarrow", "Kelso", "Lydney", "Marlow", "Newent", "Oakham", "Penryn"} {
		docs = append(docs, rag.Document{
			ID: strings.ToLower(name), Lang: "en", Text: name +
				" lies on a hill above the valley. Its school has forty pupils. A bus goes to the coast twice a day, and the church is older than the bridge.",
		})
	}
	m := CauseMaterial{Name: "towns", Corpus: rag.NewCorpus("towns", docs)}
	config := harnessBase()
	config.Chunk, config.Retrieve.K = rag.Chunking{By: "chars", Size: 400}, 3
	m.Config = &config
	evidence := func(i, which int) experiments.Evidence {
		words := sentences[i][which]
		start := utf8.RuneCountInString(docs[i].Text[:strings.Index(docs[i].Text, words)])
		return experiments.Evidence{Span: rag.Span{DocID: docs[i].ID, Start: start, End: start + utf8.RuneCountInString(words)},
			Quote: words}
	}
	for i, town := range towns {
		next := (i + 1) % len(towns)
		m.Questions = append(m.Questions, CauseQuestion{
			Question: experiments.Question{
				ID: "q-" + docs[i].ID, Lang: "en", Answerable: true, Evidence: []experiments.Evidence{evidence(i, 0), evidence(next, 1)},
				Text: "Who founded the town of " + town[0] + ", and what do the people of " + towns[next][0] + " make?",
				Reference: "The town of " + town[0] + " was founded by " + town[1] + ". The people of " + towns[next][0] +
					" live from making " + towns[next][2] + ".",
			},
			Ungrounded: "I believe the Romans built a fort there, and that fishing for cod pays for everything.",
			Poor:       "That depends on the town.",
		})
	}
	return m
}

// TestCauseHarnessOnRealText puts the faults into towns, with the scripted judge.
func TestCauseHarnessOnRealText(t *testing.T) {
	t.Parallel()
	m := townMaterial(t)
	rows, err := CauseHarness{Material: &m, Batches: 5, Seed: 1, Noise: []float64{0}}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + CauseTables(rows, "en"))
	var names []string
	for _, r := range rows {
		names = append(names, r.Condition)
		if r.Material != "towns" || r.Judge != "scripted" {
			t.Errorf("%+v", r)
		}
		if r.Condition == "standard" || r.Condition == "ideal" || strings.HasPrefix(r.Condition, "retriever_") && r.N == 0 {
			continue
		}
		if r.N < 20 || float64(r.ReallyWrong.Right) < .85*float64(r.ReallyWrong.N) {
			t.Errorf("%s: %d of %d really wrong ones, of %d answers", r.Condition, r.ReallyWrong.Right, r.ReallyWrong.N, r.N)
		}
	}
	want := []string{
		"ideal", "standard", "database_deleted", "retriever_k", "retriever_chunk", "retriever_embedding", "generation_model",
		"system_prompt",
		"retriever_k+system_prompt", "retriever_k+generation_model",
	}
	if !slices.Equal(names, want) {
		t.Errorf("conditions %v", names)
	}
	for i := range m.Questions {
		m.Questions[i].Ungrounded, m.Questions[i].Poor = "", ""
	}
	_, err = CauseHarness{Material: &m, Conditions: []string{"generation_model"}}.Run(t.Context(), nil)
	if problem.CodeOf(err) != "condition_unknown" {
		t.Errorf("a fault of the generator without stored answers: %v", err)
	}
}

// offlineCauseJudge is the offline judge over a memory of its own.
func offlineCauseJudge(t *testing.T) *CauseJudge {
	t.Helper()
	handlers := offline.Handlers()
	maps.Copy(handlers, metrics.OfflineHandlers())
	maps.Copy(handlers, laboratory.CauseOfflineHandlers())
	providers := offlineEverywhere{llm.NewOffline(handlers, offline.Embedders())}
	specs, err := metrics.Resolve([]string{"correctness", "trust"})
	if err != nil {
		t.Fatal(err)
	}
	setup := experiments.Setup{Judge: metrics.DefaultJudge(), Suite: specs, LowScore: experiments.DefaultLowScore, Offline: true,
		Settled: true}
	suite, err := metrics.NewSuite(specs, setup.Judge, providers, noStages{})
	if err != nil {
		t.Fatal(err)
	}
	observer, err := laboratory.NewObserver(setup.Judge, providers, noStages{})
	if err != nil {
		t.Fatal(err)
	}
	return &CauseJudge{
		Name: setup.Judge.String(), LowScore: setup.LowScore, Paper: observer.Paper,
		Score: func(ctx context.Context, corpus *rag.Corpus, q experiments.Question, a rag.Answer) ([]metrics.Score, error) {
			return suite.Score(ctx, q.Sample(corpus, a))
		},
		Open: func(ctx context.Context, w CauseWorld) (causes.Lab, func(), error) {
			setup := setup
			setup.Config = w.Config
			e := experiments.Evaluation{Run: experiments.Run{Setup: setup}}
			for _, a := range w.Answers {
				e.Questions, e.Results = append(e.Questions, a.Question), append(e.Results, a.Result)
			}
			lab, err := laboratory.NewLab(ctx, laboratory.LabOptions{
				Evaluation: e, Corpus: w.Corpus, Providers: providers, Indexes: rag.NewIndexes(8), Stages: noStages{},
				Reference: &rag.Model{Provider: "offline", Name: "extractive"}, Embedders: harnessEmbedders,
			})
			if err != nil {
				return nil, nil, err
			}
			return lab, lab.Close, nil
		},
	}
}

// TestCauseHarnessWithARealJudge has the offline judge find the same faults in the real lab.
func TestCauseHarnessWithARealJudge(t *testing.T) {
	t.Parallel()
	m := townMaterial(t)
	h := CauseHarness{Material: &m, Judge: offlineCauseJudge(t), Batches: 1, Seed: 1,
		Conditions: []string{"database_deleted", "retriever_k", "generation_model", "system_prompt"}}
	var heard []CauseFinding
	h.Hear = func(f CauseFinding) { heard = append(heard, f) }
	rows, err := h.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + CauseTables(rows, "en"))
	n := 0
	for _, r := range rows {
		n += r.N
		if r.Judge != "offline/lexical" || r.Noise != 0 || r.Control == nil || total(r.Control.ComponentLevel) != r.N {
			t.Errorf("%+v", r)
		}
		if r.N < 4 || 4*r.ReallyWrong.Right < 3*r.ReallyWrong.N {
			t.Errorf("%s: %d of %d really wrong ones, of %d answers: %v", r.Condition, r.ReallyWrong.Right, r.ReallyWrong.N, r.N,
				r.ComponentLevel)
		}
	}
	if len(heard) != n {
		t.Errorf("heard of %d diagnoses of %d", len(heard), n)
	}
	for _, f := range heard {
		if len(f.Case.Result.Scores) != 2 || f.Case.Corner == "" || f.Diagnosis.QuestionID != f.Case.Question.ID {
			t.Errorf("%s: %+v", f.Case.Question.ID, f.Case.Result.Scores)
		}
	}
}

package laboratory

import (
	"context"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// causeStages keeps stages in memory.
type causeStages struct {
	mu    sync.Mutex
	items map[string][]byte
	kinds map[string]int
}

func newCauseStages() *causeStages {
	return &causeStages{items: map[string][]byte{}, kinds: map[string]int{}}
}

func (s *causeStages) Stage(_ context.Context, key string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, ok := s.items[key]
	return body, ok, nil
}

func (s *causeStages) PutStage(_ context.Context, stage rag.Stage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.items[stage.Key]; !ok {
		s.items[stage.Key] = stage.Body
		s.kinds[stage.Kind]++
	}
	return nil
}

type causeProviders struct{ offline llm.Provider }

func (p causeProviders) Provider(string) (llm.Provider, error) { return p.offline, nil }

func offlineEverything() causeProviders {
	handlers := offline.Handlers()
	maps.Copy(handlers, metrics.OfflineHandlers())
	maps.Copy(handlers, CauseOfflineHandlers())
	return causeProviders{llm.NewOffline(handlers, offline.Embedders())}
}

// The rules of a small airline: each document one rule, with what nobody asked about around it.
var causeRulesEN = map[string]string{
	"refunds": "Flex tickets can be refunded until departure. The refund fee of a Flex ticket is 2,000 yen for each segment. Taxes are always returned.",
	"saver":   "Saver tickets cannot be refunded after purchase. Only the airport tax of 440 yen is returned on request within 30 days.",
	"infants": "Children under 2 travel on the lap of an adult free of charge on domestic flights. One infant is allowed for each adult.",
	"bassinet": "Bassinets can be reserved up to 48 hours before departure. They carry infants of up to 10 kg. There are four on each aircraft. " +
		"Cabin staff fix the bassinet to the wall after take-off.",
	"pets":    "Pets travel in the hold. The cage must not exceed 32 kg with the animal. The charge for a pet cage is 6,000 yen for each segment.",
	"typhoon": "When a flight is cancelled because of a typhoon, every ticket can be changed without charge for the next 30 days.",
	"lounge":  "The lounge opens two hours before the first departure. Gold members may bring one guest. Coffee and newspapers are free.",
	"meals":   "Hot meals are served on flights of more than three hours. Special meals must be ordered 72 hours before departure.",
}

var causeAsked = []struct{ id, text, reference, doc, quote string }{
	{"q1", "What is the refund fee of a Flex ticket?", "The refund fee of a Flex ticket is 2,000 yen for each segment.", "refunds",
		"The refund fee of a Flex ticket is 2,000 yen for each segment."},
	{"q2", "Until when can bassinets be reserved?", "Bassinets can be reserved up to 48 hours before departure.", "bassinet",
		"Bassinets can be reserved up to 48 hours before departure."},
	{"q3", "What is the charge for a pet cage?", "The charge for a pet cage is 6,000 yen for each segment.", "pets",
		"The charge for a pet cage is 6,000 yen for each segment."},
}

func causeCorpus(change func(id, text string) string) *rag.Corpus {
	var docs []rag.Document
	for _, id := range []string{"refunds", "saver", "infants", "bassinet", "pets", "typhoon", "lounge", "meals"} {
		text := causeRulesEN[id]
		if change != nil {
			text = change(id, text)
		}
		if text != "" {
			docs = append(docs, rag.Document{ID: id, Text: text, Lang: "en"})
		}
	}
	return rag.NewCorpus("rules", docs)
}

func causeQuestions(labelled bool) []experiments.Question {
	var out []experiments.Question
	for _, a := range causeAsked {
		q := experiments.Question{ID: a.id, Text: a.text, Reference: a.reference, Lang: "en", Answerable: true}
		if labelled {
			at := strings.Index(causeRulesEN[a.doc], a.quote) // ASCII: bytes are code points
			q.Evidence = []experiments.Evidence{{Span: rag.Span{DocID: a.doc, Start: at, End: at + len(a.quote)}, Quote: a.quote}}
		}
		out = append(out, q)
	}
	return out
}

// evaluated answers and scores the questions with the pipeline.
func evaluated(t *testing.T, c rag.Config, corpus *rag.Corpus, questions []experiments.Question, stages rag.Stages) experiments.Evaluation {
	t.Helper()
	providers := offlineEverything()
	system, err := rag.Open(t.Context(), c, corpus, providers, rag.NewIndexes(2), stages)
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	specs, err := metrics.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	suite, err := metrics.NewSuite(specs, metrics.DefaultJudge(), providers, stages)
	if err != nil {
		t.Fatal(err)
	}
	e := experiments.Evaluation{Questions: questions,
		Run: experiments.Run{ID: "run", Kind: experiments.KindEvaluate, Setup: experiments.Setup{
			Config: c, Suite: specs, Judge: metrics.DefaultJudge(), LowScore: experiments.DefaultLowScore, Offline: true, Settled: true,
		}}}
	for _, q := range questions {
		answer, err := system.Answer(t.Context(), q.Text)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := suite.Score(t.Context(), q.Sample(corpus, answer))
		if err != nil {
			t.Fatal(err)
		}
		e.Results = append(e.Results, experiments.Result{QuestionID: q.ID, Answer: &answer, Scores: scores})
	}
	return e
}

// goodConfig answers every question of the small world well.
func goodConfig() rag.Config {
	c := rag.DefaultConfig()
	c.Chunk = rag.Chunking{By: "chars", Size: 300}
	c.Embedding.Name = "ngram"
	c.Retrieve.K = 2
	return c
}

// diagnosed runs the analyst over every question.
func diagnosed(t *testing.T, e experiments.Evaluation, corpus *rag.Corpus, stages rag.Stages,
	a experiments.AnalysisSetup) (map[string]causes.Diagnosis, map[string]string) {
	t.Helper()
	a.Version = causes.CauseVersion
	run := experiments.Run{ID: "diagnose", Kind: experiments.KindDiagnose, Setup: e.Run.Setup}
	run.Setup.Analysis = &a
	analyst, err := OpenDiagnosis(t.Context(), run,
		DiagnosisSource{Evaluation: e, Corpus: corpus, Providers: offlineEverything(), Indexes: rag.NewIndexes(2), Stages: stages})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	found, none := map[string]causes.Diagnosis{}, map[string]string{}
	for _, q := range e.Questions {
		f, err := analyst.Finding(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if f.NotApplicable != "" {
			none[q.ID] = f.NotApplicable
			continue
		}
		found[q.ID] = f.Body.(causes.Diagnosis)
	}
	return found, none
}

// TestRealLabInjectedFaults injects one fault after the other into a small system that answers well without it.
func TestRealLabInjectedFaults(t *testing.T) {
	t.Parallel()
	without := func(quote, instead string) func(id, text string) string {
		return func(_, text string) string { return strings.ReplaceAll(text, quote, instead) }
	}
	fee := causeAsked[2].quote
	for name, c := range map[string]struct {
		config func(*rag.Config)
		corpus func(id, text string) string
		label  bool
		low    int
		want   causes.Component
		detail string
		param  string
	}{
		"none":             {},
		"database":         {corpus: without(fee, ""), low: 1, want: causes.Database, detail: "not_in_corpus", param: "corpus"},
		"database, labels": {corpus: without(fee, ""), label: true, low: 1, want: causes.Database, detail: "removed", param: "corpus"},
		"stale, labels": {corpus: without("6,000", "9,500"), label: true, low: 1, want: causes.Database, detail: "stale",
			param: "corpus"},
		"stale": {corpus: without("6,000", "9,500"), low: 1, want: causes.ReferenceText, detail: "reference_or_stale"},
		"model": {config: func(c *rag.Config) { c.Generate.Name = "closed-book" }, low: 3, want: causes.GenerationModel,
			param: "generate.model"},
		"model, labels": {config: func(c *rag.Config) { c.Generate.Name = "closed-book" }, label: true, low: 3,
			want:  causes.GenerationModel,
			param: "generate.model"},
		"chunk": {config: func(c *rag.Config) { c.Chunk.Size = 24 }, low: 3, want: causes.Retriever, detail: "chunk_border",
			param: "chunk.size"},
		"post-processing": {config: func(c *rag.Config) {
			c.PostProcess = rag.PostModes{"truncate"}
		},
			corpus: without(fee,
				"The charge for a pet cage, which our staff weigh and label at the counter on the day of the flight before the pet "+
					"goes into it, is 6,000 yen for each segment."),
			low: 1, want: causes.PostProcessing, param: "post_process"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := goodConfig()
			if c.config != nil {
				c.config(&config)
			}
			corpus, stages := causeCorpus(c.corpus), newCauseStages()
			e := evaluated(t, config, corpus, causeQuestions(c.label), stages)
			found, none := diagnosed(t, e, corpus, stages,
				experiments.AnalysisSetup{Embedders: []rag.Model{{Provider: "offline", Name: "hash"}}})
			if len(found) != c.low || len(found)+len(none) != len(causeAsked) {
				t.Errorf("%d answers diagnosed, want %d; not applicable: %v", len(found), c.low, none)
			}
			for id, d := range found {
				if d.Component != c.want || d.Detail != c.detail || len(d.Further) > 0 || len(d.Repairs) != 1 ||
					d.Repairs[0].Param != c.param {
					t.Errorf("%s: %s %s %v, repairs %+v; want %s %s %s", id, d.Component, d.Detail, d.Further, d.Repairs, c.want,
						c.detail, c.param)
				}
				if d.Pattern == "" || d.Rationale.EN == "" || d.Rationale.JA == "" {
					t.Errorf("%s: pattern %q, rationale %+v", id, d.Pattern, d.Rationale)
				}
				for _, s := range d.Evidence {
					if corpus.Text(s.Span) != s.Quote {
						t.Errorf("%s: the evidence %q is not what stands at %s: %q", id, s.Quote, s.Span, corpus.Text(s.Span))
					}
				}
			}
			again, _ := diagnosed(t, e, corpus, stages,
				experiments.AnalysisSetup{Embedders: []rag.Model{{Provider: "offline", Name: "hash"}}})
			if diff := cmp.Diff(found, again); diff != "" {
				t.Errorf("diagnosed again, the causes differ (-first +second):\n%s", diff)
			}
		})
	}
}

// TestRealLabWritesAsThePipeline generates from the contexts of the run exactly what the run asked for.
func TestRealLabWritesAsThePipeline(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*rag.Config){
		"default prompt": func(*rag.Config) {},
		"own prompt":     func(c *rag.Config) { c.Generate.Prompt, c.Generate.Temperature = "Answer.", 0.5 },
		"post-processed": func(c *rag.Config) { c.PostProcess = rag.PostModes{"strip_citations"} },
	} {
		config, corpus, stages := goodConfig(), causeCorpus(nil), newCauseStages()
		change(&config)
		e := evaluated(t, config, corpus, causeQuestions(false), stages)
		lab, err := NewLab(t.Context(), LabOptions{Evaluation: e, Corpus: corpus, Providers: offlineEverything(),
			Indexes: rag.NewIndexes(2), Stages: stages})
		if err != nil {
			t.Fatal(err)
		}
		defer lab.Close()
		for i, q := range e.Questions {
			was := e.Results[i].Answer
			answer, raw, err := lab.Generate(t.Context(), q, was.Hits, causes.Swap{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if answer != was.Text || raw != was.Raw {
				t.Errorf("%s: %q (%q), the run has %q (%q)", name, answer, raw, was.Text, was.Raw)
			}
			hits, err := lab.Retrieve(t.Context(), q, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(was.Hits, hits); diff != "" {
				t.Errorf("%s: other contexts (-run +lab):\n%s", name, diff)
			}
		}
	}
}

// TestRealLabSearch finds every claim's window and cuts each sentence into exactly one.
func TestRealLabSearch(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 950)
	corpus := rag.NewCorpus("c", []rag.Document{
		{ID: "en", Text: strings.Repeat("One sentence of some length stands here. ", 30) + "The last one is about penguins."},
		{ID: "ja", Text: strings.Repeat("払い戻しの手数料は二千円です。", 40)},
		{ID: "long", Text: long},
		{ID: "empty"},
	})
	covered := map[string]int{}
	for _, w := range corpusWindows(corpus) {
		if n := w.Range().Len(); n > causes.WindowChars || n == 0 || corpus.Text(w.Span) != w.Text {
			t.Errorf("window %s of %d characters", w.Span, n)
		}
		covered[w.DocID] += len(strings.Join(strings.Fields(w.Text), ""))
	}
	for _, d := range corpus.Documents {
		if want := len(strings.Join(strings.Fields(d.Text), "")); covered[d.ID] != want {
			t.Errorf("the windows of %s hold %d bytes of %d", d.ID, covered[d.ID], want)
		}
	}
	s := newEvidenceSearch(LabOptions{
		Corpus: corpus, Providers: offlineEverything(), Indexes: rag.NewIndexes(1), Stages: newCauseStages(),
		Embedders: []rag.Model{{Provider: "offline", Name: "hash"}},
	}, goodConfig())
	defer s.close()
	for claim, doc := range map[string]string{"The last sentence is about penguins.": "en", "払い戻しの手数料は二千円である。": "ja"} {
		found, err := s.candidates(t.Context(), claim)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 || found[0].DocID != doc ||
			!strings.Contains(found[0].Text, map[string]string{"en": "penguins", "ja": "二千円"}[doc]) {
			t.Errorf("%s: %+v", claim, found)
		}
	}
}

func TestFindQuote(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, quote string
		start, end  int
		ok          bool
	}{
		{"料金は 440円\nです。", "440円です。", 4, 12, true},
		{"The fee is  440 yen.", "fee is 440 yen", 4, 19, true},
		{"The fee is 440 yen.", "fee was 440 yen", 0, 0, false},
		{"The fee", " ", 0, 0, false},
	} {
		start, end, ok := findQuote(c.text, c.quote)
		if start != c.start || end != c.end || ok != c.ok {
			t.Errorf("%q in %q: %d %d %v", c.quote, c.text, start, end, ok)
		}
	}
}

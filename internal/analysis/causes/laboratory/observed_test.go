package laboratory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// saying is a judge that names one cause after the other and remembers what it was shown.
type saying struct {
	causes []causes.Component
	asked  []llm.Request
}

func (s *saying) Info() llm.Info {
	return llm.Info{Name: "judge", Kind: "openai", Origin: "https://judge.example"}
}

func (s *saying) Embed(context.Context, llm.Embedding, []string) ([][]float32, error) {
	return nil, nil
}

func (s *saying) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	c := s.causes[len(s.asked)%len(s.causes)]
	s.asked = append(s.asked, req)
	return llm.Reply{Text: fmt.Sprintf(`{"analysis":"a","recheck":"r","component":%q,"rationale_en":"why %s","rationale_ja":"%s だから"}`,
		c, c, c)}, nil
}

// read is an answer that is read from a log, with its contexts.
func read(answer string, contexts ...rag.Hit) causes.LabCase {
	return causes.LabCase{
		Question: experiments.Question{ID: "q", Text: "what?", Reference: "reference", Answerable: true, Lang: "en"},
		Corner:   causes.CorrectnessLow,
		Result: experiments.Result{QuestionID: "q",
			Answer: &rag.Answer{Retrieval: rag.Retrieval{Hits: contexts}, Generation: rag.Generation{Text: answer}}},
	}
}

func TestObserveVotes(t *testing.T) {
	t.Parallel()
	two := 1 - (-(2./3*math.Log(2./3) + 1./3*math.Log(1./3)))/math.Log(3)
	for _, c := range []struct {
		votes      []causes.Component
		want       causes.Component
		confidence float64
	}{
		{[]causes.Component{causes.ContextNotFound, causes.ContextNotFound, causes.ContextNotFound}, causes.ContextNotFound, 1},
		{[]causes.Component{causes.GenerationUnsure, causes.ContextNotFound, causes.GenerationUnsure}, causes.GenerationUnsure, two},
		{[]causes.Component{causes.GenerationUnsure, causes.ContextNotFound, causes.QuestionText}, causes.QuestionText, 0},
	} {
		judge := &saying{causes: c.votes}
		o, err := NewObserver(metrics.DefaultJudge(), causeProviders{judge}, newCauseStages())
		if err != nil {
			t.Fatal(err)
		}
		in := read("bad", rag.Hit{Span: rag.Span{DocID: "doc", Start: 80, End: 180}, Text: "around the evidence"})
		in.Result.Scores = []metrics.Score{{Metric: "trust", State: metrics.Scored, Value: 1},
			{Metric: "correctness", State: metrics.Errored}}
		d, err := o.Observe(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if d.Component != c.want || math.Abs(d.Confidence-c.confidence) > 1e-6 || d.Method != causes.Observed || len(d.Votes) != 3 ||
			d.Calls != 3 || len(judge.asked) != 3 {
			t.Errorf("%v: %+v", c.votes, d)
		}
		if d.Rationale.EN != "why "+string(c.want) || d.Rationale.JA != string(c.want)+" だから" {
			t.Errorf("%v: the rationale of another vote: %+v", c.votes, d.Rationale)
		}
		if again, err := o.Observe(t.Context(), in); err != nil || again.Component != d.Component || len(judge.asked) != 3 {
			t.Errorf("asked again: %v, %v after %d calls", again.Component, err, len(judge.asked))
		}
		var shown causeLogData
		if err := json.Unmarshal(judge.asked[0].Data, &shown); err != nil {
			t.Fatal(err)
		}
		if shown.Reference != "reference" || len(shown.Contexts) != 1 || shown.Metrics["trust"] != 1 || len(shown.Metrics) != 1 {
			t.Errorf("the judge was shown %+v", shown)
		}
	}
}

func TestPaperAsksOnce(t *testing.T) {
	t.Parallel()
	judge := &saying{causes: []causes.Component{causes.SystemPrompt}}
	o, err := NewObserver(metrics.DefaultJudge(), causeProviders{judge}, newCauseStages())
	if err != nil {
		t.Fatal(err)
	}
	d, err := o.Paper(t.Context(), read("bad"))
	if err != nil || d.Component != causes.SystemPrompt || d.Data != causes.GenerationData || d.Method != causes.PaperWay ||
		len(judge.asked) != 1 ||
		d.Confidence != 0 {
		t.Errorf("%+v, %v after %d calls", d, err, len(judge.asked))
	}
	judge.causes = []causes.Component{"magic"}
	if _, err := o.Paper(t.Context(), read("other")); llm.CauseOf(err) != llm.CauseSchema || len(judge.asked) != 3 {
		t.Errorf("a cause that there is not: %v after %d calls", err, len(judge.asked))
	}
}

// TestCauseRepliesFitTheirForm decodes what the offline handlers and the stand-ins of a plan say as strictly as the schema asks.
func TestCauseRepliesFitTheirForm(t *testing.T) {
	t.Parallel()
	evidence := causeEvidenceData{Question: "What is the fee?", Claim: "The fee is 440 yen.",
		Passages: causePassages([]string{"The fee is 440 yen.", "The fee is 550 yen.", "Dogs bark."})}
	log := causeLogData{
		Question: "What is the fee?", Contexts: causePassages([]string{"The fee is 440 yen."}), Answer: "Nobody knows.",
		Reference: "The fee is 440 yen.",
		Metrics:   map[string]float64{"correctness": 1},
	}
	for purpose, c := range map[string]struct{ data, reply any }{
		PurposeCauseClaims:   {causeClaimsData{Question: "What is the fee?", Reference: "The fee is 440 yen."}, &causeClaimsReply{}},
		PurposeCauseEvidence: {evidence, &causeEvidenceReply{}},
		PurposeCauseQuestion: {causeClaimsData{Question: "What is the fee?", Reference: "440 yen"}, &causeQuestionReply{}},
		PurposeCauseObserved: {log, &causeLogReply{}},
		PurposeCausePaper:    {log, &causeLogReply{}},
	} {
		body, err := json.Marshal(c.data)
		if err != nil {
			t.Fatal(err)
		}
		req := llm.Request{Purpose: purpose, Model: metrics.DefaultJudge().Name, Data: body}
		said, err := CauseOfflineHandlers()[purpose](req)
		if err != nil {
			t.Fatal(err)
		}
		stand, ok := CauseStandIn(req)
		if !ok {
			t.Errorf("%s has no stand-in", purpose)
		}
		for _, reply := range []string{stand, said} {
			dec := json.NewDecoder(bytes.NewReader([]byte(reply)))
			dec.DisallowUnknownFields()
			if err := dec.Decode(c.reply); err != nil {
				t.Errorf("%s: %s: %v", purpose, reply, err)
			}
			if fault := c.reply.(metrics.Reply).Fault(); fault != "" {
				t.Errorf("%s: %s", purpose, fault)
			}
		}
		if !json.Valid(causeSchemas[purpose].Body) || causePrompts[purpose]["en"] == "" || causePrompts[purpose]["ja"] == "" {
			t.Errorf("%s lacks a schema or a prompt", purpose)
		}
		if _, err := CauseOfflineHandlers()[purpose](llm.Request{Purpose: purpose, Model: "gpt", Data: body}); err == nil {
			t.Errorf("%s answers as a model that the offline provider does not have", purpose)
		}
	}
	if len(CauseOfflineHandlers()) != len(causeSchemas) || len(causePrompts) != len(causeSchemas) {
		t.Error("handlers, prompts and schemas are not of the same purposes")
	}
}

// TestOfflineObserver tells what a log shows, in both languages, and no more.
func TestOfflineObserver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		question, reference, answer string
		contexts                    []string
		scores                      map[string]float64
		observed, paper             causes.Component
	}{
		"lacking": {
			"What is the refund fee?", "The refund fee is 2,000 yen.", "The documents do not say.",
			[]string{"Dogs travel in the hold."},
			map[string]float64{"correctness": 1},
			causes.ContextNotFound, causes.Retriever,
		},
		"lacking, ja": {
			"払い戻しの手数料はいくらですか。", "払い戻しの手数料は2,000円です。", "記載がありません。",
			[]string{"ペットは貨物室で運びます。"},
			map[string]float64{"correctness": 1},
			causes.ContextNotFound, causes.Retriever,
		},
		"on the topic": {
			"What is the refund fee?", "The refund fee is 2,000 yen.", "The documents do not say.",
			[]string{"A refund is possible; a fee applies to it."},
			map[string]float64{"correctness": 1},
			causes.ContextNotFound, causes.Database,
		},
		"there": {
			"What is the refund fee?", "The refund fee is 2,000 yen.",
			"In general fees depend on the airline and on the season of the year.",
			[]string{"The refund fee is 2,000 yen."},
			map[string]float64{"correctness": 1, "trust": 1},
			causes.GenerationUnsure, causes.GenerationModel,
		},
		"good": {
			"What is the refund fee?", "The refund fee is 2,000 yen.", "The refund fee is 2,000 yen.",
			[]string{"The refund fee is 2,000 yen."},
			map[string]float64{"correctness": 5, "trust": 5},
			causes.NoFault, causes.NoFault,
		},
		"no subject": {"How much is it?", "The refund fee is 2,000 yen.", "Nobody knows.", nil, map[string]float64{"correctness": 1},
			causes.QuestionText, causes.QuestionText},
	} {
		d := causeLogData{Question: c.question, Reference: c.reference, Answer: c.answer, Contexts: causePassages(c.contexts),
			Metrics: c.scores}
		ours, err := offlineObserved(d)
		if err != nil {
			t.Fatal(err)
		}
		paper, err := offlinePaper(d)
		if err != nil {
			t.Fatal(err)
		}
		if ours.Component != c.observed || paper.Component != c.paper {
			t.Errorf("%s: %s and %s, want %s and %s; %s", name, ours.Component, paper.Component, c.observed, c.paper, ours.Analysis)
		}
	}
}

// TestAnalystMethods gives each method its badge, and leaves out what is not low.
func TestAnalystMethods(t *testing.T) {
	t.Parallel()
	config := goodConfig()
	config.Generate.Name = "closed-book"
	corpus, stages := causeCorpus(nil), newCauseStages()
	e := evaluated(t, config, corpus, causeQuestions(false), stages)
	e.Results[0].Scores = []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: 5}}
	for method, want := range map[string]causes.Component{"": causes.GenerationModel, "tested": causes.GenerationModel,
		"observed": causes.GenerationUnsure,
		"paper":    causes.GenerationModel} {
		found, none := diagnosed(t, e, corpus, stages, experiments.AnalysisSetup{Method: method})
		if len(none) != 1 || none["q1"] != NotLow {
			t.Errorf("%s: not applicable %v", method, none)
		}
		for id, d := range found {
			badge := causes.CauseMethod(method)
			if method == "" {
				badge = causes.Tested
			}
			if d.Component != want || d.Method != badge || d.Pattern != causes.PatternNotInContexts {
				t.Errorf("%s %s: %s %s, pattern %s", method, id, d.Method, d.Component, d.Pattern)
			}
		}
	}
	run := experiments.Run{ID: "d", Setup: e.Run.Setup}
	if _, err := OpenDiagnosis(t.Context(), run, DiagnosisSource{Evaluation: e, Providers: offlineEverything(),
		Stages: stages}); err == nil {
		t.Error("a run without an analysis was opened")
	}
	run.Setup.Analysis = &experiments.AnalysisSetup{Version: "0"}
	if _, err := OpenDiagnosis(t.Context(), run, DiagnosisSource{Evaluation: e, Providers: offlineEverything(),
		Stages: stages}); err == nil {
		t.Error("a run of another version was opened")
	}
}

// TestFindEvidence finds the place of each claim, and says when one is missing.
func TestFindEvidence(t *testing.T) {
	t.Parallel()
	for _, labelled := range []bool{false, true} {
		corpus, stages := causeCorpus(nil), newCauseStages()
		e := evaluated(t, goodConfig(), corpus, causeQuestions(labelled), stages)
		lab, err := NewLab(t.Context(), LabOptions{Evaluation: e, Corpus: corpus, Providers: offlineEverything(),
			Indexes: rag.NewIndexes(1), Stages: stages})
		if err != nil {
			t.Fatal(err)
		}
		defer lab.Close()
		for i, q := range e.Questions {
			spans, found, err := lab.FindEvidence(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if !found || len(spans) != 1 || corpus.Text(spans[0]) != causeAsked[i].quote {
				t.Errorf("%s: %v %v", q.ID, found, spans)
			}
		}
		q := e.Questions[0]
		q.Reference, q.Evidence = "Penguins may fly in the cockpit on Sundays.", nil
		q.ID = "other"
		if spans, found, err := lab.FindEvidence(t.Context(), q); err != nil || found || len(spans) > 0 {
			t.Errorf("evidence of penguins: %v %v %v", spans, found, err)
		}
	}
}

// TestRiskOf names the good answers whose evidence a change takes away.
func TestRiskOf(t *testing.T) {
	t.Parallel()
	config := goodConfig()
	corpus, stages := causeCorpus(nil), newCauseStages()
	e := evaluated(t, config, corpus, causeQuestions(true), stages)
	lab, err := NewLab(t.Context(), LabOptions{Evaluation: e, Corpus: corpus, Providers: offlineEverything(), Indexes: rag.NewIndexes(1),
		Stages: stages})
	if err != nil {
		t.Fatal(err)
	}
	defer lab.Close()
	same, err := causes.RiskOf(t.Context(), lab, e, []causes.Repair{{Component: causes.Retriever, Param: "retrieve.k", From: 2, To: 2}})
	if err != nil || same.Good != 3 || same.Changed != 0 || len(same.AtRisk) != 0 || same.Unmeasured != 0 {
		t.Errorf("no change: %+v %v", same, err)
	}
	cut, err := causes.RiskOf(t.Context(), lab, e, []causes.Repair{{Component: causes.Retriever, Param: "chunk.size", From: 300, To: 20}})
	if err != nil || cut.Changed != 3 || len(cut.AtRisk) != 3 {
		t.Errorf("chunks of 20 characters: %+v %v", cut, err)
	}
	if prompt, err := causes.RiskOf(t.Context(), lab, e, []causes.Repair{{Component: causes.SystemPrompt, Param: "generate.prompt",
		To: causes.ReferencePart}}); err != nil || prompt.Good != 0 {
		t.Errorf("a prompt changes no contexts: %+v %v", prompt, err)
	}
}

// TestAnalystIsSafe works many questions at the same time, as a run does, and finds what it finds one after the other.
func TestAnalystIsSafe(t *testing.T) {
	t.Parallel()
	config := goodConfig()
	config.Chunk.Size = 24
	corpus, stages := causeCorpus(nil), newCauseStages()
	e := evaluated(t, config, corpus, causeQuestions(false), stages)
	want, _ := diagnosed(t, e, corpus, stages, experiments.AnalysisSetup{})
	run := experiments.Run{ID: "diagnose", Setup: e.Run.Setup}
	run.Setup.Analysis = &experiments.AnalysisSetup{Version: causes.CauseVersion}
	analyst, err := OpenDiagnosis(t.Context(), run, DiagnosisSource{
		Evaluation: e, Corpus: corpus, Providers: offlineEverything(), Indexes: rag.NewIndexes(2), Stages: newCauseStages(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	var flying sync.WaitGroup
	for range 4 {
		for _, q := range e.Questions {
			flying.Go(func() {
				f, err := analyst.Finding(t.Context(), q)
				if err != nil {
					t.Error(err)
					return
				}
				if diff := cmp.Diff(want[q.ID], f.Body); diff != "" {
					t.Errorf("%s (-alone +together):\n%s", q.ID, diff)
				}
			})
		}
	}
	flying.Wait()
}

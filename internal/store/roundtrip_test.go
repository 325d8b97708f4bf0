package store

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/records"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// TestRoundTrip stores domain values with every exported field set and expects each field back. A field that a row
// forgets fails here.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d database) {
		s := d.open(t)
		t.Run("corpus", func(t *testing.T) { roundTripCorpus(t, s) })
		t.Run("dataset", func(t *testing.T) { roundTripDataset(t, s) })
		t.Run("experiment", func(t *testing.T) { roundTripExperiment(t, s) })
		t.Run("run and baseline", func(t *testing.T) { roundTripRun(t, s) })
		t.Run("call", func(t *testing.T) { roundTripCall(t, s) })
		t.Run("result", func(t *testing.T) { roundTripResult(t, s) })
	})
}

func diff(t *testing.T, want, got any, opts ...cmp.Option) {
	t.Helper()
	// Parameters of a search go out as JSON: as such they are kept, and a number may be one of another type.
	sent := cmp.Transformer("JSON", func(params map[string]any) string {
		text, err := json.Marshal(params)
		ok(t, err)
		return string(text)
	})
	if d := cmp.Diff(want, got, append(opts, sent)...); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func roundTripCorpus(t *testing.T, s *Store) {
	want := rag.NewCorpus("manual", filled1[[]rag.Document]())
	ref, created, err := s.PutCorpus(t.Context(), want, at(5))
	ok(t, err)
	want.Version = 1
	if !created {
		t.Error("a new corpus was not created")
	}
	diff(t, experiments.Ref{Name: "manual", Version: 1, Digest: want.Digest}, ref)
	diff(t, want, must[*rag.Corpus](t)(s.Corpus(t.Context(), "manual")), cmpopts.IgnoreUnexported(rag.Corpus{}))
	diff(t, []experiments.Listing{{Ref: ref, Items: 2, Chars: want.Chars(), CreatedAt: at(5)}},
		must[[]experiments.Listing](t)(s.Corpora(t.Context())))
}

func roundTripDataset(t *testing.T, s *Store) {
	want := experiments.NewDataset("faq", filled1[[]experiments.Question]())
	ref, _, err := s.PutDataset(t.Context(), want, at(6))
	ok(t, err)
	want.Version = 1
	diff(t, want, must[*experiments.Dataset](t)(s.Dataset(t.Context(), "faq@1")))
	chars := len([]rune(want.Questions[0].Text + want.Questions[1].Text))
	diff(t, []experiments.Listing{{Ref: ref, Items: 2, Chars: chars, CreatedAt: at(6)}},
		must[[]experiments.Listing](t)(s.Datasets(t.Context())))
}

func roundTripExperiment(t *testing.T, s *Store) {
	want := experiments.Experiment{Revision: 1, Definition: filled1[experiments.Definition](), CreatedAt: at(7)}
	want.Name = want.Definition.Name
	diff(t, want, must[experiments.Experiment](t)(s.PutExperiment(t.Context(), want.Definition, at(7))))
	ok(t, s.SetArchived(t.Context(), want.Name, true))
	want.Archived = true
	diff(t, want, must[experiments.Experiment](t)(s.Experiment(t.Context(), want.Name)))
}

func roundTripRun(t *testing.T, s *Store) {
	want := filled1[experiments.Run]()
	want.ID = "0123456789ab"
	row, err := records.ToRunRow(want)
	ok(t, err)
	ok(t, s.Read(t.Context()).Create(&row).Error)
	diff(t, want, must[experiments.Run](t)(s.Run(t.Context(), want.ID)))

	b := filled1[experiments.Baseline]()
	b.RunID = want.ID
	ok(t, s.SetBaseline(t.Context(), b))
	diff(t, b, must[experiments.Baseline](t)(s.Baseline(t.Context(), b.Dataset)))
	diff(t, []experiments.Baseline{b}, must[[]experiments.Baseline](t)(s.Baselines(t.Context())))
}

func roundTripCall(t *testing.T, s *Store) {
	want := filled1[llm.Call]()
	want.Despite = "" // what Begin is told, and no part of what is kept
	row := toCallRow(want)
	ok(t, s.Read(t.Context()).Create(&row).Error)
	ok(t, s.Read(t.Context()).Create(&records.CacheRow{Key: string(want.Key), CallID: want.ID, Created: at(0)}).Error)
	diff(t, &want, must[*llm.Call](t)(s.Lookup(t.Context(), want.Key)))
}

func roundTripResult(t *testing.T, s *Store) {
	want := filled1[experiments.Result]()
	want.Grounds, want.Cover = nil, nil // found out when a run closes
	want.Reasons, want.Prints = "", nil // of what is loaded in short
	specs := make([]metrics.Spec, len(want.Scores))
	for i := range want.Scores {
		want.Scores[i].State = metrics.Scored
		specs[i] = metrics.Spec{ID: want.Scores[i].Metric, Version: "older"}
	}
	failure := want
	failure.QuestionID, failure.Answer = "another", nil
	want.Failure, want.Retrieved, want.Replicate = nil, nil, 0
	retrieval := must[string](t)(sqldb.EncodeJSON(want.Answer.Retrieval))
	generation := must[string](t)(sqldb.EncodeJSON(want.Answer.Generation))
	failure.Replicate = 0
	run, err := s.CreateRun(t.Context(), experiments.Run{Kind: experiments.KindEvaluate, Setup: experiments.Setup{Suite: specs},
		CreatedAt: at(0)},
		[]string{want.QuestionID, "another"})
	ok(t, err)
	third := want
	third.Replicate = 3
	ok(t, s.SaveResults(t.Context(), run.ID, []experiments.Result{failure, third, want}, []rag.Stage{
		{Key: want.Answer.RetrievalKey, Kind: "retrieve", Body: []byte(retrieval)},
		{Key: failure.Retrieved.RetrievalKey, Kind: "retrieve",
			Body: []byte(must[string](t)(sqldb.EncodeJSON(failure.Retrieved.Retrieval)))},
		{Key: want.Answer.GenerationKey, Kind: "generate", Body: []byte(generation)},
	}, at(1)))
	all := []experiments.Result{want, third, failure}
	diff(t, all, must[[]experiments.Result](t)(s.Results(t.Context(), run.ID)))
	over(t, s, run.ID)
	diff(t, all, copied(t, s, run))
}

// toCallRow is the inverse of fromCallRow: the store itself writes calls a column at a time.
func toCallRow(c llm.Call) records.CallRow {
	return records.CallRow{
		ID: c.ID, RunID: c.RunID, QuestionID: c.QuestionID, Stage: c.Stage, Purpose: c.Purpose, Provider: c.Provider, Origin: c.Origin,
		Model: c.Model, Key: string(c.Key), Replicate: c.Replicate, Attempt: c.Attempt, State: string(c.State), Owner: c.Owner,
		SentAt: c.SentAt,
		DoneAt: c.DoneAt, HTTPStatus: c.HTTPStatus, EstimateMicros: c.EstimateMicros, CostMicros: c.CostMicros, CostKind: c.CostKind,
		PromptTokens: c.PromptTokens, CompletionTokens: c.CompletionTokens, ModelSeen: c.ModelSeen, Request: c.Request, Reply: c.Reply,
		ReplySHA256: c.ReplySHA256, Cause: c.Cause, Repair: c.Repair, CachedTokens: c.CachedTokens,
	}
}

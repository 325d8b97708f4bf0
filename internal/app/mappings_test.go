package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings/mappingstest"
)

// ourChunks is how the rules are cut where our own index is compared with a team's.
const ourChunks = "{chunk: {by: chars, size: 50}, embedding: {provider: offline, model: ngram}, retrieve: {mode: dense, k: 3}}"

// mappedWorld is a world with a server that holds the chunks of the rules.
func mappedWorld(t *testing.T) (*apptest.World, *mappingstest.Chroma) {
	t.Helper()
	w := apptest.NewWorld(t, "")
	w.Env["CHROMA_TOKEN"] = mappingstest.Token
	corpus, err := w.Store.Corpus(t.Context(), "rules")
	if err != nil {
		t.Fatal(err)
	}
	return w, mappingstest.Serve(t, mappingstest.Rows(t, corpus, rag.Chunking{By: "chars", Size: 50}))
}

// mapOnto registers the server's collection as a corpus.
func mapOnto(t *testing.T, w *apptest.World, c *mappingstest.Chroma, name, offsets string) (app.MappedCorpus, error) {
	t.Helper()
	source, err := app.ReadMapping(w.Write(t, name+".yaml", c.File(offsets)))
	if err != nil {
		t.Fatal(err)
	}
	return app.AddMapping(t.Context(), w.Workbench, name, "rules", w.Dir, source)
}

func mustMapOnto(t *testing.T, w *apptest.World, c *mappingstest.Chroma, name, offsets string) app.MappedCorpus {
	t.Helper()
	added, err := mapOnto(t, w, c, name, offsets)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// over is the run of an experiment over a corpus, with the scores of what was found.
func over(t *testing.T, w *apptest.World, corpus, more string) (experiments.Run, map[string]experiments.Mean) {
	t.Helper()
	run := w.WorkedWhole(t, "name: over-"+corpus+"\ncorpus: "+corpus+"\ndataset: asked\nsuite: [retrieval, document_recall]\nbase: "+
		ourChunks+"\n"+more)
	return run, run.Totals.Scores
}

// TestRunsOverATeamsIndex is row 17 through whole runs: evidence recall is that of our own index over the same chunks; without places it
// is not measurable, and that of documents is.
func TestRunsOverATeamsIndex(t *testing.T) {
	t.Parallel()
	w, server := mappedWorld(t)
	_, own := over(t, w, "rules", "")
	for _, offsets := range []string{rag.OffsetsFields, rag.OffsetsLocate} {
		added := mustMapOnto(t, w, server, "kb-"+offsets, offsets)
		if c := added.Index.Check; c.Sample == 0 || c.Found != c.Sample || c.Warns() {
			t.Errorf("offsets %s: %+v", offsets, c)
		}
		_, got := over(t, w, "kb-"+offsets, "")
		if d := cmp.Diff(own, got); d != "" {
			t.Errorf("offsets %s (-ours +theirs):\n%s", offsets, d)
		}
	}
	mustMapOnto(t, w, server, "kb-none", rag.OffsetsNone)
	run, got := over(t, w, "kb-none", "")
	for name, score := range got {
		if name != "document_recall" && score.N > 0 {
			t.Errorf("%s of places that are not known is %v", name, score.Mean)
		}
	}
	if got["document_recall"].N != len(apptest.AskedQuestions) || got["document_recall"].Mean != own["document_recall"].Mean {
		t.Errorf("document recall %+v, of our own %+v", got["document_recall"], own["document_recall"])
	}
	results, err := w.Store.Results(t.Context(), run.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		for _, s := range r.Scores {
			if s.Metric != "document_recall" && (s.State != metrics.NotApplicable || s.Reason != rag.NoSpans) {
				t.Errorf("%s of %s is %s for the reason %q", s.Metric, r.QuestionID, s.State, s.Reason)
			}
		}
	}
}

// TestAChangedIndexIsComputedAgain: equal contents are not searched twice, and changed ones are not taken for what they were.
func TestAChangedIndexIsComputedAgain(t *testing.T) {
	t.Parallel()
	w, server := mappedWorld(t)
	mustMapOnto(t, w, server, "kb", rag.OffsetsFields)
	first, _ := over(t, w, "kb", "")
	asked := server.Asked("POST query")
	if asked != len(apptest.AskedQuestions) {
		t.Errorf("%d searches for %d questions", asked, len(apptest.AskedQuestions))
	}
	if again, _ := over(t, w, "kb", ""); server.Asked("POST query") != asked || again.Chain != first.Chain {
		t.Errorf("unchanged, %d searches more", server.Asked("POST query")-asked)
	}
	server.Change(func(rows []mappingstest.Row) []mappingstest.Row {
		rows[0].ID = "another"
		return rows
	})
	changed, _ := over(t, w, "kb", "")
	if server.Asked("POST query") != 2*asked {
		t.Errorf("changed, %d searches more", server.Asked("POST query")-asked)
	}
	if changed.Setup.Config.Index.Identity == first.Setup.Config.Index.Identity {
		t.Error("the contents have the identity of those before")
	}
	for what, n := range map[string]int{"POST add": 0, "POST upsert": 0, "POST update": 0, "POST delete": 0, "POST collections": 0} {
		if server.Asked(what) != n {
			t.Errorf("the server was asked %s", what)
		}
	}
}

func TestMappingsThatDoNotFit(t *testing.T) {
	t.Parallel()
	w, server := mappedWorld(t)
	mustMapOnto(t, w, server, "kb", rag.OffsetsFields)
	sweep := func(corpus, axes string) error {
		path := w.Write(t, "sweep.yaml", "name: sweep\ncorpus: "+corpus+"\ndataset: asked\nbase: "+ourChunks+"\nsweep: "+axes+"\n")
		e, _, err := w.Experiment(t.Context(), path)
		if err != nil {
			return err
		}
		_, _, err = w.SweepJobs(t.Context(), e, app.Select{})
		return err
	}
	if err := sweep("kb", "{retrieve.k: [1, 2], rerank: [none, lexical]}"); err != nil {
		t.Errorf("k and rerank: %v", err)
	}
	for axes, want := range map[string]string{
		"{chunk.size: [40, 50]}":                      "index_axis",
		"{retrieve.bm25.k1: [1, 2]}":                  "index_axis",
		"{corpus: [rules, kb], chunk.size: [40, 50]}": "index_axis",
		"{retrieve.params.ef: [1, 2]}":                "index_field",
		"{retrieve.mode: [dense, bm25]}":              "config_field",
	} {
		if err := sweep("kb", axes); problem.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", axes, err, want)
		}
	}
	err := sweep("kb", "{chunk.size: [40, 50]}")
	if err == nil || !strings.Contains(err.Error(), "sweep.chunk.size is [40 50]: corpus kb") {
		t.Errorf("both values of an axis without effect: %v", err)
	}
	if err := sweep("rules", "{retrieve.params.ef: [1, 2]}"); problem.CodeOf(err) != "config_field" {
		t.Errorf("parameters of our own index: %v", err)
	}
	if err := sweep("rules", "{corpus: [rules, kb]}"); err != nil {
		t.Errorf("ours and theirs beside each other: %v", err)
	}

	delete(w.Env, "CHROMA_TOKEN")
	if _, err := mapOnto(t, w, server, "no-key", rag.OffsetsFields); problem.CodeOf(err) != "index_key" {
		t.Errorf("without its key: %v", err)
	}
	w.Env["CHROMA_TOKEN"] = "another-token-0123456789"
	_, err = mapOnto(t, w, server, "wrong-key", rag.OffsetsFields)
	if problem.CodeOf(err) != "index_refused" || strings.Contains(err.Error(), "another-token") {
		t.Errorf("with a wrong key: %v", err)
	}
	w.Env["CHROMA_TOKEN"] = mappingstest.Token
	server.Change(func(rows []mappingstest.Row) []mappingstest.Row {
		for i := range rows[:len(rows)*3/4] {
			rows[i].Start, rows[i].End = rows[i].Start+7, rows[i].End+7
		}
		return rows
	})
	if _, err := mapOnto(t, w, server, "shifted", rag.OffsetsFields); problem.CodeOf(err) != "index_sample" {
		t.Errorf("offsets that are off: %v", err)
	}
	if _, err := w.Store.Corpus(t.Context(), "shifted"); !problem.Is(err, problem.NotFound) {
		t.Errorf("what was refused is there: %v", err)
	}
	if _, err := mapOnto(t, w, server, "located", rag.OffsetsLocate); err != nil {
		t.Errorf("located: %v", err)
	}
}

// TestAMappingOfAStudyReachesNothing: a run from elsewhere says what rows mean, and only what is registered here says where they are.
func TestAMappingOfAStudyReachesNothing(t *testing.T) {
	t.Parallel()
	w, server := mappedWorld(t)
	added := mustMapOnto(t, w, server, "kb", rag.OffsetsFields)
	corpus, err := w.Store.Corpus(t.Context(), "kb")
	if err != nil {
		t.Fatal(err)
	}
	other := added.Index.IndexMapping
	other.Table = "payroll"
	if _, _, err := w.Providers.Mapped(t.Context(), corpus, other); problem.CodeOf(err) != "index_unknown" {
		t.Errorf("another table: %v", err)
	}
	corpus.Name = "elsewhere"
	if _, _, err := w.Providers.Mapped(t.Context(), corpus, added.Index.IndexMapping); problem.CodeOf(err) != "index_unknown" {
		t.Errorf("a corpus without an index: %v", err)
	}
}

// TestExamplesOfMappings: every example of the documentation is a mapping that can be added, and every engine has one.
func TestExamplesOfMappings(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for _, page := range []string{"retrieval.md", "retrieval.ja.md"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{"elasticsearch": true} // beside opensearch
		for _, part := range strings.Split(string(raw), "```yaml\n")[1:] {
			example, _, _ := strings.Cut(part, "```")
			if !strings.HasPrefix(example, "index:") {
				continue
			}
			source, err := app.ReadMapping(w.Write(t, "example.yaml", example))
			if err != nil {
				t.Errorf("%s: %v\n%s", page, err, example)
				continue
			}
			source.IndexMapping = source.Normalised()
			if err := source.Validate(); err != nil {
				t.Errorf("%s: %v\n%s", page, err, example)
			}
			seen[source.Engine] = true
		}
		if len(seen) != len(rag.MappedEngines()) {
			t.Errorf("%s has examples of %v", page, seen)
		}
	}
}

// TestADetachedIndex: no run that is not over loses its index; afterwards stored results stay, and the documents are searched by ourselves.
func TestADetachedIndex(t *testing.T) {
	t.Parallel()
	w, server := mappedWorld(t)
	mustMapOnto(t, w, server, "kb", rag.OffsetsFields)
	run, scores := over(t, w, "kb", "")
	waiting := run
	waiting.ID, waiting.State = "", experiments.Queued
	waiting, err := w.Store.CreateRun(t.Context(), waiting, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.DetachMapping(t.Context(), w.Workbench, "kb"); problem.CodeOf(err) != "index_in_use" ||
		!strings.Contains(err.Error(), waiting.ID) {
		t.Errorf("detached from under run %s: %v", waiting.ID, err)
	}
	if _, err := w.Store.ClaimRun(t.Context(), waiting.ID, w.Owner, w.Options.Now(), w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.StopRun(t.Context(), waiting.ID, w.Owner, experiments.Cancelled, "user", w.Options.Now()); err != nil {
		t.Fatal(err)
	}
	if was, err := app.DetachMapping(t.Context(), w.Workbench, "kb"); err != nil || was.Engine != "chroma" {
		t.Fatalf("detached %q: %v", was.Engine, err)
	}
	if _, err := app.DetachMapping(t.Context(), w.Workbench, "kb"); problem.CodeOf(err) != "index_none" {
		t.Errorf("detached once more: %v", err)
	}
	if stored, err := w.Store.Run(t.Context(), run.ID); err != nil || stored.Setup.Config.Index == nil {
		t.Errorf("the run does not say what it searched: %v", err)
	}
	asked := server.Asked("POST query")
	again, own := over(t, w, "kb", "")
	if again.Setup.Config.Index != nil || server.Asked("POST query") != asked || len(own) != len(scores) {
		t.Errorf("the detached index is searched still: %d searches more", server.Asked("POST query")-asked)
	}
}

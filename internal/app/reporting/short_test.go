package reporting

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/reports"
)

// unshortened is a store that does not tell results in short: all are read whole.
type unshortened struct{ experiments.Store }

// TestReportsInShortOfAJudgeThatDiffers: where the judge says something else each time it is asked, a comparison, its findings and a report
// in every format are the same of runs that were read in short and whole: as they came, with an error, asked again, and with further votes.
// What is not over is neither compared nor reported.
func TestReportsInShortOfAJudgeThatDiffers(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	const n = 24
	path := w.Write(t, "more.jsonl", apptest.Lines(n, func(i int) any {
		at := i % len(apptest.AskedQuestions)
		return map[string]any{"question_id": fmt.Sprintf("m%02d", i), "question": fmt.Sprintf("%s (%d)", apptest.AskedQuestions[at], i),
			"reference": apptest.RightAnswers[at], "tags": []string{fmt.Sprint("theme:", i%3)}, "critical": i == 0,
			"evidence": []map[string]any{{"doc_id": fmt.Sprintf("rule-%d", at), "quote": apptest.RightAnswers[at]}}}
	}))
	if _, _, err := w.ImportDataset(t.Context(), filepath.Clean(path), "more", "rules", nil); err != nil {
		t.Fatal(err)
	}
	m := &moody{}
	m.sick.Store(true)
	w.Replace(t, fakeprovider.New(fakeprovider.Options{Key: w.Env["OPENAI_API_KEY"], Answer: m.answer}))
	run := func(name string, k int) experiments.Run {
		t.Helper()
		const file = "name: %s\ncorpus: rules\ndataset: more\njudge: {provider: openai, model: judge-1}\nbase: {retrieve: {mode: bm25, k: %d}}\n"
		path := w.Write(t, name+".yaml", fmt.Sprintf(file, name, k))
		x, _, err := w.Experiment(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		done, err := w.Run(t.Context(), w.JobOf(t, x))
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	first, again, other := run("first", 1), run("again", 1), run("other", 3)
	if first.Setup.Settled {
		t.Fatal("the judge is taken for one that always says the same")
	}
	pairs := [][2]string{{first.ID, again.ID}, {first.ID, other.ID}, {other.ID, first.ID}}
	sameInShort(t, w, pairs, "en", "ja")
	m.sick.Store(false)
	if _, err := w.RetryErrors(t.Context(), other.ID, false, experiments.Budget{}); err != nil {
		t.Fatal(err)
	}
	sameInShort(t, w, pairs, "both")
	for _, id := range []string{first.ID, other.ID} {
		if _, err := w.Replicates(t.Context(), id, 2); err != nil {
			t.Fatal(err)
		}
	}
	sameInShort(t, w, pairs, "both")
}

// A moody judge grades as it likes: the next time it likes something else, and says so in other words. While it is sick, some of its grades
// cannot be read.
type moody struct{ sick atomic.Bool }

func (m *moody) answer(r fakeprovider.Request) (string, error) {
	mood := func(of ...any) uint64 {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, of...)
		return h.Sum64() >> 7
	}
	if !strings.Contains(string(r.Schema), `"score"`) {
		return apptest.Respond(r.Model, r.System, r.User, r.Schema)
	}
	if m.sick.Load() && mood(string(r.Data()))%9 == 0 {
		return "no grade", nil
	}
	now := mood(r.Hash, r.Times)
	return fmt.Sprintf(`{"reason":"in mood %d","score":%d}`, now, 1+now%5), nil
}

// sameInShort compares what is said of pairs of runs that are read in short and whole.
func sameInShort(t *testing.T, w *apptest.World, pairs [][2]string, langs ...string) {
	t.Helper()
	type said struct{ comparison, findings, report any }
	for _, pair := range pairs {
		say := func(lang string) (out said) {
			t.Helper()
			c, both, err := app.CompareInShort(t.Context(), w.Workbench, pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range both {
				keyed := slices.ContainsFunc(e.Results, func(r experiments.Result) bool {
					return r.Grounds != nil && r.Answer.RetrievalKey != ""
				})
				if _, whole := w.Store.(unshortened); keyed != whole {
					t.Fatalf("results of run %s have keys: %v", e.Run.ID, keyed)
				}
			}
			found, err := Findings(t.Context(), w.Workbench, c, both, compare.DefaultGateRules())
			if err != nil {
				t.Fatal(err)
			}
			r, err := Report(t.Context(), w.Workbench, pair[0], pair[1], lang, "test", GateAsked{})
			if err != nil {
				t.Fatal(err)
			}
			r.GeneratedAt = time.Time{}
			return said{c, found, written(t, r)}
		}
		for _, lang := range langs {
			short, store := say(lang), w.Store
			w.Store = unshortened{store}
			whole := say(lang)
			w.Store = store
			for what, both := range map[string][2]any{"comparison": {whole.comparison, short.comparison},
				"findings": {whole.findings, short.findings}, "report": {whole.report, short.report}} {
				if diff := cmp.Diff(both[0], both[1]); diff != "" {
					t.Errorf("the %s of %v is another in short (-whole +short):\n%.2000s", what, pair, diff)
				}
			}
		}
	}
}

// written is a report in every format.
func written(t *testing.T, r reports.Report) (out []string) {
	t.Helper()
	for _, write := range []func(reports.Report, io.Writer) error{
		reports.Report.WriteXLSX, reports.Report.WriteHTML, reports.Report.WriteMarkdown, reports.Report.WriteJSONL,
		reports.Report.WriteCSV,
	} {
		var body bytes.Buffer
		if err := write(r, &body); err != nil {
			t.Fatal(err)
		}
		out = append(out, body.String())
	}
	return out
}

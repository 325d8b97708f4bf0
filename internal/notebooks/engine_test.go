package notebooks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// bench is an engine over a table of runs in memory: it counts what is bought, and stops where it is told to.
type bench struct {
	versions map[string]int    // of datasets and corpora
	runs     map[string]string // id by work
	bought   []string          // works that were paid, in order
	stopAt   string            // a cell whose work stops halfway, once
	calls    int               // price of one run
	change   string            // that the diagnosis recommends
}

func newBench() *bench {
	return &bench{versions: map[string]int{}, runs: map[string]string{}, calls: 10, change: "k to 6"}
}

func (b *bench) Version(string) string { return "1" }

func (b *bench) Resolve(_ context.Context, w Wanted) (document.Source, error) {
	v := 1 + b.versions[w.Source]
	count := 12
	if w.Limit > 0 {
		count = min(count, w.Limit)
	}
	return NewSource(w, fmt.Sprintf("%s@%d", w.Source, v), w.Source, fmt.Sprintf("%s %s %d", w.Kind, w.Source, v), count, 12), nil
}

func (b *bench) Check(context.Context, Work) error { return nil }

func (b *bench) key(w Work) []string {
	if w.Causes != nil {
		return []string{hashOf(w.Causes)}
	}
	if w.Apply != nil {
		return []string{hashOf([]any{w.Apply, b.change})}
	}
	var out []string
	for _, c := range w.Runs.Configs {
		c.Name = ""
		out = append(out, hashOf([]any{c, w.Runs.Dataset.Identity(), w.Runs.Metrics, w.Runs.Judge}))
	}
	return out
}

func (b *bench) Price(_ context.Context, w Work) (Price, error) {
	p := Price{Priced: true, Currency: "USD"}
	for _, k := range b.key(w) {
		p.Runs++
		if b.runs[k] == "" {
			p.Calls += b.calls
			p.Micros += int64(b.calls) * 1000
		} else {
			p.RunsDone++
		}
	}
	return p, nil
}

func (b *bench) Buy(ctx context.Context, w Work, _ experiments.Budget) (Bought, error) {
	out := Bought{Versions: map[string]string{}, Spend: Spend{Currency: "USD"}}
	if w.Causes != nil {
		out.Versions["run"] = w.Causes.Run
	}
	if w.Apply != nil {
		out.Versions = map[string]string{"run": w.Apply.Run, "change": "retrieve-k-6", "change_en": "k to 6", "change_ja": "k を 6 に"}
	}
	for i, k := range b.key(w) {
		if b.runs[k] == "" {
			if b.stopAt == w.Cell {
				b.stopAt = ""
				out.Runs, out.Spend.Calls = append(out.Runs, BoughtRun{"half", "half-" + k[:6]}), 5
				return out, problem.New(problem.Unavailable, "provider_down", "the provider is down")
			}
			b.runs[k] = "run-" + k[:6]
			b.bought = append(b.bought, w.Cell)
			out.Spend.Calls += b.calls
			out.Spend.Micros += int64(b.calls) * 1000
		}
		label := w.Cell
		if w.Runs != nil {
			label = w.Runs.Configs[i].Name
		}
		out.Runs = append(out.Runs, BoughtRun{label, b.runs[k]})
	}
	return out, ctx.Err()
}

func (b *bench) has(id string) bool {
	for _, r := range b.runs {
		if r == id {
			return true
		}
	}
	return false
}

func (b *bench) Runs(_ context.Context, runs []BoughtRun) (document.RunSet, error) {
	out := document.RunSet{Count: len(runs)}
	for _, r := range runs {
		if !b.has(r.ID) {
			return out, problem.New(problem.NotFound, "run_unknown", "there is no run %s", r.ID)
		}
		out.Runs = append(out.Runs, document.Run{ID: r.ID, Label: r.Label, Chain: r.ID, Questions: 12, LowScores: 3, Coverage: 1, Votes: 1,
			Offline: true, Scores: map[string]float64{"correctness": 4.25, "trust": 4}})
	}
	out.First, out.Best = &out.Runs[0], &out.Runs[len(out.Runs)-1]
	return out, nil
}

func (b *bench) Causes(_ context.Context, run, _ string) (document.CauseSet, error) {
	if b.change == "" {
		return document.CauseSet{}, nil // nothing is low
	}
	top := document.CauseCount{Component: "retriever", Name: document.Words{EN: "retriever", JA: "検索"}, Count: 2}
	return document.CauseSet{RunID: run, Method: "tested", LowScores: 3, Diagnosed: 3, Top: &top, Counts: []document.CauseCount{top},
		Change: document.Words{EN: b.change, JA: "k を 6 に"}, Repairs: 2, Told: document.Words{EN: "Tried on 3, it repaired 1.", JA: "3件で試した結果、1件が改善しました。"},
		Recommendations: []document.Recommended{{Name: "retrieve-k-6", Change: document.Words{EN: b.change, JA: "k を 6 に"}, Repairs: 2}},
		Summary:         document.Words{EN: "3 are low.", JA: "3件が低い。"}}, nil
}

func (b *bench) Compare(_ context.Context, baseline, candidate string, _ document.Limits) (document.Comparison, error) {
	if baseline == "" {
		baseline = "the-pinned-one"
	}
	return document.Comparison{
		Headline: document.Words{EN: "One got worse.", JA: "1問が悪化しました。"},
		Baseline: document.Run{ID: baseline}, Candidate: document.Run{ID: candidate}, Matched: 12,
		Worse:  document.Counted{Count: 1, Questions: []string{"q1"}},
		Better: document.Counted{Count: 1234}, LowBefore: 5, LowAfter: 3,
		Metrics:   map[string]document.Change{"correctness": {Baseline: 3.5, Candidate: 4.25, Diff: 0.75}},
		Sentences: document.Words{EN: "It is better.", JA: "良くなった。"},
		Found: []document.Found{{Name: "release", Title: document.Words{EN: "May we release this?", JA: "公開してよいですか"},
			Lines: []document.Words{{EN: "Not yet.", JA: "まだです。"}}}},
	}, nil
}

func (b *bench) Tables(_ context.Context, wanted map[string]bool, runs []QueryRun, _ []document.Source) (map[string][][]any, error) {
	out := map[string][][]any{}
	for _, r := range runs {
		row := make([]any, columnsOf("runs"))
		row[0], row[2] = r.ID, r.Config
		out["runs"] = append(out["runs"], row)
		for i, x := range []float64{4, 5} {
			out["scores"] = append(out["scores"], []any{r.ID, fmt.Sprintf("q%d", i+1), 0, "correctness", x, "scored", "because", "1"})
		}
	}
	for name := range out {
		if !wanted[name] {
			delete(out, name)
		}
	}
	return out, nil
}

// columnsOf is how many columns a table of every notebook has.
func columnsOf(name string) int {
	tables := document.QueryTables()
	return len(tables[slices.IndexFunc(tables, func(t sqlbox.Table) bool { return t.Name == name })].Columns)
}

func (b *bench) Themes(context.Context, []QueryRun, []document.Source) (map[string]document.Words, error) {
	return map[string]document.Words{}, nil
}

func (b *bench) Stamp(_ context.Context, runs []QueryRun) (string, error) { return hashOf(runs), nil }

func (b *bench) Found(context.Context, string) (document.Report, error) {
	return document.Report{Headline: document.Words{EN: "Overall fair.", JA: "おおむね良好です。"}}, nil
}

func (b *bench) Repair(_ context.Context, run string, take []string) (document.Config, error) {
	return document.Config{Corpus: "docs@1", Base: map[string]any{"retrieve": map[string]any{"k": 6.0}},
		Repaired: &document.Repaired{Run: run, Names: take, Change: document.Words{EN: b.change, JA: b.change}}}, nil
}

func (b *bench) Failures(context.Context, string, int) (document.Failures, error) {
	low := 1.0
	return document.Failures{Count: 1, Questions: 12, Threshold: 2, Bubbles: [5][5]int{{1}, {}, {}, {}, {0, 0, 0, 0, 11}},
		Answers: []document.Answer{{ID: "q1", Question: "<b>Why?</b>", Answer: "[x](https://evil.example)", Correctness: &low}}}, nil
}

func (b *bench) Answer(_ context.Context, _, id string) (document.Answer, error) {
	return document.Answer{ID: id}, nil
}

func (b *bench) Gate(context.Context, string, string, document.Limits) (document.Verdict, error) {
	return document.Verdict{Decision: "FAIL", Worse: 1, Reasons: []string{"1 answer is worse"},
		Why:     []document.Words{{EN: "1 of 4 answers is worse", JA: "4件中1件の回答が悪化しています"}},
		Caution: document.Words{EN: "The check counts all the same.", JA: "件数を数えた結果です。"}}, nil
}

func (b *bench) Agreement(_ context.Context, _ string, proposed []document.Target) (document.Agreement, error) {
	return document.Agreement{Count: len(proposed), Targets: proposed}, nil
}

func (b *bench) WriteReport(_ context.Context, r document.Report, drawn []spreadsheet.NamedPlan, lang string, w io.Writer) error {
	_, err := fmt.Fprint(w, r.RunID, lang)
	for _, p := range drawn {
		_, _ = fmt.Fprint(w, " ", p.Name, ":", p.Plan.Mark)
	}
	return err
}

func (b *bench) Export(context.Context, string, []string) error {
	return problem.New(problem.Internal, "export", "the bench exports nothing")
}

// opened writes a notebook to a folder and opens it.
func opened(t *testing.T, b *bench, text string) *Notebook {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.rag.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return again(t, b, path)
}

func again(t *testing.T, b *bench, path string) *Notebook {
	t.Helper()
	n, err := Open(path, b, func() time.Time { return time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func approve(CellView) (bool, error) { return true, nil }

// run executes everything.
func run(t *testing.T, n *Notebook) *View {
	t.Helper()
	v, err := n.Run(t.Context(), Options{Approve: approve})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// watched calls a function in the middle of each purchase.
type watched struct {
	*bench
	during func()
}

func (w watched) Buy(ctx context.Context, work Work, b experiments.Budget) (Bought, error) {
	w.during()
	return w.bench.Buy(ctx, work, b)
}

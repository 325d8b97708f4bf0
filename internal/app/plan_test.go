package app_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/problem"
)

// planned plans jobs, runs them, and holds what was bought against the plan.
func planned(w *apptest.World, t *testing.T, jobs []app.Job) (app.Plan, experiments.Spending) {
	t.Helper()
	before := len(w.Provider.Ledger())
	plan, err := w.Plan(t.Context(), jobs)
	if err != nil {
		t.Fatalf("the plan failed: %v", err)
	}
	if n := len(w.Provider.Ledger()); n != before {
		t.Fatalf("planning made %d calls", n-before)
	}
	completions, chats := 0, w.Billed("chat/completions")
	for _, s := range plan.Stages {
		if s.Stage != "embed" {
			completions += s.Buy
		}
	}
	var spent experiments.Spending
	for _, job := range jobs {
		run, err := w.Run(t.Context(), job)
		if err != nil && problem.CodeOf(err) != "internal" && run.ID == "" {
			t.Fatal(err)
		}
		one, err := w.Store.Spent(t.Context(), run.ID)
		if err != nil {
			t.Fatal(err)
		}
		spent.Calls += one.Calls
		spent.ConfirmedMicros += one.ConfirmedMicros + one.PossibleMicros
	}
	bought := w.Billed("chat/completions") - chats
	if bought > completions {
		t.Errorf("planned at most %d completions, bought %d", completions, bought)
	}
	if spent.Calls > plan.Buy || spent.ConfirmedMicros > plan.PriceMicros {
		t.Errorf("planned at most %d calls for %d, bought %d for %d", plan.Buy, plan.PriceMicros, spent.Calls, spent.ConfirmedMicros)
	}
	t.Logf("%s: calls: at most %d, expected %d, bought %d; price: at most %d, expected %d, paid %d",
		t.Name(), plan.Buy, plan.ExpectedBuy, spent.Calls, plan.PriceMicros, plan.ExpectedMicros, spent.ConfirmedMicros)
	return plan, spent
}

const judgeEmbeds = "\njudge: {provider: openai, model: judge-1, embedding: {provider: openai, model: embed-1}}\n"

// partly are the states in which a part of what a plan needs is bought.
var partly = map[string]func(t *testing.T, w *apptest.World) []app.Job{
	"nothing": func(t *testing.T, w *apptest.World) []app.Job { return []app.Job{w.JobFile(t, apptest.Bought)} },
	"some questions": func(t *testing.T, w *apptest.World) []app.Job {
		limited(w, t, apptest.Bought, 3)
		return []app.Job{w.JobFile(t, apptest.Bought)}
	},
	"a page was added": func(t *testing.T, w *apptest.World) []app.Job {
		w.Worked(t, apptest.Bought)
		w.Write(t, "docs/more.jsonl", apptest.Lines(1, func(int) any {
			return map[string]any{"doc_id": "new", "text": "A new page about refunds of Flex tickets."}
		}))
		corpus(w, t)
		return []app.Job{w.JobFile(t, apptest.Bought)}
	},
	"another chunk size": func(t *testing.T, w *apptest.World) []app.Job {
		w.Worked(t, apptest.Bought)
		return []app.Job{w.JobFile(t, strings.Replace(apptest.Bought, "size: 80", "size: 120", 1))}
	},
	"another embedder": func(t *testing.T, w *apptest.World) []app.Job {
		w.Worked(t, apptest.Bought)
		return []app.Job{w.JobFile(t, strings.Replace(apptest.Bought, "embed-1", "embed-2", 1))}
	},
	"a sweep": func(t *testing.T, w *apptest.World) []app.Job {
		limited(w, t, apptest.Bought, 2)
		return jobs(w, t, apptest.Bought+"sweep: {chunk.size: [80, 120], retrieve.k: [2, 3], embedding.model: [embed-1, embed-2]}\n")
	},
	"a sweep over writers and cuts": func(t *testing.T, w *apptest.World) []app.Job {
		return jobs(w, t, apptest.Bought+"sweep: {generate.model: [writer-1, writer-2], post_process: [none, truncate, strip_citations]}\n")
	},
	"rewritten queries": func(t *testing.T, w *apptest.World) []app.Job {
		rewrite := strings.Replace(apptest.Bought, "  retrieve:", "  rewrite: {mode: llm, provider: openai, model: writer-2}\n  retrieve:",
			1)
		return []app.Job{w.JobFile(t, rewrite), w.JobFile(t, strings.Replace(rewrite, "dense", "bm25", 1))}
	},
	"reranked": func(t *testing.T, w *apptest.World) []app.Job {
		limited(w, t, apptest.Bought, 2)
		rerank := strings.Replace(apptest.Bought, "  generate:", "  rerank: {mode: llm, provider: openai, model: writer-2}\n  generate:", 1)
		return []app.Job{w.JobFile(t, rerank), w.JobFile(t, strings.Replace(rerank, "k: 2", "k: 3", 1))}
	},
	"a judge that embeds": func(t *testing.T, w *apptest.World) []app.Job {
		w.Worked(t, apptest.Bought)
		return []app.Job{w.JobFile(t, strings.Replace(apptest.Bought, "\njudge: {provider: openai, model: judge-1}\n", judgeEmbeds, 1))}
	},
	"joint verdicts": func(t *testing.T, w *apptest.World) []app.Job {
		limited(w, t, apptest.Bought+"suite: compact\n", 2)
		return []app.Job{w.JobFile(t, apptest.Bought+"suite: compact\n"), w.JobFile(t, strings.Replace(apptest.Bought, "k: 2",
			"k: 3", 1)+"suite: compact\n")}
	},
	"hybrid search, killed": func(t *testing.T, w *apptest.World) []app.Job {
		hybrid := strings.Replace(apptest.Bought, "dense", "bm25", 1)
		interrupted(w, t, hybrid, 4)
		return []app.Job{w.JobFile(t, hybrid)}
	},
	"killed while queries were embedded": func(t *testing.T, w *apptest.World) []app.Job {
		interrupted(w, t, apptest.Bought, 3)
		return []app.Job{w.JobFile(t, apptest.Bought)}
	},
}

// TestPlanIsAnUpperBoundInEveryState plans and runs from every state in which a part is bought.
func TestPlanIsAnUpperBoundInEveryState(t *testing.T) {
	t.Parallel()
	for name, state := range partly {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.NewPriced(t)
			jobs := state(t, w)
			w.Price()
			planned(w, t, jobs)
			planned(w, t, jobs) // where calls failed, some are left to buy
		})
	}
}

// TestPlanExpectsWhatIsPaid holds the expected price against the bill of four worlds: where nothing is known of the models, where an
// experiment went on for a while, and where its retrieval changes. Their search finds what is asked for. A system that mostly says
// that the documents do not say is judged with less than is expected before anything is known; in the fourth world a part is.
func TestPlanExpectsWhatIsPaid(t *testing.T) {
	t.Parallel()
	bought := strings.NewReplacer("dense", "bm25", "size: 80", "size: 200").Replace(apptest.Bought)
	for name, state := range map[string]func(t *testing.T, w *apptest.World) []app.Job{
		"nothing is known": func(t *testing.T, w *apptest.World) []app.Job { return []app.Job{w.JobFile(t, bought)} },
		"half is bought": func(t *testing.T, w *apptest.World) []app.Job {
			limited(w, t, bought, 4)
			return []app.Job{w.JobFile(t, bought)}
		},
		"more contexts": func(t *testing.T, w *apptest.World) []app.Job {
			w.Worked(t, bought)
			return []app.Job{w.JobFile(t, strings.Replace(strings.Replace(bought, "k: 2", "k: 4", 1), "size: 200", "size: 120", 1))}
		},
		"most answers say that the documents do not say": func(t *testing.T, w *apptest.World) []app.Job {
			limited(w, t, apptest.Bought, 5)
			return []app.Job{w.JobFile(t, apptest.Bought)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.NewPriced(t)
			jobs := state(t, w)
			w.Price()
			plan, spent := planned(w, t, jobs)
			if ratio := float64(plan.ExpectedMicros) / float64(spent.ConfirmedMicros); ratio < 0.75 || ratio > 1.25 {
				t.Errorf("expected %d, paid %d: %.2f", plan.ExpectedMicros, spent.ConfirmedMicros, ratio)
			}
		})
	}
}

func TestPlanWithoutPricesIsUnknown(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	plan, err := w.Plan(t.Context(), []app.Job{w.JobFile(t, apptest.Bought)})
	if err != nil || plan.PriceKnown || plan.Buy == 0 {
		t.Errorf("plan = %+v, %v", plan, err)
	}
}

// limited runs the first n questions.
func limited(w *apptest.World, t *testing.T, yaml string, n int) {
	t.Helper()
	j, err := w.Job(t.Context(), w.Registered(t, yaml), app.Select{Limit: n})
	if err == nil {
		_, err = w.Run(t.Context(), j)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// interrupted breaks a run off after n calls.
func interrupted(w *apptest.World, t *testing.T, yaml string, n int) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	kept := w.Provider
	w.Provider = fakeprovider.New(fakeprovider.Options{
		Key: w.Env["OPENAI_API_KEY"], Answer: fakeprovider.Offline(), Dimension: 32,
		Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
			if r.N == n {
				interrupt()
			}
			return fakeprovider.Behaviour{}
		},
	})
	if _, err := w.Run(ctx, w.JobFile(t, yaml)); err == nil {
		t.Fatal("the run was not interrupted")
	}
	w.Replace(t, kept) // a call that was under way is nobody's by now
	w.OpenAgain(t, "")
	w.Price()
}

func jobs(w *apptest.World, t *testing.T, yaml string) []app.Job {
	t.Helper()
	jobs, _, err := w.SweepJobs(t.Context(), w.Registered(t, yaml), app.Select{})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func corpus(w *apptest.World, t *testing.T) {
	t.Helper()
	if _, err := w.ImportCorpus(t.Context(), filepath.Join(w.Dir, "docs"), "rules", false); err != nil {
		t.Fatal(fmt.Errorf("import the corpus again: %w", err))
	}
}

// TestAPlanSaysThatARunSearchesAGraph: a plan has no graph to search, and says so in both languages where the run has one.
func TestAPlanSaysThatARunSearchesAGraph(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	for search, graph := range map[string]bool{
		"mode: dense, k: 2": false, "mode: dense, k: 2, engine: pgvector": false,
		"mode: dense, k: 2, engine: pgvector, pgvector: {index: hnsw}": true,
	} {
		job := w.JobFile(t, "name: graph\nsuite: [hit]\nbase: {retrieve: {"+search+"}}\n")
		plan, err := w.Plan(t.Context(), []app.Job{job})
		if err != nil {
			t.Fatal(err)
		}
		if said := plan.Search; (said != nil) != graph || graph &&
			(!strings.Contains(said.EN, "HNSW") || !strings.Contains(said.JA, "HNSW")) {
			t.Errorf("%s: the plan says %+v", search, plan.Search)
		}
	}
}

// Configurations that give a question the same answer have it judged once, and nobody knows before which do: a plan of a sweep says what
// it takes if all do, and what if none does. What is made lies between.
func TestAPlanOfASweepSaysBothEnds(t *testing.T) {
	t.Parallel()
	w := apptest.NewPriced(t)
	all := jobs(w, t, apptest.Bought+"sweep: {retrieve.k: [2, 3, 4], chunk.size: [80, 120]}\n")
	plan, spent := planned(w, t, all)
	if plan.AlikeBuy <= 0 || plan.AlikeBuy >= plan.ExpectedBuy || plan.AlikeMicros >= plan.ExpectedMicros {
		t.Errorf("%d to %d calls for %d to %d", plan.AlikeBuy, plan.ExpectedBuy, plan.AlikeMicros, plan.ExpectedMicros)
	}
	if low := float64(plan.AlikeBuy) * .6; float64(spent.Calls) < low {
		t.Errorf("%d calls were made, %d to %d planned", spent.Calls, plan.AlikeBuy, plan.ExpectedBuy)
	}
	if one, err := w.Plan(t.Context(), all[:1]); err != nil || one.AlikeBuy != 0 {
		t.Errorf("of one run: %d, %v", one.AlikeBuy, err)
	}
}

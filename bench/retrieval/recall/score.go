package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/bench/retrieval/evidence"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/stats"
)

// noStages stores nothing.
type noStages struct{}

func (noStages) Stage(context.Context, string) ([]byte, bool, error) { return nil, false, nil }
func (noStages) PutStage(context.Context, rag.Stage) error           { return nil }

var indexes = rag.NewIndexes(1)

// run fills in the share of each question's evidence that lies in the hits that fit.
func (w *way) run(corpus *rag.Corpus, questions []evidence.Question, tokens int, count func([]rune) int) error {
	ctx := context.Background()
	provider := onlyOffline{llm.NewOffline(offline.Handlers(), offline.Embedders())}
	system, err := rag.Open(ctx, w.config, corpus, provider, indexes, noStages{})
	if err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	defer system.Close()
	for _, q := range questions {
		found, _, err := system.Retrieve(ctx, q.Question)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		left := tokens
		var shown []rag.Span
		for _, h := range found.Hits {
			if left -= count([]rune(h.Text)); left < 0 {
				break
			}
			shown = append(shown, h.Span)
		}
		w.recall = append(w.recall, evidence.Share(q.Evidence, shown))
	}
	return nil
}

// half is the mean over every second question, from the first or from the second.
func (w way) half(first int) float64 {
	sum, n := 0.0, 0
	for i := first; i < len(w.recall); i += 2 {
		sum += w.recall[i]
		n++
	}
	return sum / float64(n)
}

func best(list []way) way {
	return slices.MaxFunc(list, func(a, b way) int { return cmp.Compare(a.half(0), b.half(0)) })
}

func report(old, recent []way) error {
	a, b := best(old), best(recent)
	var differences []float64
	var labels []int
	for i := 1; i < len(a.recall); i += 2 {
		differences, labels = append(differences, b.recall[i]-a.recall[i]), append(labels, i)
	}
	means, err := stats.ClusterBootstrapMeans(differences, labels, 24, 4000)
	if err != nil {
		return err
	}
	interval := stats.PercentileInterval(means, .95)
	fmt.Printf("| %s | %s | %.3f → %.3f | %+.3f [%+.3f, %+.3f] |\n", a.name, b.name, a.half(1), b.half(1), b.half(1)-a.half(1), interval.Low,
		interval.High)
	return nil
}

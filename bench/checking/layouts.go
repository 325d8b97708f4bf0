package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rag-workbench/workbench/bench/helpcentre"
	"github.com/rag-workbench/workbench/bench/recorded"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// layouts are ways of asking for the same verdicts: the suites of metrics that are asked one after the other. The verdicts on answer and
// reference alone were recorded for the readers' pairs.
var layouts = []struct {
	name   string
	suites [][]string
}{
	{"each list of claims with each kind of text", [][]string{{"faithfulness"}, {"context_recall"}, {"factual_correctness"}}},
	{"everything in one request (shipped)", [][]string{{"faithfulness", "context_recall", "factual_correctness"}}},
}

// perLanguage is how many answers of each language are laid out.
const perLanguage = 8

// layouts compares what is said of the same claim and passage in other company.
func (t *trial) layouts(ctx context.Context) error {
	samples, err := t.retrieved(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("## Layouts: %d answers of the demo\n\n| asked | judged | waiting | verify requests | prompt tokens | cells | "+
		"the same verdict as apart | of those decided apart |\n|---|---|---|---|---|---|---|---|\n", len(samples))
	var before []map[cell]string
	for i, l := range layouts {
		got := figures{}
		for n, s := range samples {
			all, waits := map[cell]string{}, false
			for _, suite := range l.suites {
				reader := &tap{}
				_, waiting, err := t.score(ctx, s, reader, nil, suite...)
				if err != nil {
					return err
				}
				waits = waits || waiting
				maps.Copy(all, reader.said)
				got.requests, got.tokens = got.requests+reader.checks, got.tokens+reader.tokens
			}
			if i == 0 {
				before = append(before, all)
			}
			got.add(waits, before[n], all)
		}
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d (%.3f) | %d of %d |\n", l.name, got.judged, got.waiting, got.requests, got.tokens,
			got.cells, got.same, share(got.same, got.cells), got.sameDecided, got.decided)
	}
	fmt.Println()
	return nil
}

// figures are what came of one layout.
type figures struct {
	judged, waiting, requests, tokens int
	cells, same                       int
	decided, sameDecided              int // cells that were supported or contradicted before
}

func (f *figures) add(waits bool, before, now map[cell]string) {
	if waits {
		f.waiting++
		return
	}
	f.judged++
	for at, verdict := range now {
		was, there := before[at]
		if !there {
			continue
		}
		f.cells++
		if was == verdict {
			f.same++
		}
		if was != neither {
			f.decided++
			if was == verdict {
				f.sameDecided++
			}
		}
	}
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

// retrieved are later answers of pairs about the demo's help centre with what is retrieved for their questions after the demo's change.
func (t *trial) retrieved(ctx context.Context) ([]metrics.Sample, error) {
	var out []metrics.Sample
	for _, lang := range []string{"en", "ja"} {
		of := slices.DeleteFunc(slices.Clone(t.pairs), func(p validation.ReadersPair) bool {
			return p.Lang != lang || !p.PairSamples()[1].Answerable || p.ID[:3] != lang+"-"
		})
		of = recorded.Chosen(of, perLanguage, "layouts 1 ", func(p validation.ReadersPair) string { return p.ID })
		some, err := t.retrieve(ctx, lang, of)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

func (t *trial) retrieve(ctx context.Context, lang string, pairs []validation.ReadersPair) (out []metrics.Sample, err error) {
	dir, err := os.MkdirTemp("", "checking-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	free := "{provider: offline, model: extractive}"
	if err := helpcentre.Write(dir, lang, helpcentre.Experiments("hit", "{provider: offline, model: lexical}", free)); err != nil {
		return nil, err
	}
	e, _, err := t.workbench.Experiment(ctx, filepath.Join(dir, "after.yaml"))
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		answered, err := t.workbench.Ask(ctx, e, p.Question)
		if err != nil {
			return nil, err
		}
		s := p.PairSamples()[1]
		s.Contexts = answered.Answer.Hits
		out = append(out, s)
	}
	return out, nil
}

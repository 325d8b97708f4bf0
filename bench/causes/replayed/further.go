package main

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// vagueAsked is how many questions of a text the fault vague_prompt is dealt.
const vagueAsked = 16

// further deals what is left of a text to the faults of the system prompt, first keyword, then vague: by the same digest, those with short
// references before those with longer ones, whenever the system without faults finds the evidence. Its corpus is the documents of all
// questions that fit, so that none is easier to find than its neighbour.
func (w *world) further(ctx context.Context, bench *app.Workbench, dir string, t text) (*world, error) {
	m, err := validations.CauseMaterial(ctx, bench, validations.CauseValidation{Items: dir})
	if err != nil {
		return nil, err
	}
	order := ordered(m, t.reference)
	for _, q := range ordered(m, t.longer) {
		if !among(order, q) {
			order = append(order, q)
		}
	}
	out := over(bench, m.Corpus, order, t.lang)
	var found []experiments.Question
	for _, q := range order {
		if slices.ContainsFunc(w.dealt, func(dealt []experiments.Question) bool { return among(dealt, q) }) {
			continue
		}
		hits, err := out.retrieve(ctx, base(), q)
		if err != nil {
			return nil, err
		}
		if held(out.corpus, q, hits) {
			found = append(found, q)
		}
	}
	first := min(t.keyword, len(found))
	out.dealt = [][]experiments.Question{found[:first], found[first:min(first+vagueAsked, len(found))]}
	return out, nil
}

// among reports whether a question is one of the list.
func among(list []experiments.Question, q experiments.Question) bool {
	return slices.ContainsFunc(list, func(other experiments.Question) bool { return other.ID == q.ID })
}

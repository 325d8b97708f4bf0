package checkup

import (
	"context"
	"maps"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// recipe is what the results of a run must have been made with, as its setup says.
type recipe struct {
	run       experiments.Run
	questions map[string]experiments.Question
	corpus    *rag.Corpus // nil where the system keeps its documents to itself

	ways   []way // by the addresses of its providers; any may have been the one
	judged bool  // its metrics are those of this program

	unasked map[string]bool // outputs that no call stands behind, though they are replies of models that cost money
}

// way is a system whose providers are at certain addresses.
type way struct {
	system    *rag.System
	providers rag.Providers
}

// mostWays bounds the combinations of addresses that are tried.
const mostWays = 8

// recipes makes recipes. Runs that follow each other mostly have documents and questions in common.
type recipes struct {
	Place

	corpus    *rag.Corpus
	corpusOf  string
	questions map[string]experiments.Question
	dataset   string

	free map[string]string // outputs that no call stands behind, by kind; nil before they are needed
}

// of is the recipe of a run; nil where the run cannot be computed again: it looked into another one, another version of the offline
// provider worked for it, its search is approximate, or what it rests on is not here, of which others tell.
func (r *recipes) of(ctx context.Context, run experiments.Run) (*recipe, error) {
	s := run.Setup
	switch {
	case run.State != experiments.Finished, s.Analysis != nil, run.Kind != experiments.KindEvaluate && run.Kind != experiments.KindVerify,
		s.AsksOffline() && s.OfflineVersion != llm.OfflineVersion, s.Config.Retrieve.Approximates(), s.Config.Index != nil:
		return nil, ctx.Err()
	}
	out := &recipe{run: run, judged: !slices.ContainsFunc(s.Suite, func(m metrics.Spec) bool {
		_, same := m.Current()
		return !same
	})}
	if err := r.read(ctx, s); err != nil {
		return nil, ctx.Err()
	}
	out.questions, out.corpus = r.questions, r.corpus
	var err error
	if out.unasked, err = r.unasked(ctx, s); err != nil {
		return nil, err
	}
	ways, err := r.origins(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, origins := range ways {
		w := readerOf(r.Place, origins)
		providers := silent{w.Providers, w.Providers}
		system, err := rag.OpenForKeys(ctx, s.Config, r.corpus, providers, stored{r.Store})
		if err != nil {
			return nil, ctx.Err()
		}
		out.ways = append(out.ways, way{system, providers})
	}
	return out, nil
}

// read reads documents and questions, where they are not those of the run before.
func (r *recipes) read(ctx context.Context, s experiments.Setup) error {
	if of := s.Corpus.String(); of != r.corpusOf || r.corpus == nil {
		r.corpus, r.corpusOf = nil, of
		if s.Corpus.Name != "" {
			var err error
			if r.corpus, err = r.Store.Corpus(ctx, of); err != nil {
				return err
			}
		}
	}
	if of := s.Dataset.String(); of != r.dataset {
		dataset, err := r.Store.Dataset(ctx, of)
		if err != nil {
			return err
		}
		r.questions, r.dataset = make(map[string]experiments.Question, len(dataset.Questions)), of
		for _, q := range dataset.Questions {
			r.questions[q.ID] = q
		}
	}
	return nil
}

// origins are the addresses under which the providers of a setup can have been asked, those of today first. None where one was never
// asked: its outputs came from elsewhere then.
func (r *recipes) origins(ctx context.Context, s experiments.Setup) ([]map[string]string, error) {
	out := []map[string]string{{}}
	names := append(s.Config.ProviderNames(), s.Judge.Provider, s.Judge.Embedding.Provider)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if name == "offline" || name == "" {
			continue
		}
		known, err := r.Store.OriginsOf(ctx, name)
		if err != nil {
			return nil, err
		}
		var more []map[string]string
		for _, one := range out {
			for _, origin := range known {
				next := maps.Clone(one)
				next[name] = origin
				more = append(more, next)
			}
		}
		if out = more; len(out) > mostWays {
			return nil, nil
		}
	}
	return out, nil
}

// unasked are the outputs that must rest on calls of a run with this setup, and rest on none.
func (r *recipes) unasked(ctx context.Context, s experiments.Setup) (map[string]bool, error) {
	var kinds []string
	if s.Judge.Provider != "offline" {
		kinds = append(kinds, "rubric", "claims")
	}
	if !s.Config.IsOutside() && s.Config.Generate.Provider != "offline" {
		kinds = append(kinds, "generate")
	}
	if len(kinds) == 0 {
		return nil, nil
	}
	if r.free == nil {
		var err error
		if r.free, err = r.Store.StagesWithoutCalls(ctx); err != nil {
			return nil, err
		}
	}
	out := map[string]bool{}
	for key, kind := range r.free {
		if slices.Contains(kinds, kind) {
			out[key] = true
		}
	}
	return out, nil
}

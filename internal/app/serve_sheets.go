package app

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rag-workbench/workbench/internal/problem"
)

// PlanDraft says what drafting questions from a corpus would buy at least.
func (b *Background) PlanDraft(ctx context.Context, corpus string, rules DraftRules) (Plan, error) {
	if _, err := b.w.Store.Corpus(ctx, corpus); err != nil {
		return Plan{}, err // the address is to blame, and no field
	}
	plan, err := b.w.PlanDraft(ctx, corpus, rules)
	return planned(plan), blame(err, sheetFields)
}

// Draft drafts questions from a corpus in the background. The sheet is the file of the job, its result a [Drafted]. Under a key that was
// used before it returns the job of then.
func (b *Background) Draft(ctx context.Context, corpus string, rules DraftRules, format, key string) (Work, error) {
	begin := func(ctx context.Context) (Work, error) {
		c, err := b.w.Store.Corpus(ctx, corpus)
		if err != nil {
			return Work{}, err
		}
		id := workID("draft", c.Name, strconv.Itoa(c.Version), strconv.Itoa(rules.N), rules.Judge, strconv.FormatUint(rules.Seed, 10), format)
		return b.sheet("draft", id, rules, c.Name+"-draft."+format, func(ctx context.Context, path string) (any, string, error) {
			rules.Out = path
			d, err := b.w.DraftDataset(ctx, corpus, rules)
			d.Path = filepath.Base(path)
			return d, d.RunID, err
		})
	}
	return b.workOnce(ctx, "draft "+corpus, key, []any{rules, format}, begin)
}

// PlanEvidence says what looking for the evidence of a dataset would buy.
func (b *Background) PlanEvidence(ctx context.Context, dataset string, rules EvidenceRules) (Plan, error) {
	plan, err := b.w.PlanEvidence(ctx, dataset, rules)
	return planned(plan), blame(err, sheetFields)
}

// Evidence looks for the evidence of a dataset in the background, and is else like [Background.Draft]; its result is an [EvidenceFound].
func (b *Background) Evidence(ctx context.Context, dataset string, rules EvidenceRules, format, key string) (Work, error) {
	begin := func(ctx context.Context) (Work, error) {
		d, err := b.w.Store.Dataset(ctx, dataset)
		if err != nil {
			return Work{}, err
		}
		id := workID("evidence", d.Name, strconv.Itoa(d.Version), rules.Corpus, rules.Judge, format)
		return b.sheet("evidence", id, rules, d.Name+"-evidence."+format, func(ctx context.Context, path string) (any, string, error) {
			rules.Out = path
			f, err := b.w.FindEvidence(ctx, dataset, rules)
			f.Path = filepath.Base(path)
			return f, f.RunID, err
		})
	}
	return b.workOnce(ctx, "evidence "+dataset, key, []any{rules, format}, begin)
}

// sheet works something that writes a sheet of this name.
func (b *Background) sheet(
	kind, id string, request any, name string, write func(ctx context.Context, path string) (result any, runID string, err error),
) (Work, error) {
	return b.begin(kind, id, request, func(ctx context.Context, change func(func(*Work))) error {
		dir, err := os.MkdirTemp("", "workbench-job-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // the system empties the folder of temporary files at the latest
		path := filepath.Join(dir, name)
		result, runID, err := write(ctx, path)
		change(func(w *Work) {
			if runID != "" {
				w.Runs = append(w.Runs, runID)
			}
		})
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // written a line above
		if err != nil {
			return err
		}
		change(func(w *Work) { w.File, w.Content = name, content })
		return keepResult(change, result)
	})
}

func planned(p Plan) Plan {
	if p.Stages == nil {
		p.Stages = []StagePlan{}
	}
	return p
}

// sheetFields are the fields of a request that problems of these codes are about.
var sheetFields = map[string]string{
	"draft_size": "n", "draft_format": "format", "provider_unknown": "judge", "judge_name": "judge", "evidence_corpus": "corpus", "corpus_unknown": "corpus",
}

// blame names the field of a request that a problem is about, by its code.
func blame(err error, fields map[string]string) error {
	if field, ok := fields[problem.CodeOf(err)]; ok {
		return problem.From(err).With("field", field)
	}
	return err
}

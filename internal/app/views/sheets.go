package views

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/app/jobs"
	"github.com/rag-workbench/workbench/internal/problem"
)

// PlanDraft says what drafting questions from a corpus would buy at least.
func PlanDraft(ctx context.Context, b *jobs.Background, corpus string, rules analyses.DraftRules) (app.Plan, error) {
	if _, err := b.W.Store.Corpus(ctx, corpus); err != nil {
		return app.Plan{}, err // the address is to blame, and no field
	}
	plan, err := analyses.PlanDraft(ctx, b.W, corpus, rules)
	return planned(plan), blame(err, sheetFields)
}

// Draft drafts questions from a corpus in the background. The sheet is the file of the job, its result a [analyses.Drafted]. Under
// a key that was
// used before it returns the job of then.
func Draft(ctx context.Context, b *jobs.Background, corpus string, rules analyses.DraftRules, format, key string) (jobs.Work, error) {
	begin := func(ctx context.Context) (jobs.Work, error) {
		c, err := b.W.Store.Corpus(ctx, corpus)
		if err != nil {
			return jobs.Work{}, err
		}
		id := jobs.WorkID("draft", c.Name, strconv.Itoa(c.Version), strconv.Itoa(rules.N), rules.Judge,
			strconv.FormatUint(rules.Seed, 10), format)
		return sheet(b, "draft", id, rules, c.Name+"-draft."+format, func(ctx context.Context, path string) (any, string, error) {
			rules.Out = path
			d, err := analyses.DraftDataset(ctx, b.W, corpus, rules)
			d.Path = filepath.Base(path)
			return d, d.RunID, err
		})
	}
	return b.WorkOnce(ctx, "draft "+corpus, key, []any{rules, format}, begin)
}

// PlanEvidence says what looking for the evidence of a dataset would buy.
func PlanEvidence(ctx context.Context, b *jobs.Background, dataset string, rules analyses.EvidenceRules) (app.Plan, error) {
	plan, err := analyses.PlanEvidence(ctx, b.W, dataset, rules)
	return planned(plan), blame(err, sheetFields)
}

// Evidence looks for the evidence of a dataset in the background, and is else like [Draft]; its result is an [analyses.EvidenceFound].
func Evidence(ctx context.Context, b *jobs.Background, dataset string, rules analyses.EvidenceRules, format,
	key string) (jobs.Work, error) {
	begin := func(ctx context.Context) (jobs.Work, error) {
		d, err := b.W.Store.Dataset(ctx, dataset)
		if err != nil {
			return jobs.Work{}, err
		}
		id := jobs.WorkID("evidence", d.Name, strconv.Itoa(d.Version), rules.Corpus, rules.Judge, format)
		return sheet(b, "evidence", id, rules, d.Name+"-evidence."+format, func(ctx context.Context, path string) (any, string, error) {
			rules.Out = path
			f, err := analyses.FindEvidence(ctx, b.W, dataset, rules)
			f.Path = filepath.Base(path)
			return f, f.RunID, err
		})
	}
	return b.WorkOnce(ctx, "evidence "+dataset, key, []any{rules, format}, begin)
}

// sheet works something that writes a sheet of this name.
func sheet(b *jobs.Background,
	kind, id string, request any, name string, write func(ctx context.Context, path string) (result any, runID string, err error),
) (jobs.Work, error) {
	return b.Begin(kind, id, request, func(ctx context.Context, change func(func(*jobs.Work))) error {
		dir, err := os.MkdirTemp("", "workbench-job-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // the system empties the folder of temporary files at the latest
		path := filepath.Join(dir, name)
		result, runID, err := write(ctx, path)
		change(func(w *jobs.Work) {
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
		change(func(w *jobs.Work) { w.File, w.Content = name, content })
		return jobs.KeepResult(change, result)
	})
}

func planned(p app.Plan) app.Plan {
	if p.Stages == nil {
		p.Stages = []app.StagePlan{}
	}
	return p
}

// sheetFields are the fields of a request that problems of these codes are about.
var sheetFields = map[string]string{
	"draft_size": "n", "draft_format": "format", "provider_unknown": "judge", "judge_name": "judge", "evidence_corpus": "corpus",
	"corpus_unknown": "corpus",
}

// blame names the field of a request that a problem is about, by its code.
func blame(err error, fields map[string]string) error {
	if field, ok := fields[problem.CodeOf(err)]; ok {
		return problem.From(err).With("field", field)
	}
	return err
}

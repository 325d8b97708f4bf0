package studies

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/rag"
)

// asked is what a setup asks of which system with which judge: what a cell says of a run. Versions of the program's parts are not in it;
// the lock has them.
type asked struct {
	Config          rag.Config
	Corpus, Dataset experiments.Ref
	Metrics         []string
	Judge           metrics.JudgeConfig
	LowScore        float64
	Low             []experiments.LowLine `json:",omitempty"`
	Questions       []string
}

func askedBy(s experiments.Setup) asked {
	out := asked{Config: s.Config, Corpus: s.Corpus, Dataset: s.Dataset, Judge: s.Judge, LowScore: s.LowScore, Low: s.Low,
		Questions: s.Questions}
	for _, m := range s.Suite {
		out.Metrics = append(out.Metrics, m.ID)
	}
	return out
}

func (a asked) equal(b asked) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Fits implements [notebooks.Fitter].
func (n *NotebookEngine) Fits(ctx context.Context, work notebooks.Work, e notebooks.Entry) (bool, error) {
	var runs []experiments.Run
	for _, b := range e.Runs {
		run, err := n.W.Store.Run(ctx, b.ID)
		if err != nil {
			return false, err
		}
		runs = append(runs, run)
	}
	if work.Causes != nil {
		if e.Versions["run"] != work.Causes.Run || e.Versions["method"] != work.Causes.Method {
			return len(runs) == 0, nil // nothing was to be diagnosed
		}
		for _, run := range runs {
			if run.ParentID != work.Causes.Run || run.Kind != experiments.KindDiagnose {
				return false, nil
			}
		}
		return true, nil
	}
	var jobs []cellJob
	var err error
	if work.Apply != nil {
		if e.Versions["run"] != work.Apply.Run || work.Apply.Change != "" && e.Versions["change"] != work.Apply.Change {
			return false, nil
		}
		jobs, err = n.applyJobs(ctx, notebooks.ApplyWork{Run: e.Versions["run"], Change: e.Versions["change"]}, false)
	} else {
		jobs, err = n.runJobs(ctx, work, false)
	}
	if err != nil || len(jobs) != len(runs) {
		return false, err
	}
	for i, j := range jobs {
		if runs[i].Kind != experiments.KindEvaluate || runs[i].ParentID != "" || !askedBy(j.Setup).equal(askedBy(runs[i].Setup)) {
			return false, nil
		}
	}
	return true, nil
}

// Fits implements [notebooks.Fitter].
func (e *sentEngine) Fits(ctx context.Context, work notebooks.Work, entry notebooks.Entry) (bool, error) {
	var runs []string
	for _, b := range entry.Runs {
		runs = append(runs, b.ID)
	}
	return recalled(ctx, e, "fits", runs, []any{work, entry.Versions, entry.Runs}, func(ctx context.Context) (bool, error) {
		return e.NotebookEngine.Fits(ctx, work, entry)
	})
}

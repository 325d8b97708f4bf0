package analyses

import (
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// CausesInShort is [CausesOf] with each diagnosis in short, see [causes.Diagnosis.InShort]: what comparisons count. The examples are told
// whole.
func CausesInShort(ctx context.Context, w *app.Workbench, e experiments.Evaluation, method causes.CauseMethod) (causes.CauseReport, error) {
	return causesBy(ctx, w, e, method, inShort)
}

// TellCauses gives the diagnoses of a report in short their words again.
func TellCauses(ctx context.Context, w *app.Workbench, report *causes.CauseReport) error {
	results, err := experiments.PooledResults(ctx, w.Store, report.DiagnoseID)
	if err != nil {
		return err
	}
	type words struct {
		Rationale experiments.Rationale `json:"rationale"`
	}
	found, err := experiments.FindingsIn[words](ctx, w.Store, report.DiagnoseID, results)
	for i := range report.Diagnoses {
		report.Diagnoses[i].Rationale = found[report.Diagnoses[i].QuestionID].Rationale
	}
	return err
}

// finding reads what a diagnosis found in some of its results, by question.
type finding func(ctx context.Context, w *app.Workbench, diagnosis string, results []experiments.Result) (diagnoses, error)

// diagnoses are by question.
type diagnoses = map[string]causes.Diagnosis

func whole(ctx context.Context, w *app.Workbench, diagnosis string, results []experiments.Result) (diagnoses, error) {
	return experiments.FindingsIn[causes.Diagnosis](ctx, w.Store, diagnosis, results)
}

// shortsKind is the kind of stage that keeps diagnoses in short: they are a hundredth of the findings that they are made from, which
// stand in its key by their hashes. So what is kept never grows old, and is made anew where it is not there.
const shortsKind = "causes_in_short"

// keepShort keeps what a finished diagnosis found in short, so that no reader has to.
func keepShort(ctx context.Context, w *app.Workbench, diagnosis experiments.Run) error {
	results, err := experiments.PooledResults(ctx, w.Store, diagnosis.ID)
	if err != nil {
		return err
	}
	_, err = inShort(ctx, w, diagnosis.ID, results)
	return err
}

func inShort(ctx context.Context, w *app.Workbench, diagnosis string, results []experiments.Result) (diagnoses, error) {
	kept := experiments.FindingKeys(results)
	questions, stages := make([]string, len(kept)), make([]string, len(kept))
	for i, k := range kept {
		questions[i], stages[i] = k.QuestionID, k.Stage
	}
	key := rag.StageKey(shortsKind, causes.ShortsVersion, stages)
	shorts, err := rag.Remember(ctx, readers{w.Store, w}, shortsKind, key, func(ctx context.Context) (causes.Shorts, error) {
		found, err := experiments.FindingsAt[causes.Diagnosis](ctx, w.Store, diagnosis, kept)
		if err != nil {
			return causes.Shorts{}, err
		}
		return causes.ShortsOf(found)
	})
	if err != nil {
		return nil, err
	}
	list, ok := shorts.Of(questions)
	if !ok {
		return nil, fmt.Errorf("stored %s %s does not fit its %d findings", shortsKind, key, len(kept))
	}
	out := make(diagnoses, len(list))
	for _, d := range list {
		out[d.QuestionID] = d
	}
	return out, nil
}

// readers are stages for those who read: what cannot be kept is no failure of theirs.
type readers struct {
	rag.Stages
	w *app.Workbench
}

// PutStage keeps an output where the database was not opened for reading.
func (r readers) PutStage(ctx context.Context, s rag.Stage) error {
	if r.w.Reading {
		return nil
	}
	if err := r.Stages.PutStage(ctx, s); err != nil {
		r.w.Log("what was read of a diagnosis is not kept", "stage", s.Key, "error", err)
	}
	return nil
}

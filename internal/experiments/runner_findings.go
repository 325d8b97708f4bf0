package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// AnalysisSetup is what a run of kind diagnose or questions does. It is part of its Setup.
type AnalysisSetup struct {
	Of         string      `json:"of"`                   // the run whose questions are looked into; "" for a dataset by itself
	Version    string      `json:"version"`              // of the procedure and its prompts
	Method     string      `json:"method,omitempty"`     // diagnose: "tested", "observed" or "paper"
	Trials     int         `json:"trials,omitempty"`     // diagnose: answers generated for each intervention (m)
	Reference  *rag.Model  `json:"reference,omitempty"`  // diagnose: the generator that stands in for a good one
	Embedders  []rag.Model `json:"embedders,omitempty"`  // diagnose: embedders to retrieve with instead
	Taxonomies []Taxonomy  `json:"taxonomies,omitempty"` // questions: what questions are assigned to; none yet for themes proposes them
}

// Finding is what an analyst found about one question.
type Finding struct {
	Body          any     // becomes one JSON object
	Confidence    float64 // in [0, 1]
	NotApplicable string  // a code where there is nothing to find, such as "not_low"; Body is nil then
}

// Analyst works the questions of a run that looks into another one. It must be safe for concurrent use.
type Analyst interface {
	// Finding returns what it found. An *llm.Error that would not meet every other question becomes the question's named failure.
	Finding(ctx context.Context, q Question) (Finding, error)
	Close()
}

// OpenAnalyst readies the analyst of a run. Everything bought with ctx is booked to the run; stages remember what was computed.
type OpenAnalyst func(ctx context.Context, run Run, stages rag.Stages) (Analyst, error)

// FindingMetric is the metric id under which the cells of a kind of analysis stand; their value is the confidence.
func FindingMetric(k Kind) string {
	if k == KindQuestions {
		return "question_labels"
	}
	return "cause"
}

// findingKind is the kind of stage that keeps a finding. It is stored under the hash of its own content, so the chain that closes
// the run covers it.
const findingKind = "finding"

// finding asks the analyst about one question and makes a result of it.
func (r *Runner) finding(ctx context.Context, d *worker, q Question) (Result, error) {
	f, err := d.analyst.Finding(ctx, q)
	if err != nil {
		return r.unanswered(ctx, d, q, err)
	}
	score := metrics.Score{Metric: d.specs[0].ID, Version: d.specs[0].Version, State: metrics.Scored, Value: f.Confidence}
	if f.NotApplicable != "" {
		score.State, score.Value, score.Reason = metrics.NotApplicable, 0, f.NotApplicable
		return Result{QuestionID: q.ID, Scores: []metrics.Score{score}}, nil
	}
	body, err := json.Marshal(f.Body)
	if err != nil {
		return Result{}, fmt.Errorf("finding of question %s: %w", q.ID, err)
	}
	sum := sha256.Sum256(body)
	key := rag.StageKey(findingKind, "1", hex.EncodeToString(sum[:]))
	if _, err := rag.Remember(ctx, d.stages, findingKind, key,
		func(context.Context) (json.RawMessage, error) { return body, nil }); err != nil {
		return Result{}, err
	}
	score.Stages = []string{key}
	return Result{QuestionID: q.ID, Scores: []metrics.Score{score}}, nil
}

// Findings returns what a run of kind diagnose or questions found, by question id. Questions that failed or are not worked yet
// are not in it. What a finished child found when it asked again for what had failed is pooled with it, as for scores.
func Findings[T any](ctx context.Context, s Store, runID string) (map[string]T, error) {
	results, err := PooledResults(ctx, s, runID)
	if err != nil {
		return nil, err
	}
	return FindingsIn[T](ctx, s, runID, results)
}

// FindingsIn is [Findings] of a run whose results were read already.
func FindingsIn[T any](ctx context.Context, s Store, runID string, results []Result) (map[string]T, error) {
	kept := FindingKeys(results)
	found, err := FindingsAt[T](ctx, s, runID, kept)
	if err != nil {
		return nil, err
	}
	out := make(map[string]T, len(found))
	for i, k := range kept {
		out[k.QuestionID] = found[i]
	}
	return out, nil
}

// FindingKey says where the finding of a question is kept.
type FindingKey struct {
	QuestionID string
	Stage      string // key of its stage, which holds the hash of what was found
}

// FindingKeys lists where the findings in results are kept, in their order.
func FindingKeys(results []Result) []FindingKey {
	out := make([]FindingKey, 0, len(results))
	for _, r := range results {
		for _, s := range r.Scores {
			if s.State == metrics.Scored && len(s.Stages) > 0 {
				out = append(out, FindingKey{r.QuestionID, s.Stages[0]})
			}
		}
	}
	return out
}

// FindingsAt reads findings of a run, in the order of their keys. While some are decoded the next ones are read.
func FindingsAt[T any](ctx context.Context, s Store, runID string, kept []FindingKey) ([]T, error) {
	const atOnce = 256 // what is read is thrown away soon
	type part struct {
		bodies map[string][]byte
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	parts := make(chan part, 1)
	go func() {
		defer close(parts)
		for chunk := range slices.Chunk(kept, atOnce) {
			keys := make([]string, len(chunk))
			for i, k := range chunk {
				keys[i] = k.Stage
			}
			var p part
			if p.bodies, p.err = rag.StageBodies(ctx, s, keys); p.err != nil {
				parts <- p
				return
			}
			parts <- p
		}
	}()
	defer func() { // nothing is read any more when this returns
		cancel()
		for range parts { //nolint:revive // they are thrown away
		}
	}()
	out := make([]T, len(kept))
	for first := 0; first < len(kept); first += atOnce {
		p := <-parts
		if p.err != nil {
			return nil, p.err
		}
		for i := first; i < min(first+atOnce, len(kept)); i++ {
			body, stored := p.bodies[kept[i].Stage]
			if !stored {
				return nil, fmt.Errorf("the finding of question %s in run %s is not stored", kept[i].QuestionID, runID)
			}
			if err := json.Unmarshal(body, &out[i]); err != nil {
				return nil, fmt.Errorf("stored %s %s: %w", findingKind, kept[i].Stage, err)
			}
		}
	}
	return out, nil
}

// openAnalyst opens a run whose questions an analyst works.
func (r *Runner) openAnalyst(ctx context.Context, run Run, d *worker) error {
	open, ok := r.Analysts[run.Kind]
	if !ok {
		return fmt.Errorf("no analyst works runs of kind %s", run.Kind)
	}
	var err error
	d.analyst, err = open(llm.WithScope(ctx, llm.Scope{RunID: run.ID, Replicate: run.Setup.Replicate, Fresh: run.Setup.Fire}),
		run, d.stages)
	return err
}

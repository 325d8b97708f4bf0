package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/records"
)

// recomputing sets what was computed again beside what is stored, cell by cell.
type recomputing struct {
	*RunVerified
	ctx       context.Context
	truth, db *store.Store
	run       experiments.Run
	made      makers
	measured  map[string]bool
	gone      map[string]bool // stage outputs of the study that were computed from a reply that is gone
}

// compare compares every cell of a run, its answers and the stage outputs they rest on. It returns the results as they were computed
// again, with the stored cells where nothing could be: errors, measurements, and scores whose replies are gone. nil means that nothing
// could be compared.
func (o *RunVerified) compare(ctx context.Context, truth, db *store.Store, run experiments.Run, made makers,
	want []experiments.Result) ([]experiments.Result, error) {
	got, err := db.Results(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	if len(got) != len(want) {
		o.Different = append(o.Different, fmt.Sprintf("%d results instead of %d", len(got), len(want)))
		return nil, nil
	}
	r := &recomputing{RunVerified: o, ctx: ctx, truth: truth, db: db, run: run, made: made, measured: measured(run.Setup.Suite),
		gone: map[string]bool{}}
	if err := r.findGone(want); err != nil {
		return nil, err
	}
	merged := make([]experiments.Result, len(want))
	for i := range want {
		if merged[i], err = r.result(want[i], got[i]); err != nil {
			return nil, err
		}
	}
	// Verdicts on single pairs are left out: which of two equal questions of two runs brought one first is chance, and what a run made of
	// them is in its matrices.
	compared, unlike, err := db.StagesUnlike(ctx, truth, "verdict")
	if err != nil {
		return nil, err
	}
	o.Stages = compared - len(o.taken)
	for _, stage := range unlike {
		o.Different = append(o.Different, "stage "+stage)
	}
	return merged, nil
}

// findGone notes which stage outputs of the results rest on replies that were pruned.
func (r *recomputing) findGone(results []experiments.Result) error {
	var keys []string
	for _, res := range results {
		keys = append(keys, stagesOf(res)...)
	}
	slices.Sort(keys)
	behind, err := r.truth.CallsBehind(r.ctx, slices.Compact(keys))
	for _, b := range behind {
		if b.Pruned {
			r.gone[b.Stage] = true
		}
	}
	return err
}

// keysOf are the stage outputs that the answer of a result names, or its retrieval.
func keysOf(res experiments.Result) []string {
	var keys []string
	if res.Answer != nil {
		keys = append(keys, res.Answer.RetrievalKey, res.Answer.GenerationKey)
	}
	if res.Retrieved != nil {
		keys = append(keys, res.Retrieved.RetrievalKey)
	}
	return keys
}

// stagesOf are the stage outputs that a result names.
func stagesOf(res experiments.Result) []string {
	keys := keysOf(res)
	for _, s := range res.Scores {
		keys = append(keys, s.Stages...)
	}
	return slices.DeleteFunc(keys, func(k string) bool { return k == "" })
}

// result compares one question of a run.
func (r *recomputing) result(want, got experiments.Result) (experiments.Result, error) {
	out := got
	out.Scores = slices.Clone(got.Scores)
	before, recomputed := r.doubts(), r.Recomputed
	if want.QuestionID != got.QuestionID || want.Replicate != got.Replicate || len(want.Scores) != len(got.Scores) {
		r.Different = append(r.Different, fmt.Sprintf("question %s: it stands where question %s was worked", want.QuestionID,
			got.QuestionID))
		return out, nil
	}
	r.answer(want, got, &out)
	for i := range want.Scores {
		keep, err := r.cell(want, got, i)
		if err != nil {
			return out, err
		}
		if keep {
			out.Scores[i] = want.Scores[i]
		}
	}
	if r.doubts() == before && r.Recomputed > recomputed {
		r.Verified++
	}
	return out, nil
}

// answer compares the answers to a question, or why there is none.
func (r *recomputing) answer(want, got experiments.Result, out *experiments.Result) {
	switch {
	case want.Answer == nil:
		out.Answer, out.Failure, out.Retrieved = want.Answer, want.Failure, want.Retrieved // its cells say whether there should be one
		if want.Retrieved != nil && !sameRetrieval(*want.Retrieved, got) && !r.lost(want) {
			r.differs("question "+want.QuestionID, ": what was retrieved for it", r.excuse(keysOf(got)...))
		}
	case got.Answer == nil && got.Failure != nil && got.Failure.Cause == causeNotBanked && r.lost(want):
		r.Missing = append(r.Missing, "question "+want.QuestionID+" answer")
		out.Answer, out.Failure = want.Answer, want.Failure
	case got.Answer == nil:
		r.Different = append(r.Different, "question "+want.QuestionID+": its answer follows from no reply")
		out.Answer, out.Failure = want.Answer, want.Failure
	case !bytes.Equal(asJSON(unkeyed(*want.Answer)), asJSON(unkeyed(*got.Answer))):
		why := r.excuse(keysOf(got)...)
		r.differs("question "+want.QuestionID, ": its answer", why)
		if why != "" {
			out.Answer = want.Answer
		}
	}
}

// unkeyed is an answer without the keys of its stages: they name the version of the offline provider, which goes on, while what was
// retrieved and written under them is in the answer itself.
func unkeyed(a rag.Answer) rag.Answer {
	a.RetrievalKey, a.GenerationKey = "", ""
	return a
}

// sameRetrieval reports whether a result rests on this retrieval, with an answer or without.
func sameRetrieval(want rag.Retrieved, got experiments.Result) bool {
	switch {
	case got.Retrieved != nil:
		return bytes.Equal(asJSON(want), asJSON(*got.Retrieved))
	case got.Answer != nil: // a later run brought the reply
		return bytes.Equal(asJSON(want), asJSON(rag.Retrieved{Retrieval: got.Answer.Retrieval, RetrievalKey: got.Answer.RetrievalKey}))
	}
	return false
}

// lost reports whether anything that a question rests on was pruned.
func (r *recomputing) lost(res experiments.Result) bool {
	return slices.ContainsFunc(stagesOf(res), func(key string) bool { return r.gone[key] })
}

// cell compares one score; keep says that the stored one stands, because there is nothing to compare it with.
func (r *recomputing) cell(want, got experiments.Result, i int) (keep bool, err error) {
	w, g := want.Scores[i], got.Scores[i]
	name := "question " + want.QuestionID + " " + w.Metric
	switch {
	case r.measured[w.Metric]:
		r.Measured++
		return true, nil
	case w.State == metrics.Errored && g.State != metrics.Errored:
		own, err := r.ownReplies(want.QuestionID, g)
		if err != nil {
			return true, err
		}
		if own {
			r.Different = append(r.Different, fmt.Sprintf("%s: it is stored as an error, but the run's own replies give a score", name))
			return false, nil
		}
		fallthrough // a later run brought the reply
	case w.State == metrics.Errored:
		r.Errors++
		return true, nil
	case w.State == metrics.Pending:
		r.Different = append(r.Different, name+": it was never settled")
		return true, nil
	case bytes.Equal(asJSON(w), asJSON(g)) && r.restsOnTaken(append(keysOf(got), w.Stages...)):
		r.Kept++
		return false, nil
	case bytes.Equal(asJSON(w), asJSON(g)):
		r.Recomputed++
		return false, nil
	case g.State == metrics.Errored && g.Reason == causeNotBanked && r.lost(want):
		r.Missing = append(r.Missing, name)
		return true, nil
	case g.State == metrics.Errored && g.Reason == causeNotBanked:
		r.Different = append(r.Different, name+": it follows from no reply")
		return true, nil
	}
	why := r.excuse(append(keysOf(got), g.Stages...)...)
	r.differs(name, fmt.Sprintf(": it is stored as %s, and computed as %s", shownScore(w), shownScore(g)), why)
	return why != "", nil
}

// doubts counts what keeps a question from being verified.
func (o *RunVerified) doubts() int {
	return len(o.Different) + len(o.Missing) + len(o.OtherVersion) + o.Kept
}

// ownReplies reports whether a score was computed from replies alone that this run bought for this question.
func (r *recomputing) ownReplies(question string, s metrics.Score) (bool, error) {
	behind, err := r.db.CallsBehind(r.ctx, s.Stages)
	foreign := slices.ContainsFunc(behind, func(b records.Behind) bool { return b.Run != r.run.ID || b.Question != question })
	return len(behind) > 0 && !foreign, err
}

func shownScore(s metrics.Score) string {
	if s.State == metrics.Scored {
		return strings.TrimSpace(fmt.Sprintf("%g %s", s.Value, s.Reason))
	}
	return strings.TrimSpace(string(s.State) + " " + s.Reason)
}

// asJSON is a value as the chain of a run sees it.
func asJSON(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic("result is not JSON: " + err.Error()) // only a NaN could do that, and no metric yields one
	}
	return body
}

// verifyVectors looks for every stored vector in the banked replies of embedding calls.
func verifyVectors(ctx context.Context, truth *store.Store) (out VectorsVerified, err error) {
	out.Different = []string{}
	calls, err := truth.CallsFor(ctx, "embed")
	if err != nil {
		return out, err
	}
	pruned, err := truth.PrunedCalls(ctx, "embed")
	if err != nil {
		return out, err
	}
	said := map[string][][]float32{} // by origin, model and digest of the text
	for _, c := range calls {
		banked, err := llm.ReadBankedVectors(c)
		if err != nil {
			continue // what rests on it is told
		}
		for _, b := range banked {
			for i, d := range b.Digests {
				key := "|" + c.Origin + "|" + c.Model + b.Variant + " " + d
				said[key] = append(said[key], b.Vectors[i])
			}
		}
	}
	err = truth.EachVector(ctx, func(space, digest string, v []float32) {
		_, place, _ := strings.Cut(space, "|")
		replies := said["|"+place+" "+digest]
		out.Stored++
		switch {
		case slices.ContainsFunc(replies, func(r []float32) bool { return slices.Equal(r, v) }):
			out.Recomputed++
		case len(replies) == 0 && pruned > 0:
			out.Missing++
		default:
			out.Different = append(out.Different, space+"/"+digest)
		}
	})
	return out, err
}

package experiments

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// LoadEvaluation returns a run with its questions and results, contexts filled with their texts. What finished child runs found
// is pooled with it: a cell that has an error is filled by a child of the same replicate that scored it, with the answer that
// was scored, and the results of other replicates follow after the run's own, child by child. Run.Totals are those of all of them, as the
// store keeps them beside the run, which itself stays as it is.
func LoadEvaluation(ctx context.Context, s Store, id string) (Evaluation, error) {
	return LoadEvaluationFrom(ctx, s, s, id)
}

// LoadEvaluationFrom is [LoadEvaluation] with questions and documents from a library, such as a [Shelf].
func LoadEvaluationFrom(ctx context.Context, s Store, library Library, id string) (Evaluation, error) {
	return loadEvaluation(ctx, s, library, id, pooled)
}

// LoadInShort is [LoadEvaluationFrom] without the keys of stages where nobody needs them: to compare and to report, not to explain. Results
// may share a list of scores: it is not to be changed, and lacks the judge's words, which [Result.Reason] and [Result.Score] tell.
func LoadInShort(ctx context.Context, s Store, library Library, id string) (Evaluation, error) {
	return loadEvaluation(ctx, s, library, id, pooledInShort)
}

func loadEvaluation(ctx context.Context, s Store, library Library, id string,
	pooled func(context.Context, Store, *Run) ([]Result, error)) (Evaluation, error) {
	run, err := s.Run(ctx, id)
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Run: run}
	var unread error
	var reading sync.WaitGroup
	reading.Go(func() { e.Results, unread = pooled(ctx, s, &e.Run) })
	corpus, dataset, err := askedOf(ctx, library, run.Setup)
	reading.Wait() // whatever came of the library: it writes into e
	if err := cmp.Or(err, unread); err != nil {
		return Evaluation{}, err
	}
	e.Questions = asked(dataset.Questions, e.Results)
	for i := range e.Results {
		if a := e.Results[i].Answer; a != nil && corpus != nil {
			a.Fill(corpus)
		}
		if found := e.Results[i].Retrieved; found != nil && corpus != nil {
			found.Fill(corpus)
		}
	}
	return e, nil
}

// askedOf are the documents and questions of a run.
func askedOf(ctx context.Context, library Library, setup Setup) (*rag.Corpus, *Dataset, error) {
	corpus, err := corpusOf(ctx, library, setup)
	if err != nil {
		return nil, nil, err
	}
	dataset, err := library.Dataset(ctx, setup.Dataset.String())
	return corpus, dataset, err
}

// asked are the questions of results, one for each; an empty one where the dataset lacks it. Results mostly stand in the order of the
// dataset: then they are its own, and otherwise few are looked up.
func asked(questions []Question, results []Result) []Question {
	next := 0
	for next < min(len(questions), len(results)) && questions[next].ID == results[next].QuestionID {
		next++
	}
	if next == len(results) {
		return questions[:next:next]
	}
	out := make([]Question, len(results))
	var byID map[string]int
	for i := copy(out, questions[:next]); i < len(results); i++ {
		id := results[i].QuestionID
		if next < len(questions) && questions[next].ID == id {
			out[i] = questions[next]
			next++
			continue
		}
		if byID == nil {
			byID = make(map[string]int, len(questions))
			for k := range questions {
				byID[questions[k].ID] = k
			}
		}
		if at, known := byID[id]; known {
			out[i], next = questions[at], at+1
		}
	}
	return out
}

// PooledResults returns the results of a run together with those of its finished children, pooled as [LoadEvaluation] does, without
// the texts of contexts.
func PooledResults(ctx context.Context, s Store, id string) ([]Result, error) {
	run, err := s.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	return pooled(ctx, s, &run)
}

// pooledInShort is [pooled] without the keys of stages that nobody asks for: [Prints] stand for them.
func pooledInShort(ctx context.Context, s Store, run *Run) ([]Result, error) {
	short, ok := s.(interface {
		ResultsInShort(ctx context.Context, id string) ([]Result, error)
	})
	if !ok {
		return pooled(ctx, s, run)
	}
	return poolBy(ctx, s, run, short.ResultsInShort)
}

// pooled returns the results of a run together with those of its finished children, and sets the run's totals to them.
func pooled(ctx context.Context, s Store, run *Run) ([]Result, error) {
	return poolBy(ctx, s, run, s.Results)
}

// poolBy is [pooled] of results that are read like this. Those that fill errors are read whole: where an answer has an error it is mostly
// not known what its scores rest on, and then all of them are read.
func poolBy(ctx context.Context, s Store, run *Run, read func(ctx context.Context, id string) ([]Result, error)) ([]Result, error) {
	results, err := read(ctx, run.ID)
	if err != nil || run.State != Finished {
		return results, err
	}
	children, err := s.Runs(ctx, RunFilter{ParentID: run.ID, Kind: run.Kind, State: Finished})
	if err != nil || len(children) == 0 {
		return results, err
	}
	slices.Reverse(children) // the store lists the newest first
	all := make([]ChildVotes, len(children))
	for i := range children {
		read := read
		if children[i].Setup.Replicate == run.Setup.Replicate {
			read = s.Results
		}
		votes, err := poolBy(ctx, s, &children[i], read)
		if err != nil {
			return nil, err
		}
		all[i] = ChildVotes{children[i].Setup.Replicate, votes}
	}
	results = Pool(results, run.Setup.Replicate, all)
	totals := Total(results, run.Setup.LowRule())
	run.Totals = &totals
	return results, nil
}

// ChildVotes are the results of a finished child run of the same kind, pooled with those of its own children.
type ChildVotes struct {
	Replicate int
	Results   []Result
}

// Pool joins the results of a run of this replicate with those of its children, the oldest first, as [LoadEvaluation] says. It may change
// results.
func Pool(results []Result, replicate int, children []ChildVotes) []Result {
	var further []Result
	for _, child := range children {
		if child.Replicate == replicate {
			fill(results, child.Results)
			continue
		}
		for _, v := range child.Results {
			v.Replicate = child.Replicate
			further = append(further, v)
		}
	}
	return append(results, further...)
}

// fill puts what votes scored into the cells of results that have an error. An answer is taken over where there was none; a
// score of another answer than the result's is not, because scores of one result belong to one answer.
func fill(results, votes []Result) {
	found := make(map[string]Result, len(votes))
	for _, v := range votes {
		found[v.QuestionID] = v
	}
	for i, r := range results {
		v, ok := found[r.QuestionID]
		if !ok || r.Replicate != 0 {
			continue
		}
		if v.Answer == nil {
			if r.Answer == nil && v.Failure == nil && hasError(r) && !hasError(v) { // a finding, which has no answer
				results[i] = v
			}
			if r.Answer == nil && r.Retrieved == nil && v.Retrieved != nil { // it came further, though not to an answer
				v.Replicate = r.Replicate
				results[i] = v
			}
			continue
		}
		if r.Answer == nil {
			v.Replicate = r.Replicate
			results[i] = v
			continue
		}
		if r.answerPrint() != v.answerPrint() {
			continue
		}
		r.Scores, r.Prints = slices.Clone(r.Scores), slices.Clone(r.Prints)
		for j, sc := range r.Scores {
			if better, ok := v.Score(sc.Metric); ok && sc.State == metrics.Errored && better.State != metrics.Errored &&
				better.State != metrics.Pending {
				r.Scores[j] = better
				if r.Prints != nil {
					r.Prints[1+j] = printOf(better.Stages...)
				}
			}
		}
		results[i] = r
	}
}

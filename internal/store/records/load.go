package records

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/compact"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// loading assembles the results of one run.
type loading struct {
	results []loadedResult
	at      map[slot]int // index in results
}

type slot struct {
	question  string
	replicate int
}

type loadedResult struct {
	experiments.Result
	position int
}

// Results implements [experiments.RunStore]. Replicates of one question follow each other. It reads with plain scans,
// because a run may have more than 100,000 cells.
func (s *RunTables) Results(ctx context.Context, id string) ([]experiments.Result, error) {
	return s.results(ctx, id, loadResults)
}

// ResultsInShort is [RunTables.Results] without the keys of stages, for who asks of an answer no more than what is kept of it: of each
// result of a finished run of which that is known, else with them. Results may share a list of scores: it is not to be changed.
func (s *RunTables) ResultsInShort(ctx context.Context, id string) ([]experiments.Result, error) {
	return s.results(ctx, id, loadInShort)
}

// results reads those of a run as load does.
func (s *RunTables) results(ctx context.Context, id string, load func(*gorm.DB, experiments.Run) ([]experiments.Result, error)) (
	out []experiments.Result, err error) {
	err = s.Snapshot(ctx, "read results of run "+id, func(tx *gorm.DB) error {
		row, err := FindRun(tx, id)
		if err != nil {
			return err
		}
		run, err := FromRunRow(row)
		if err != nil {
			return err
		}
		out, err = load(tx, run)
		return err
	})
	return out, err
}

// loadInShort reads results without the keys of stages where it is kept what they rest on, else with them.
func loadInShort(tx *gorm.DB, run experiments.Run) ([]experiments.Result, error) {
	if run.State != experiments.Finished {
		return loadResults(tx, run)
	}
	out, _, err := readCompact(tx, run.ID, run.Setup.Suite, true)
	if errors.Is(err, compact.ErrDamaged) || err == nil && len(out) == 0 {
		return loadResults(tx, run)
	}
	return out, err
}

// loadResults reads all results of a run in order.
func loadResults(tx *gorm.DB, run experiments.Run) ([]experiments.Result, error) {
	if run.State == experiments.Finished {
		if out, _, err := LoadCompact(tx, run.ID, run.Setup.Suite); !errors.Is(err, compact.ErrDamaged) && (err != nil || out != nil) {
			if err == nil {
				err = ReadGrounds(tx, run.ID, out)
			}
			return out, err
		}
	}
	out, _, err := LoadCells(tx, run.ID, run.Setup.Suite)
	return out, err
}

// LoadCells reads all results of a run from its cells and answers, in order, and the positions of their questions.
func LoadCells(tx *gorm.DB, id string, suite []metrics.Spec) (out []experiments.Result, positions []int, err error) {
	l := &loading{at: map[slot]int{}}
	if err := l.cells(tx, id, suite); err != nil {
		return nil, nil, err
	}
	if err := l.answers(tx, id); err != nil {
		return nil, nil, err
	}
	out, positions = l.inOrder()
	return out, positions, nil
}

// inOrder returns the results in the order of the run's questions, and the questions' positions.
func (l *loading) inOrder() (out []experiments.Result, positions []int) {
	slices.SortFunc(l.results, func(a, b loadedResult) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.Replicate, b.Replicate))
	})
	out, positions = make([]experiments.Result, len(l.results)), make([]int, len(l.results))
	for i, r := range l.results {
		out[i], positions[i] = r.Result, r.position
	}
	return out, positions
}

// cells reads the scores. The rows come question by question, but the metrics in any order.
func (l *loading) cells(tx *gorm.DB, id string, suite []metrics.Spec) error {
	rows, err := tx.Raw(`SELECT question_id, position, metric_position, metric_version, replicate, state, value, reason, stages
		FROM cells WHERE run_id = ?`, id).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	seen := map[string]string{} // one copy of each of the few states and versions
	intern := func(s string) string {
		if known, ok := seen[s]; ok {
			return known
		}
		seen[s] = s
		return s
	}
	// The driver's own types: database/sql converts anything else, *int too, through text.
	var question, version, state, reason, stages string
	var position, metric, replicate int64
	var value sql.NullFloat64
	var here slot
	i := -1
	for rows.Next() {
		if err := rows.Scan(&question, &position, &metric, &version, &replicate, &state, &value, &reason, &stages); err != nil {
			return err
		}
		if metric < 0 || int(metric) >= len(suite) {
			return fmt.Errorf("a cell of question %s stands at metric %d of %d", question, metric, len(suite))
		}
		if i < 0 || here.question != question || here.replicate != int(replicate) {
			here = slot{question, int(replicate)}
			i = l.result(here, int(position), len(suite))
		}
		score := &l.results[i].Scores[metric]
		*score = metrics.Score{Metric: suite[metric].ID, Version: intern(version), State: metrics.State(intern(state)),
			Value: value.Float64, Reason: reason}
		if score.Stages, err = KeyList(stages); err != nil {
			return err
		}
	}
	return rows.Err()
}

// result returns the index of a slot's result, which it makes when it is new.
func (l *loading) result(at slot, position, scores int) int {
	i, ok := l.at[at]
	if !ok {
		i = len(l.results)
		l.at[at] = i
		l.results = append(l.results, loadedResult{position: position, Result: experiments.Result{
			QuestionID: at.question, Replicate: at.replicate, Scores: make([]metrics.Score, scores),
		}})
	}
	return i
}

// answers reads answers and failures. An answer's parts stand in the stages that its keys name.
func (l *loading) answers(tx *gorm.DB, id string) error {
	rows, err := tx.Raw(`SELECT a.question_id, a.replicate, a.state, a.retrieval_key, a.generation_key, a.failure_cause, a.failure_message,
			a.latency_ms, r.body, g.body
		FROM answers a LEFT JOIN stages r ON r.key = a.retrieval_key LEFT JOIN stages g ON g.key = a.generation_key
		WHERE a.run_id = ?`, id).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	var a AnswerRow
	var retrieval, generation sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&a.QuestionID, &a.Replicate, &a.State, &a.RetrievalKey, &a.GenerationKey, &a.FailureCause, &a.FailureMessage,
			&a.LatencyMS, &retrieval, &generation); err != nil {
			return err
		}
		i, ok := l.at[slot{a.QuestionID, a.Replicate}]
		if !ok {
			return fmt.Errorf("question %s replicate %d has an answer but no cells", a.QuestionID, a.Replicate)
		}
		r := &l.results[i]
		r.LatencyMS = a.LatencyMS
		if a.State == failed {
			r.Failure = &experiments.Failure{Cause: a.FailureCause, Message: a.FailureMessage}
			if a.RetrievalKey == "" {
				continue
			}
			r.Retrieved = &rag.Retrieved{RetrievalKey: a.RetrievalKey}
			if err := readStage(&r.Retrieved.Retrieval, retrieval, a.RetrievalKey, a.QuestionID); err != nil {
				return err
			}
			continue
		}
		r.Answer = &rag.Answer{RetrievalKey: a.RetrievalKey, GenerationKey: a.GenerationKey}
		if err := readStage(&r.Answer.Retrieval, retrieval, a.RetrievalKey, a.QuestionID); err != nil {
			return err
		}
		if err := readStage(&r.Answer.Generation, generation, a.GenerationKey, a.QuestionID); err != nil {
			return err
		}
	}
	return rows.Err()
}

func readStage(into any, body []byte, key, question string) error {
	if key == "" {
		return nil // nothing was retrieved: a log or an endpoint that shows no contexts
	}
	if body == nil {
		return problem.New(problem.Internal, "stage_missing", "stage %s of the answer to question %s is not stored", key, question).
			With("stage", key).With("question", question).
			WithHint("restore the database from a backup; `workbench doctor` lists what else is missing")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return sqldb.Unreadable(fmt.Sprintf("stage %s of the answer to question %s", key, question), err)
	}
	return nil
}

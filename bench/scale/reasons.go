package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/compact"
)

// reworded has each score whose reason is in the judge's words tell one that no other score has, as a model's do: the offline judge says
// the same of many answers, and what is said once and again takes hardly any memory. Their judge also becomes one that may say something
// else the next time, as a model's is taken for unless it is declared deterministic: nothing is settled by one vote then. What finished
// runs are read from is changed and nothing else, so these runs are for measuring only.
func reworded(ctx context.Context, path string) (err error) {
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	runs, err := s.Runs(ctx, experiments.RunFilter{Kind: experiments.KindEvaluate})
	if err != nil {
		return err
	}
	for _, run := range runs {
		results, err := s.Results(ctx, run.ID)
		if err != nil {
			return err
		}
		if err := reword(ctx, db, run, results); err != nil {
			return err
		}
	}
	return nil
}

// reword gives the results of a run reasons of their own, in the order of its questions.
func reword(ctx context.Context, db *sql.DB, run experiments.Run, results []experiments.Result) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // of what was committed it is none
	for position, r := range results {
		for i := range r.Scores {
			if s := &r.Scores[i]; s.State == metrics.Scored && strings.Contains(s.Reason, " ") { // "2/3" is counted, and no judge's words
				s.Reason = fmt.Sprintf("%s In run %s that is said of the answer to %s alone, for %s.", s.Reason, run.ID, r.QuestionID, s.Metric)
			}
		}
		body, _ := compact.Encode(r, run.Setup.Suite, len(results))
		_, err := tx.ExecContext(ctx, "UPDATE results SET body = ? WHERE run_id = ? AND position = ? AND replicate = ?", body, run.ID, position,
			r.Replicate)
		if err != nil {
			return err
		}
	}
	if err := unsettle(ctx, tx, run); err != nil {
		return err
	}
	return tx.Commit()
}

// unsettle has the judge of a run be one that may say something else the next time.
func unsettle(ctx context.Context, tx *sql.Tx, run experiments.Run) error {
	run.Setup.Settled = false
	body, err := json.Marshal(run.Setup)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE runs SET setup = ? WHERE id = ?", string(body), run.ID)
	return err
}

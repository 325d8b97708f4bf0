package records

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/compact"
	"github.com/rag-workbench/workbench/internal/store/library"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// txStages reads stages within a transaction.
type txStages struct {
	tx   *gorm.DB
	held map[string][]byte // read before; nil where nothing was
}

// Stage is not asked for: what is read is asked for together.
func (s txStages) Stage(context.Context, string) ([]byte, bool, error) {
	return nil, false, errors.ErrUnsupported
}

// PutStage is not asked for.
func (s txStages) PutStage(context.Context, rag.Stage) error { return errors.ErrUnsupported }

// StageBodies returns the bodies of stages by key.
func (s txStages) StageBodies(_ context.Context, keys []string) (map[string][]byte, error) {
	if s.held != nil {
		return s.held, nil
	}
	out := make(map[string][]byte, len(keys))
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		var rows []StageRow
		if err := s.tx.Raw("SELECT key, body FROM stages WHERE key IN ?", chunk).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.Key] = r.Body
		}
	}
	return out, nil
}

// putGrounds keeps what the stages of a run's results say, and what is known of them already.
func putGrounds(tx *gorm.DB, run experiments.Run, results []experiments.Result) error {
	body := binary.AppendUvarint([]byte{compact.GroundsVersion}, uint64(len(results)))
	some := false
	for part := range slices.Chunk(results, groundsAtOnce) {
		all, err := partGrounds(tx, part)
		if err != nil {
			return err
		}
		for _, g := range all {
			body = compact.AppendGrounds(body, g.Grounds, g.known)
			some = some || g.known
		}
	}
	covers, err := CoversOf(tx, run, results, 1)
	if err != nil {
		return err
	}
	for i := range results {
		body = compact.AppendCover(body, covers[i])
	}
	if err := tx.Exec("DELETE FROM grounds WHERE run_id = ?", run.ID).Error; err != nil || !some && len(covers) == 0 {
		return err
	}
	return tx.Exec("INSERT INTO grounds (run_id, body) VALUES (?, ?)", run.ID, body).Error
}

// groundsAtOnce is of how many results the stages are read together: a query for each took longer than what it read.
const groundsAtOnce = 100

// readGrounds is what the stages of a result say; known is false where they say nothing, or one of them is lost.
type readGrounds struct {
	metrics.Grounds
	known bool
}

// partGrounds reads the stages of some results together.
func partGrounds(tx *gorm.DB, results []experiments.Result) ([]readGrounds, error) {
	named := map[string]bool{}
	for _, r := range results {
		if r.Grounds != nil {
			continue
		}
		for _, s := range r.Scores {
			for _, key := range s.Stages {
				named[key] = true
			}
		}
	}
	stages := txStages{tx: tx}
	held, err := stages.StageBodies(tx.Statement.Context, slices.Collect(maps.Keys(named)))
	if err != nil {
		return nil, err
	}
	stages.held = held
	out := make([]readGrounds, len(results))
	for i, r := range results {
		if r.Grounds != nil {
			out[i] = readGrounds{*r.Grounds, true}
			continue
		}
		if out[i].Grounds, out[i].known, err = groundsIn(tx.Statement.Context, stages, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// CoversOf measures how much of the reference the answers of a run cover, by their place in the results: every so-manieth of them. There
// are none where another judge than the offline one graded them, or their questions are not stored.
func CoversOf(tx *gorm.DB, run experiments.Run, results []experiments.Result, every int) (map[int]metrics.Cover, error) {
	if !run.Setup.Offline {
		return nil, nil //nolint:nilnil // none
	}
	var rows []library.QuestionRow
	if err := tx.Where("dataset = ? AND version = ?", run.Setup.Dataset.Name, run.Setup.Dataset.Version).Find(&rows).Error; err != nil {
		return nil, err
	}
	bodies := make(map[string]library.QuestionRow, len(rows))
	for _, row := range rows {
		bodies[row.QuestionID] = row
	}
	out := make(map[int]metrics.Cover, len(results)/every)
	for i := 0; i < len(results); i += every {
		row, known := bodies[sqldb.CleanText(results[i].QuestionID)]
		if !known || results[i].Answer == nil {
			continue
		}
		q, err := library.FromQuestionRow(row)
		if err != nil {
			return nil, err
		}
		out[i] = metrics.CoverOf(q.Sample(nil, rag.Answer{}), results[i].Answer.Text)
	}
	return out, nil
}

// GroundsOf reads the stages of a result; known is false where they say nothing, or one of them is lost.
func GroundsOf(tx *gorm.DB, r experiments.Result) (g metrics.Grounds, known bool, err error) {
	return groundsIn(tx.Statement.Context, txStages{tx: tx}, r)
}

func groundsIn(ctx context.Context, stages rag.Stages, r experiments.Result) (g metrics.Grounds, known bool, err error) {
	e, err := metrics.Explain(ctx, stages, r.Scores)
	if err != nil {
		return g, false, err
	}
	g = e.Grounds()
	return g, len(e.Lost) == 0 && g != metrics.Grounds{}, nil
}

// ReadGrounds gives each result of a run what is kept of it.
func ReadGrounds(tx *gorm.DB, id string, results []experiments.Result) error {
	var bodies [][]byte
	if err := tx.Raw("SELECT body FROM grounds WHERE run_id = ?", id).Scan(&bodies).Error; err != nil || len(bodies) == 0 {
		return err
	}
	kept, covers := compact.ExpandGrounds(bodies[0], len(results))
	for i, g := range kept {
		results[i].Grounds, results[i].Cover = g, covers[i]
	}
	return nil
}

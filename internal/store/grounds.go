package store

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// A comparison asks of each answer what the judge found in it beyond its grades, which stands in four stages or more. Of a finished run it
// is read once, when the run closes, and kept in one row: the version, how many results there are, and each in their order. It is a copy,
// as the compact results are: where it is not there, or a stage was lost when it was made, the stages are read. Since version 2 it also
// tells, of runs that the offline judge graded, how much of the reference each answer covers.
const (
	groundsVersion = 2
	groundsAlone   = 1 // without covers
)

// What a result has, in its first byte; 0 alone where its stages are to be read.
const (
	groundsKnown = 1 << iota
	groundsListed
	groundsRefuses
	groundsChecked
	groundsOpposed
)

// txStages reads stages within a transaction.
type txStages struct{ tx *gorm.DB }

// Stage is not asked for: what is read is asked for together.
func (s txStages) Stage(context.Context, string) ([]byte, bool, error) {
	return nil, false, errors.ErrUnsupported
}

// PutStage is not asked for.
func (s txStages) PutStage(context.Context, rag.Stage) error { return errors.ErrUnsupported }

// StageBodies returns the bodies of stages by key.
func (s txStages) StageBodies(_ context.Context, keys []string) (map[string][]byte, error) {
	out := make(map[string][]byte, len(keys))
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		var rows []stageRow
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
	body := binary.AppendUvarint([]byte{groundsVersion}, uint64(len(results)))
	some := false
	for _, r := range results {
		var g metrics.Grounds
		known := r.Grounds != nil
		if known {
			g = *r.Grounds
		} else {
			var err error
			if g, known, err = groundsOf(tx, r); err != nil {
				return err
			}
		}
		body = appendGrounds(body, g, known)
		some = some || known
	}
	covers, err := coversOf(tx, run, results, 1)
	if err != nil {
		return err
	}
	for i := range results {
		body = appendCover(body, covers[i])
	}
	if err := tx.Exec("DELETE FROM grounds WHERE run_id = ?", run.ID).Error; err != nil || !some && len(covers) == 0 {
		return err
	}
	return tx.Exec("INSERT INTO grounds (run_id, body) VALUES (?, ?)", run.ID, body).Error
}

// coversOf measures how much of the reference the answers of a run cover, by their place in the results: every so-manieth of them. There
// are none where another judge than the offline one graded them, or their questions are not stored.
func coversOf(tx *gorm.DB, run experiments.Run, results []experiments.Result, every int) (map[int]metrics.Cover, error) {
	if !run.Setup.Offline {
		return nil, nil //nolint:nilnil // none
	}
	var rows []questionRow
	if err := tx.Where("dataset = ? AND version = ?", run.Setup.Dataset.Name, run.Setup.Dataset.Version).Find(&rows).Error; err != nil {
		return nil, err
	}
	bodies := make(map[string]questionRow, len(rows))
	for _, row := range rows {
		bodies[row.QuestionID] = row
	}
	out := make(map[int]metrics.Cover, len(results)/every)
	for i := 0; i < len(results); i += every {
		row, known := bodies[sqldb.CleanText(results[i].QuestionID)]
		if !known || results[i].Answer == nil {
			continue
		}
		q, err := fromQuestionRow(row)
		if err != nil {
			return nil, err
		}
		out[i] = metrics.CoverOf(q.Sample(nil, rag.Answer{}), results[i].Answer.Text)
	}
	return out, nil
}

// appendCover appends a cover; without a key there is none.
func appendCover(body []byte, c metrics.Cover) []byte {
	if c == (metrics.Cover{}) {
		return append(body, 0)
	}
	body = append(append(body, byte(len(c.Key))), c.Key...)
	return binary.LittleEndian.AppendUint64(body, math.Float64bits(c.Share))
}

// groundsOf reads the stages of a result; known is false where they say nothing, or one of them is lost.
func groundsOf(tx *gorm.DB, r experiments.Result) (g metrics.Grounds, known bool, err error) {
	e, err := metrics.Explain(tx.Statement.Context, txStages{tx}, r.Scores)
	if err != nil {
		return g, false, err
	}
	g = e.Grounds()
	return g, len(e.Lost) == 0 && g != metrics.Grounds{}, nil
}

func appendGrounds(body []byte, g metrics.Grounds, known bool) []byte {
	if !known {
		return append(body, 0)
	}
	has := byte(groundsKnown)
	for i, there := range []bool{g.Listed, g.Refuses, g.Checked, g.Opposed} {
		if there {
			has |= groundsListed << i
		}
	}
	body = append(body, has)
	for _, n := range []int{g.Key, g.Covered, g.Supported, g.Contradicted} {
		body = binary.AppendUvarint(body, uint64(n)) //nolint:gosec // counts
	}
	return body
}

// readGrounds gives each result of a run what is kept of it.
func readGrounds(tx *gorm.DB, id string, results []experiments.Result) error {
	var bodies [][]byte
	if err := tx.Raw("SELECT body FROM grounds WHERE run_id = ?", id).Scan(&bodies).Error; err != nil || len(bodies) == 0 {
		return err
	}
	kept, covers := expandGrounds(string(bodies[0]), len(results))
	for i, g := range kept {
		results[i].Grounds, results[i].Cover = g, covers[i]
	}
	return nil
}

// expandGrounds reads what is kept of so many results; nil where it cannot be read.
func expandGrounds(body string, n int) (kept []*metrics.Grounds, covers []*metrics.Cover) {
	r := &compactReader{data: body}
	version := r.byte()
	if version != groundsVersion && version != groundsAlone || r.uint() != n {
		return nil, nil
	}
	kept, covers = make([]*metrics.Grounds, n), make([]*metrics.Cover, n)
	all, measured := make([]metrics.Grounds, n), make([]metrics.Cover, n)
	for i := range kept {
		has := r.byte()
		if has&groundsKnown == 0 {
			continue
		}
		all[i] = metrics.Grounds{Listed: has&groundsListed != 0, Refuses: has&groundsRefuses != 0, Checked: has&groundsChecked != 0,
			Opposed: has&groundsOpposed != 0, Key: r.uint(), Covered: r.uint(), Supported: r.uint(), Contradicted: r.uint()}
		kept[i] = &all[i]
	}
	for i := range covers {
		if version == groundsAlone {
			break
		}
		if n := int(r.byte()); n > 0 {
			measured[i] = metrics.Cover{Key: r.take(n), Share: r.float()}
			covers[i] = &measured[i]
		}
	}
	if r.bad || r.data != "" {
		return nil, nil
	}
	return kept, covers
}

// mostMeasured is how many answers of a run the doctor measures again.
const mostMeasured = 50

// grounds compares what is kept of a finished run with what its stages say, and some of its answers with their references.
func (c *checking) grounds(run experiments.Run, results []experiments.Result) error {
	kept := slices.Clone(results)
	if err := readGrounds(c.tx, run.ID, kept); err != nil {
		return err
	}
	for i, r := range results {
		if kept[i].Grounds == nil {
			continue
		}
		g, known, err := groundsOf(c.tx, r)
		if err != nil {
			return err
		}
		if known && !reflect.DeepEqual(g, *kept[i].Grounds) {
			c.add("copy", "run "+run.ID, "what comparisons read of question %s says something else than the judge's replies", r.QuestionID)
			return nil
		}
	}
	covers, err := coversOf(c.tx, run, results, 1+len(results)/mostMeasured)
	if err != nil {
		return err
	}
	for _, i := range slices.Sorted(maps.Keys(covers)) { // one that an older version measured is not used
		if now := covers[i]; kept[i].Cover != nil && kept[i].Cover.Key == now.Key && *kept[i].Cover != now {
			c.add("copy", "run "+run.ID, "how much of its reference the answer to question %s covers is not what comparisons read",
				results[i].QuestionID)
			return nil
		}
	}
	return nil
}

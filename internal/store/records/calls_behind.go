package records

import (
	"bytes"
	"context"
	"slices"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Behind is a call that a stage output was computed from.
type Behind struct {
	Stage, Call, Run, Question string
	Pruned                     bool // its reply is gone
}

// CallsBehind are the calls behind stage outputs, as far as both are there.
func (s *LedgerTables) CallsBehind(ctx context.Context, stages []string) (out []Behind, err error) {
	err = s.Snapshot(ctx, "find the calls behind stages", func(tx *gorm.DB) error {
		byCall := map[string][]string{}
		if err := EachStageCall(tx, stages, func(stage, call string) { byCall[call] = append(byCall[call], stage) }); err != nil {
			return err
		}
		ids := make([]string, 0, len(byCall))
		for id := range byCall {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
			var rows []CallRow
			if err := tx.Select("id", "run_id", "question_id", "pruned").Where("id IN ?", chunk).Find(&rows).Error; err != nil {
				return err
			}
			for _, r := range rows {
				for _, stage := range byCall[r.ID] {
					out = append(out, Behind{stage, r.ID, r.RunID, r.QuestionID, r.Pruned})
				}
			}
		}
		return nil
	})
	return out, err
}

// stageReader gives the output of a stage.
type stageReader interface {
	Stage(ctx context.Context, key string) ([]byte, bool, error)
}

// StagesUnlike compares the stage outputs of this store with those of the same key in another one, and returns "KIND KEY" of those that
// have another content, but for the kinds left out. What only one of the two has is not compared.
func (s *LedgerTables) StagesUnlike(ctx context.Context, other stageReader, leftOut ...string) (compared int, unlike []string, err error) {
	err = s.Snapshot(ctx, "compare stages", func(tx *gorm.DB) error {
		rows, err := tx.Raw("SELECT key, kind, body FROM stages ORDER BY key").Rows()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r StageRow
			if err := rows.Scan(&r.Key, &r.Kind, &r.Body); err != nil {
				return err
			}
			if slices.Contains(leftOut, r.Kind) {
				continue
			}
			body, found, err := other.Stage(ctx, r.Key)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			if compared++; !bytes.Equal(body, r.Body) {
				unlike = append(unlike, r.Kind+" "+r.Key)
			}
		}
		return rows.Err()
	})
	return compared, unlike, err
}

// EachVector calls do with every stored vector, space by space.
func (s *LedgerTables) EachVector(ctx context.Context, do func(space, digest string, v []float32)) error {
	return s.Snapshot(ctx, "read the vectors", func(tx *gorm.DB) error {
		rows, err := tx.Raw("SELECT space, digest, dim, body FROM vectors ORDER BY space, digest").Rows()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var r VectorRow
			if err := rows.Scan(&r.Space, &r.Digest, &r.Dim, &r.Body); err != nil {
				return err
			}
			v, err := FromVectorRow(r)
			if err != nil {
				v = nil // the doctor says why it is none
			}
			do(r.Space, r.Digest, v)
		}
		return rows.Err()
	})
}

// PrunedCalls counts the usable calls for a purpose whose replies are gone.
func (s *LedgerTables) PrunedCalls(ctx context.Context, purpose string) (n int64, err error) {
	err = s.Read(ctx).Model(&CallRow{}).Where("purpose = ? AND state = ? AND pruned", purpose, llm.CallUsable).Count(&n).Error
	return n, sqldb.Wrap("count pruned calls", err)
}

// StagesWithoutCalls are the kinds of the stage outputs that no call stands behind, by their keys.
func (s *LedgerTables) StagesWithoutCalls(ctx context.Context) (map[string]string, error) {
	kinds := map[string]string{}
	err := s.Snapshot(ctx, "find stages without calls", func(tx *gorm.DB) error {
		var rows []StageRow
		if err := tx.Select("key", "kind").Where("calls IN ('null', '[]')").Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			kinds[r.Key] = r.Kind
		}
		return nil
	})
	return kinds, err
}

package records

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// StageRow is the output of a stage, as it is stored.
type StageRow struct {
	Key     string    `gorm:"column:key;primaryKey"`
	Kind    string    `gorm:"column:kind"`
	Body    []byte    `gorm:"column:body"`
	Calls   string    `gorm:"column:calls"`
	Created time.Time `gorm:"column:created_at"`
}

// TableName tells gorm where the rows are.
func (StageRow) TableName() string { return "stages" }

// putStages stores outputs that are not there yet, in the order of their keys so that two writers cannot wait for each
// other. Bodies are kept byte for byte: keys of later stages are computed from them.
func putStages(tx *gorm.DB, stages []rag.Stage, now time.Time) error {
	rows := make([]StageRow, len(stages))
	for i, st := range stages {
		if st.Key == "" {
			return fmt.Errorf("a %s stage has no key", st.Kind)
		}
		var ids []string // nil for none: an empty list would be written in another way
		calls, err := sqldb.EncodeJSON(append(ids, st.Calls...))
		if err != nil {
			return err
		}
		rows[i] = StageRow{Key: st.Key, Kind: st.Kind, Body: body(st.Body), Calls: calls, Created: now}
	}
	slices.SortStableFunc(rows, func(a, b StageRow) int { return cmp.Compare(a.Key, b.Key) })
	rows = slices.CompactFunc(rows, func(a, b StageRow) bool { return a.Key == b.Key })
	if now.IsZero() {
		tx = tx.Omit("created_at") // the database knows the time
	}
	return sqldb.Insert(tx, rows, clause.OnConflict{DoNothing: true})
}

// body is b, but never nil: columns of required bytes are not null.
func body(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Stage implements [rag.Stages].
func (s *LedgerTables) Stage(ctx context.Context, key string) ([]byte, bool, error) {
	var body []byte
	found, err := s.First(ctx, []any{&body}, "SELECT body FROM stages WHERE key = ?", key)
	return body, found, sqldb.Wrap("read stage "+key, err)
}

// stageSlots is how many stages one statement reads.
const stageSlots = 8

var readStages = "SELECT key, body FROM stages WHERE key IN (?" + strings.Repeat(", ?", stageSlots-1) + ")"

// StageBodies returns the bodies of stages that are stored, by key.
func (s *LedgerTables) StageBodies(ctx context.Context, keys []string) (map[string][]byte, error) {
	st, err := s.Prepared(ctx, readStages) //nolint:sqlclosecheck // prepared once; the database closes it
	if err != nil {
		return nil, sqldb.Wrap("read stages", err)
	}
	out := make(map[string][]byte, len(keys))
	for chunk := range slices.Chunk(keys, stageSlots) {
		args := make([]any, stageSlots)
		for i := range args {
			args[i] = sqldb.CleanText(chunk[min(i, len(chunk)-1)])
		}
		if err := eachStageBody(ctx, st, args, out); err != nil {
			return nil, sqldb.Wrap("read stages", err)
		}
	}
	return out, nil
}

func eachStageBody(ctx context.Context, st *sql.Stmt, args []any, into map[string][]byte) error {
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err tells
	for rows.Next() {
		var key string
		var body []byte
		if err := rows.Scan(&key, &body); err != nil {
			return err
		}
		into[key] = body
	}
	return rows.Err()
}

// StageOf is [Store.Stage] for outputs of one kind: others count as not there.
func (s *LedgerTables) StageOf(ctx context.Context, kind, key string) ([]byte, bool, error) {
	var body []byte
	found, err := s.First(ctx, []any{&body}, "SELECT body FROM stages WHERE key = ? AND kind = ?", key, kind)
	return body, found, sqldb.Wrap("read stage "+key, err)
}

// PutStage implements [rag.Stages].
func (s *LedgerTables) PutStage(ctx context.Context, st rag.Stage) error {
	return s.Write(ctx, "store stage "+st.Key, func(tx *gorm.DB) error { return putStages(tx, []rag.Stage{st}, time.Time{}) })
}

// PutStages stores outputs that belong together in one transaction; see [rag.PutStages].
func (s *LedgerTables) PutStages(ctx context.Context, list []rag.Stage) error {
	return s.Write(ctx, "store stages", func(tx *gorm.DB) error { return putStages(tx, list, time.Time{}) })
}

// VectorRow holds one vector as little-endian float32.
type VectorRow struct {
	Space  string `gorm:"column:space"`
	Digest string `gorm:"column:digest"`
	Dim    int    `gorm:"column:dim"`
	Body   []byte `gorm:"column:body"`
}

// TableName tells gorm where the rows are.
func (VectorRow) TableName() string { return "vectors" }

func toVectorRow(space, digest string, v []float32) VectorRow {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return VectorRow{Space: space, Digest: digest, Dim: len(v), Body: b}
}

// FromVectorRow reads a vector.
func FromVectorRow(r VectorRow) ([]float32, error) {
	if len(r.Body) != 4*r.Dim {
		return nil, fmt.Errorf("stored vector %s of %s has %d bytes; %d dimensions need %d", r.Digest, r.Space, len(r.Body), r.Dim, 4*r.Dim)
	}
	v := make([]float32, r.Dim)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(r.Body[4*i:]))
	}
	return v, nil
}

// Vectors implements [llm.VectorStore].
func (s *LedgerTables) Vectors(ctx context.Context, space string, digests []string) (map[string][]float32, error) {
	out := make(map[string][]float32, len(digests))
	for chunk := range slices.Chunk(digests, sqldb.BatchRows) {
		var rows []VectorRow
		if err := s.Read(ctx).Where("space = ? AND digest IN ?", space, chunk).Find(&rows).Error; err != nil {
			return nil, sqldb.Wrap("read vectors of "+space, err)
		}
		for _, r := range rows {
			v, err := FromVectorRow(r)
			if err != nil {
				return nil, err
			}
			out[r.Digest] = v
		}
	}
	return out, nil
}

// PutVectors implements [llm.VectorStore].
func (s *LedgerTables) PutVectors(ctx context.Context, space string, vectors map[string][]float32) error {
	rows := make([]VectorRow, 0, len(vectors))
	for _, digest := range slices.Sorted(maps.Keys(vectors)) { // in order, so that two writers cannot wait for each other
		rows = append(rows, toVectorRow(space, digest, vectors[digest]))
	}
	return s.Write(ctx, "store vectors of "+space, func(tx *gorm.DB) error {
		return sqldb.Insert(tx, rows, clause.OnConflict{DoNothing: true})
	})
}

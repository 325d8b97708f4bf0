package schedules

import (
	"context"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.TraceStore = (*Tables)(nil)

type traceRow struct {
	ID        string    `gorm:"column:id;primaryKey"`
	ArrivedAt time.Time `gorm:"column:arrived_at"`
	SeenAt    time.Time `gorm:"column:seen_at"`
	Ended     bool      `gorm:"column:ended"`
	Spans     int       `gorm:"column:spans"`
	Bytes     int64     `gorm:"column:bytes"`
	Outcome   string    `gorm:"column:outcome"`
	Item      []byte    `gorm:"column:item"`
}

func (traceRow) TableName() string { return "traces" }

type traceSpanRow struct {
	TraceID string `gorm:"column:trace_id;primaryKey"`
	ID      string `gorm:"column:id;primaryKey"`
	Body    []byte `gorm:"column:body"`
}

func (traceSpanRow) TableName() string { return "trace_spans" }

// AddSpans implements [experiments.TraceStore].
func (s *Tables) AddSpans(ctx context.Context, spans []experiments.TraceSpan, limits experiments.TraceLimits,
	now time.Time) (got experiments.TraceIntake, err error) {
	byTrace := map[string][]experiments.TraceSpan{}
	for _, one := range spans {
		byTrace[one.Trace] = append(byTrace[one.Trace], one)
	}
	ids := slices.Sorted(maps.Keys(byTrace))
	err = s.Write(ctx, "keep spans", func(tx *gorm.DB) error {
		got = experiments.TraceIntake{}
		var open struct {
			Spans int
			Bytes int64
		}
		if err := tx.Raw("SELECT COALESCE(SUM(spans), 0) AS spans, COALESCE(SUM(bytes), 0) AS bytes FROM traces WHERE outcome = ''").
			Scan(&open).Error; err != nil {
			return err
		}
		if got.Full = open.Spans+len(spans) > limits.Spans || open.Bytes > limits.Bytes; got.Full {
			return nil
		}
		for _, id := range ids { // in one order, so that two requests never wait for each other
			if err := addSpans(tx, id, byTrace[id], limits.PerTrace, now, &got); err != nil {
				return err
			}
		}
		return nil
	})
	return got, err
}

// addSpans keeps the spans of one trace that are new. Its row is locked first, so that of two requests one sees the other's spans.
func addSpans(tx *gorm.DB, id string, spans []experiments.TraceSpan, most int, now time.Time, got *experiments.TraceIntake) error {
	ended := slices.ContainsFunc(spans, func(one experiments.TraceSpan) bool { return one.Root })
	row := traceRow{ID: id, ArrivedAt: now, SeenAt: now, Ended: ended, Item: []byte{}}
	again := clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.Set{
		{Column: clause.Column{Name: "seen_at"}, Value: now},
		{Column: clause.Column{Name: "ended"}, Value: gorm.Expr("traces.ended OR excluded.ended")},
	}}
	if err := tx.Clauses(again).Create(&row).Error; err != nil {
		return err
	}
	var there traceRow
	if err := tx.Where("id = ?", id).Take(&there).Error; err != nil {
		return err
	}
	if there.Outcome != "" {
		got.Known += len(spans)
		return nil
	}
	var known []string
	if err := tx.Model(&traceSpanRow{}).Where("trace_id = ?", id).Pluck("id", &known).Error; err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, one := range known {
		seen[one] = true
	}
	var rows []traceSpanRow
	bytes := int64(0)
	for _, one := range spans {
		switch {
		case seen[one.ID]:
			got.Known++
		case there.Spans+len(rows) >= most:
			got.Over++
		default:
			seen[one.ID] = true
			rows, bytes = append(rows, traceSpanRow{id, one.ID, one.Body}), bytes+int64(len(one.Body))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	got.Stored += len(rows)
	if err := tx.CreateInBatches(rows, 200).Error; err != nil {
		return err
	}
	return tx.Model(&traceRow{}).Where("id = ?", id).
		Updates(map[string]any{"spans": gorm.Expr("spans + ?", len(rows)), "bytes": gorm.Expr("bytes + ?", bytes)}).Error
}

// DueTraces implements [experiments.TraceStore].
func (s *Tables) DueTraces(ctx context.Context, quiet, opened time.Time, limit int) ([]experiments.OpenTrace, error) {
	var rows []traceRow
	err := s.Read(ctx).Where("outcome = '' AND ((ended AND seen_at <= ?) OR arrived_at <= ?)", quiet, opened).
		Order("arrived_at, id").Limit(limit).Find(&rows).Error
	if err != nil {
		return nil, sqldb.Wrap("find traces that are complete", err)
	}
	out := make([]experiments.OpenTrace, len(rows))
	for i, r := range rows {
		out[i] = experiments.OpenTrace{ID: r.ID, ArrivedAt: r.ArrivedAt.UTC(), SeenAt: r.SeenAt.UTC()}
		var spans []traceSpanRow
		if err := s.Read(ctx).Where("trace_id = ?", r.ID).Order("id").Find(&spans).Error; err != nil {
			return nil, sqldb.Wrap("read the spans of a trace", err)
		}
		for _, one := range spans {
			out[i].Spans = append(out[i].Spans, experiments.TraceSpan{Trace: one.TraceID, ID: one.ID, Body: one.Body})
		}
	}
	return out, nil
}

// SettleTrace implements [experiments.TraceStore].
func (s *Tables) SettleTrace(ctx context.Context, t experiments.OpenTrace, outcome string, item []byte) (settled bool, err error) {
	err = s.Write(ctx, "settle a trace", func(tx *gorm.DB) error {
		res := tx.Model(&traceRow{}).Where("id = ? AND outcome = '' AND seen_at = ? AND spans = ?", t.ID, t.SeenAt, len(t.Spans)).
			Updates(map[string]any{"outcome": outcome, "item": append([]byte{}, item...), "bytes": len(item)})
		if settled = res.RowsAffected > 0; res.Error != nil || !settled {
			return res.Error
		}
		return tx.Where("trace_id = ?", t.ID).Delete(&traceSpanRow{}).Error
	})
	return settled, err
}

// AskedTraces implements [experiments.TraceStore].
func (s *Tables) AskedTraces(ctx context.Context, outcome string, from, to time.Time) ([]experiments.AskedTrace, error) {
	var rows []traceRow
	err := s.Read(ctx).Where("outcome = ? AND arrived_at >= ? AND arrived_at < ?", outcome, from, to).
		Order("arrived_at, id").Find(&rows).Error
	out := make([]experiments.AskedTrace, len(rows))
	for i, r := range rows {
		out[i] = experiments.AskedTrace{ID: r.ID, ArrivedAt: r.ArrivedAt.UTC(), Item: r.Item}
	}
	return out, sqldb.Wrap("list what was asked", err)
}

// CountTraces implements [experiments.TraceStore].
func (s *Tables) CountTraces(ctx context.Context, since time.Time) ([]experiments.TraceCount, error) {
	var rows []traceRow
	err := s.Read(ctx).Select("outcome, arrived_at, spans, bytes").Order("outcome, arrived_at").Find(&rows).Error
	out := []experiments.TraceCount{}
	for _, r := range rows {
		if n := len(out); n == 0 || out[n-1].Outcome != r.Outcome {
			out = append(out, experiments.TraceCount{Outcome: r.Outcome, First: r.ArrivedAt.UTC()})
		}
		c := &out[len(out)-1]
		c.Traces, c.Spans, c.Bytes, c.Last = c.Traces+1, c.Spans+r.Spans, c.Bytes+r.Bytes, r.ArrivedAt.UTC()
		if !r.ArrivedAt.Before(since) {
			c.Recent++
		}
	}
	return out, sqldb.Wrap("count traces", err)
}

// PruneTraces implements [experiments.TraceStore].
func (s *Tables) PruneTraces(ctx context.Context, before time.Time, keep int, bytes int64) (gone int, err error) {
	err = s.Write(ctx, "take away old traces", func(tx *gorm.DB) error {
		var rows []traceRow
		if err := tx.Select("id, arrived_at, bytes, outcome").Order("arrived_at DESC, id").Find(&rows).Error; err != nil {
			return err
		}
		var ids []string
		kept, size := 0, int64(0)
		for _, r := range rows {
			if r.Outcome != "" {
				kept, size = kept+1, size+r.Bytes
			}
			if r.ArrivedAt.Before(before) || r.Outcome != "" && (kept > keep || size > bytes) {
				ids = append(ids, r.ID)
			}
		}
		gone = len(ids)
		for part := range slices.Chunk(ids, 500) {
			if err := tx.Where("trace_id IN ?", part).Delete(&traceSpanRow{}).Error; err != nil {
				return err
			}
			if err := tx.Where("id IN ?", part).Delete(&traceRow{}).Error; err != nil {
				return err
			}
		}
		return nil
	})
	return gone, err
}

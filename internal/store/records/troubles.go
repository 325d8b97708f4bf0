package records

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// mostTroubles bounds the causes that are told of one run.
const mostTroubles = 20

// Troubles says what went wrong with the calls of a run, or of a sweep's runs: for each model and cause how often, and in whose words,
// the most frequent first. Calls that their own callers gave up are left out.
func (s *RunTables) Troubles(ctx context.Context, id string) ([]experiments.Trouble, error) {
	const wrong = "state IN ('unusable', 'failed', 'unknown') AND cause NOT IN ('cancelled', '') AND " + OfRun
	var rows []struct {
		Provider string `gorm:"column:provider"`
		Model    string `gorm:"column:model"`
		Cause    string `gorm:"column:cause"`
		Status   int    `gorm:"column:http_status"`
		Calls    int    `gorm:"column:calls"`
	}
	err := s.Read(ctx).Raw("SELECT provider, model, cause, http_status, COUNT(*) AS calls FROM calls WHERE "+wrong+
		" GROUP BY provider, model, cause, http_status ORDER BY 5 DESC, 1, 2, 3, 4 LIMIT ?", id, id, mostTroubles).Scan(&rows).Error
	if err != nil {
		return nil, sqldb.Wrap("sum the failed calls of run "+id, err)
	}
	out := make([]experiments.Trouble, len(rows))
	for i, r := range rows {
		var newest CallRow
		err := s.Read(ctx).Where(wrong+" AND provider = ? AND model = ? AND cause = ? AND http_status = ?",
			id, id, r.Provider, r.Model, r.Cause, r.Status).Order("sent_at DESC, id DESC").Limit(1).Find(&newest).Error
		if err != nil {
			return nil, sqldb.Wrap("read a failed call of run "+id, err)
		}
		out[i] = experiments.Trouble{Provider: r.Provider, Model: r.Model, Purpose: newest.Purpose, Cause: r.Cause, HTTPStatus: r.Status,
			Calls: r.Calls, CallID: newest.ID}
		out[i].Server, out[i].Reply = llm.Words(r.Status, newest.Reply)
	}
	return out, nil
}

// LastStarted is when work on a run began or went on for the last time, the same for all its workers; the zero time where it never did.
func (s *RunTables) LastStarted(ctx context.Context, run string) (time.Time, error) {
	var newest EventRow
	err := s.Read(ctx).Where("run_id = ? AND kind = ?", run, experiments.EventStarted).Order("seq DESC").Limit(1).Find(&newest).Error
	return newest.At.UTC(), sqldb.Wrap("find the last start of run "+run, err)
}

// NewestWasted says of the newest calls of a run to a model, sent since a moment and settled, which were of no use, the newest first
// and at most so many of them. A request that was refused and sent in another form at once is no waste.
func (s *RunTables) NewestWasted(ctx context.Context, run, provider, model string, since time.Time, most int) ([]bool, error) {
	const otherwise = "NOT (state = 'failed' AND EXISTS (SELECT 1 FROM calls AS later WHERE later.cache_key = calls.cache_key " +
		"AND later.run_id = calls.run_id AND later.attempt > calls.attempt))"
	var rows []CallRow
	err := s.Read(ctx).Select("state, cause").
		Where("run_id = ? AND provider = ? AND model = ? AND sent_at >= ? AND state IN ('usable', 'unusable', 'failed')", run, provider, model, since).
		Where(otherwise).Order("sent_at DESC, id DESC").Limit(3 * most).Find(&rows).Error
	if err != nil {
		return nil, sqldb.Wrap("read the newest calls of run "+run, err)
	}
	var newest []bool
	for _, r := range rows {
		if useless, counts := llm.Wasted(llm.CallState(r.State), r.Cause); counts && len(newest) < most {
			newest = append(newest, useless)
		}
	}
	return newest, nil
}

package records

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// PruneReport is what pruning old replies takes away. The bill is not touched.
type PruneReport struct {
	Replies int   `json:"replies"` // calls whose request and reply are dropped
	Bytes   int64 `json:"bytes"`   // of those requests and replies; the space is used again, not given back
	// of those, replies that were served from the cache: the same request would be bought again
	CacheEntries int      `json:"cache_entries"`
	Runs         []string `json:"runs"` // runs that cannot be recomputed from their replies any more, sorted
	Kept         int      `json:"kept"` // calls that are old enough, but are pinned or needed by an unfinished run or a baseline
}

// PruneReplies drops the requests and replies of settled calls that were answered, or sent when nothing came back, before a
// time. It keeps those that a run needs which is not over, a baseline or pinned, or belongs to a sweep or a parent run that is.
// A dry prune only reports what would be lost. Rows of the ledger stay, with their prices, causes and the SHA-256 of their
// replies; so do answers, scores and everything else that was computed.
func (s *LedgerTables) PruneReplies(ctx context.Context, before time.Time, dry bool) (PruneReport, error) {
	var report PruneReport
	prune := func(tx *gorm.DB) (err error) {
		var p *pruning
		if p, err = planPruning(tx, before); err != nil {
			return err
		}
		if report, err = p.report(tx); err != nil || dry {
			return err
		}
		for chunk := range slices.Chunk(slices.Sorted(maps.Keys(p.drop)), sqldb.BatchRows) {
			if err := tx.Exec("DELETE FROM cache WHERE call_id IN ?", chunk).Error; err != nil {
				return err
			}
			if err := s.empty(tx, chunk); err != nil {
				return err
			}
			if err := sealCalls(tx, chunk); err != nil {
				return err
			}
		}
		return nil
	}
	if dry {
		return report, s.Snapshot(ctx, "look for old replies", prune)
	}
	err := s.Write(ctx, "drop old replies", prune)
	return report, err
}

// empty drops the requests and replies of calls. SQLite leaves a row that became short on the page that it filled before, and puts nothing
// beside it: there the row is taken out and put in again, behind the others, and its page is used for what comes next.
func (s *LedgerTables) empty(tx *gorm.DB, ids []string) error {
	if s.Engine() == sqldb.PostgresEngine {
		return tx.Exec("UPDATE calls SET request = NULL, reply = NULL, pruned = TRUE WHERE id IN ?", ids).Error
	}
	calls := &gorm.Statement{DB: tx}
	if err := calls.Parse(&CallRow{}); err != nil {
		return err
	}
	columns := strings.Join(calls.Schema.DBNames, ", ")
	values := strings.NewReplacer("request", "NULL", "reply_sha256", "reply_sha256", "reply", "NULL", "pruned", "TRUE").Replace(columns)
	return tx.Exec("REPLACE INTO calls ("+columns+") SELECT "+values+" FROM calls WHERE id IN ?", ids).Error
}

// PinRun keeps the replies behind a run, or a sweep and its runs, from being pruned, or lets them go again.
func (s *RunTables) PinRun(ctx context.Context, id string, pinned bool) error {
	return s.Write(ctx, "pin run "+id, func(tx *gorm.DB) error {
		if _, err := lockRun(tx, id, sqldb.ForUpdate); err != nil {
			return err
		}
		return tx.Model(&RunRow{}).Where("id = ?", id).Update("pinned", pinned).Error
	})
}

// pruning is a plan: which calls are dropped, and which runs keep theirs.
type pruning struct {
	drop  map[string]oldCall
	keep  map[string]bool       // runs
	kept  int                   // calls
	ended map[string]*time.Time // all runs
}

type oldCall struct {
	ID    string    `gorm:"column:id"`
	RunID string    `gorm:"column:run_id"`
	State string    `gorm:"column:state"`
	Sent  time.Time `gorm:"column:sent_at"`
	Bytes int64     `gorm:"column:bytes"`
}

// clocksApart is by how much the clocks of two hosts may differ for the order of their calls and runs to be known.
const clocksApart = 24 * time.Hour

func planPruning(tx *gorm.DB, before time.Time) (*pruning, error) {
	var old []oldCall
	// In the words of the index that finds them.
	err := tx.Raw(`SELECT id, run_id, state, sent_at, COALESCE(LENGTH(request), 0) + COALESCE(LENGTH(reply), 0) AS bytes FROM calls
		WHERE (state = 'usable' OR state = 'unusable' OR state = 'failed') AND NOT pruned AND COALESCE(done_at, sent_at) < ?`, before).Scan(&old).Error
	if err != nil {
		return nil, err
	}
	p := &pruning{drop: make(map[string]oldCall, len(old))}
	for _, c := range old {
		p.drop[c.ID] = c
	}
	if len(old) == 0 {
		return p, nil
	}
	if p.keep, p.ended, err = keptRuns(tx); err != nil {
		return nil, err
	}
	maps.DeleteFunc(p.drop, func(_ string, c oldCall) bool { return p.keep[c.RunID] })
	for _, run := range p.users() {
		if !p.keep[run] {
			continue
		}
		used, err := UsedCalls(tx, run)
		if err != nil {
			return nil, err
		}
		for call := range used {
			delete(p.drop, call)
		}
	}
	var pinned []string
	if err := tx.Model(&CacheRow{}).Where("pinned").Pluck("call_id", &pinned).Error; err != nil {
		return nil, err
	}
	for _, call := range pinned {
		delete(p.drop, call)
	}
	p.kept = len(old) - len(p.drop)
	return p, nil
}

// users are the runs that may rest on a call that is to be dropped: those that ended after the first of these was sent. A year of runs is
// not read every week.
func (p *pruning) users() []string {
	var first time.Time
	for _, c := range p.drop {
		if first.IsZero() || c.Sent.Before(first) {
			first = c.Sent
		}
	}
	var out []string
	for run, end := range p.ended {
		if len(p.drop) > 0 && (end == nil || !end.Before(first.Add(-clocksApart))) {
			out = append(out, run)
		}
	}
	slices.Sort(out)
	return out
}

// keptRuns are the runs whose replies stay: those that are not over, baselines and pinned ones, and whatever belongs to one of
// them as a run of its sweep or as its child. It also tells when each run of all ended.
func keptRuns(tx *gorm.DB) (keep map[string]bool, ended map[string]*time.Time, err error) {
	var rows []RunRow
	if err := tx.Select("id", "parent_id", "sweep_id", "state", "pinned", "finished_at").Order("seq").Find(&rows).Error; err != nil {
		return nil, nil, err
	}
	var baselines []string
	if err := tx.Model(&BaselineRow{}).Pluck("run_id", &baselines).Error; err != nil {
		return nil, nil, err
	}
	keep, ended = map[string]bool{}, make(map[string]*time.Time, len(rows))
	for _, id := range baselines {
		keep[id] = true
	}
	for _, r := range rows { // a run stands after its sweep and its parent
		ended[r.ID] = r.FinishedAt
		switch experiments.RunState(r.State) {
		case experiments.Finished, experiments.Cancelled, experiments.Failed:
			if r.Pinned || keep[r.SweepID] || keep[r.ParentID] {
				keep[r.ID] = true
			}
		default:
			keep[r.ID] = true
		}
	}
	return keep, ended, nil
}

// report says what carrying out the plan takes away.
func (p *pruning) report(tx *gorm.DB) (PruneReport, error) {
	r := PruneReport{Replies: len(p.drop), Kept: p.kept, Runs: []string{}}
	for _, c := range p.drop {
		r.Bytes += c.Bytes
	}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(p.drop)), sqldb.BatchRows) {
		var n int64
		if err := tx.Model(&CacheRow{}).Where("call_id IN ?", chunk).Count(&n).Error; err != nil {
			return r, err
		}
		r.CacheEntries += int(n)
	}
	if len(p.drop) == 0 {
		return r, nil
	}
	var err error
	r.Runs, err = p.lose(tx)
	return r, err
}

// lose returns the runs that were computed from something that is dropped.
func (p *pruning) lose(tx *gorm.DB) ([]string, error) {
	lost := map[string]bool{}
	for _, c := range p.drop {
		if c.State == "usable" { // the others show in the bill only
			lost[c.RunID] = true
		}
	}
	for _, id := range p.users() {
		if p.keep[id] || lost[id] {
			continue
		}
		used, err := UsedCalls(tx, id)
		if err != nil {
			return nil, err
		}
		for call := range used {
			if _, dropped := p.drop[call]; dropped {
				lost[id] = true
				break
			}
		}
	}
	maps.DeleteFunc(lost, func(id string, _ bool) bool { return p.keep[id] })
	there := []string{}
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(lost)), sqldb.BatchRows) {
		var some []string
		if err := tx.Model(&RunRow{}).Where("id IN ?", chunk).Order("id").Pluck("id", &some).Error; err != nil {
			return nil, err
		}
		there = append(there, some...)
	}
	return there, nil
}

package records

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// headRow is a run without its setup. The columns that are not of [RunRow] are made by the database, out of setup and totals.
type headRow struct {
	ID             string     `gorm:"column:id"`
	Kind           string     `gorm:"column:kind"`
	ParentID       string     `gorm:"column:parent_id"`
	SweepID        string     `gorm:"column:sweep_id"`
	Params         string     `gorm:"column:params"`
	Experiment     string     `gorm:"column:experiment"`
	Revision       int        `gorm:"column:revision"`
	Dataset        string     `gorm:"column:dataset"`
	DatasetVersion int        `gorm:"column:dataset_version"`
	DatasetDigest  string     `gorm:"column:dataset_digest"`
	Corpus         string     `gorm:"column:corpus"`
	CorpusVersion  int        `gorm:"column:corpus_version"`
	CorpusDigest   string     `gorm:"column:corpus_digest"`
	JudgeProvider  string     `gorm:"column:judge_provider"`
	JudgeModel     string     `gorm:"column:judge_model"`
	Offline        bool       `gorm:"column:offline"`
	Settled        bool       `gorm:"column:settled"`
	LowScore       float64    `gorm:"column:low_score"`
	State          string     `gorm:"column:state"`
	Cause          string     `gorm:"column:cause"`
	Budget         int64      `gorm:"column:budget_micros"`
	BudgetCalls    int        `gorm:"column:budget_calls"`
	Created        time.Time  `gorm:"column:created_at"`
	StartedAt      *time.Time `gorm:"column:started_at"`
	FinishedAt     *time.Time `gorm:"column:finished_at"`
	Totals         string     `gorm:"column:totals"`
	Pooled         string     `gorm:"column:pooled"`
}

func (headRow) TableName() string { return "runs" }

func (r headRow) head() (experiments.RunHead, error) {
	h := experiments.RunHead{
		RunID: r.ID, Kind: experiments.Kind(r.Kind), ParentID: r.ParentID, SweepID: r.SweepID, Experiment: r.Experiment,
		Revision: r.Revision,
		Dataset:  experiments.Ref{Name: r.Dataset, Version: r.DatasetVersion, Digest: r.DatasetDigest},
		Corpus:   experiments.Ref{Name: r.Corpus, Version: r.CorpusVersion, Digest: r.CorpusDigest},
		Judge:    r.JudgeProvider + "/" + r.JudgeModel, Offline: r.Offline, Settled: r.Settled, LowScore: r.LowScore,
		State: experiments.RunState(r.State), Cause: r.Cause, Budget: experiments.Budget{Micros: r.Budget, Calls: r.BudgetCalls},
		CreatedAt: r.Created.UTC(), StartedAt: sqldb.UTC(r.StartedAt), FinishedAt: sqldb.UTC(r.FinishedAt),
	}
	var err error
	if h.Params, err = paramsOf(r.ID, r.Params); err != nil {
		return h, err
	}
	h.Totals, err = sqldb.DecodeJSON[*experiments.Totals]("totals of run "+r.ID, cmp.Or(r.Pooled, r.Totals))
	if h.Totals != nil {
		h.ScoredBy(metrics.OnlyToolsOf(slices.Collect(maps.Keys(h.Totals.Scores))))
	}
	return h, err
}

// runSorts are what runs can be sorted by. A dataset stands as people write it, name@version.
var runSorts = map[string]sqldb.SortedBy{
	"created_at":      {Expression: "created_at", Holds: sqldb.WholeTime},
	"experiment":      {Expression: "experiment", Holds: sqldb.Text},
	"dataset":         {Expression: "CASE WHEN dataset = '' THEN '' ELSE dataset || '@' || dataset_version END", Holds: sqldb.Text},
	"state":           {Expression: "state", Holds: sqldb.Text},
	"kind":            {Expression: "kind", Holds: sqldb.Text},
	"run_id":          {Expression: "id", Holds: sqldb.Text},
	"low_score_count": {Expression: "low_score_count", Holds: sqldb.MaybeInteger},
	"correctness":     {Expression: "correctness", Holds: sqldb.MaybeNumber},
	"trust":           {Expression: "trust", Holds: sqldb.MaybeNumber},
}

var _ experiments.Heads = (*RunTables)(nil)

// RunHeads implements [experiments.Heads]. What is looked for and sorted by stands in an index; the rows themselves, which are long, are
// read only of the runs that are shown.
func (s *RunTables) RunHeads(ctx context.Context, l experiments.RunList, p experiments.Part) (heads []experiments.RunHead,
	total int, err error) {
	err = s.Snapshot(ctx, "list runs", func(tx *gorm.DB) error {
		matching, err := s.searches(tx, l)
		if err != nil {
			return err
		}
		if !p.Uncounted || l.Text != "" {
			if total, err = s.count(tx, l, matching.counted); err != nil {
				return err
			}
		}
		q, err := s.Keyset(matching.listed(total), runSorts, "id", p)
		if err != nil {
			return err
		}
		if p.Bare {
			heads, err = bareHeads(q)
			return err
		}
		var ids []string
		if err := q.Pluck("id", &ids).Error; err != nil {
			return err
		}
		heads, err = headsOf(tx, ids)
		return err
	})
	return heads, total, err
}

// count is how many runs a list has. Of a list that leaves out nothing but what belongs to other runs SQLite counts what it leaves out: it
// knows how many rows stand on a page without reading them, and all 50,000 runs are counted so in a hundredth of the time.
func (s *RunTables) count(tx *gorm.DB, l experiments.RunList, matching *gorm.DB) (total int, err error) {
	f := l.RunFilter
	f.Folded = false
	if s.Engine() != sqldb.SQLiteEngine || l.Text != "" || narrows(f) || !f.Roots {
		var n int64
		err := matching.Count(&n).Error
		return int(n), err
	}
	left := "SELECT COUNT(*) FROM runs WHERE parent_id > ''"
	if l.Folded {
		left = "SELECT COUNT(*) FROM runs WHERE sweep_id > '') - (SELECT COUNT(*) FROM runs WHERE sweep_id = '' AND parent_id > ''"
	}
	err = tx.Raw("SELECT (SELECT COUNT(*) FROM runs) - (" + left + ")").Scan(&total).Error
	return total, err
}

// RunLink is what an index has of a run that belongs to another one.
type RunLink struct {
	RunID    string               `gorm:"column:id"`
	ParentID string               `gorm:"column:parent_id"`
	State    experiments.RunState `gorm:"column:state"`
}

// Children returns the runs that belong to these, in the order in which they were begun, without reading their rows, which are long.
func (s *RunTables) Children(ctx context.Context, parents []string) (out []RunLink, err error) {
	for some := range slices.Chunk(parents, sqldb.BatchRows) {
		var links []RunLink
		err := s.Read(ctx).Raw("SELECT id, parent_id, state FROM runs WHERE parent_id IN ? ORDER BY created_at, id", some).Scan(&links).Error
		if err != nil {
			return nil, sqldb.Wrap("list what belongs to runs", err)
		}
		out = append(out, links...)
	}
	return out, nil
}

// bareHeads reads what an index has of runs, so that a long list of them opens no rows, which are long.
func bareHeads(q *gorm.DB) ([]experiments.RunHead, error) {
	var rows []headRow
	if err := q.Select("id, kind, parent_id, sweep_id, state, created_at").Find(&rows).Error; err != nil {
		return nil, err
	}
	heads := make([]experiments.RunHead, len(rows))
	for i, r := range rows {
		heads[i] = experiments.RunHead{RunID: r.ID, Kind: experiments.Kind(r.Kind), ParentID: r.ParentID, SweepID: r.SweepID,
			State: experiments.RunState(r.State), CreatedAt: r.Created.UTC()}
	}
	return heads, nil
}

// headsOf reads the heads of runs, in this order.
func headsOf(tx *gorm.DB, ids []string) ([]experiments.RunHead, error) {
	var heads []experiments.RunHead
	for chunk := range slices.Chunk(ids, sqldb.BatchRows) {
		var rows []headRow
		if err := tx.Where("id IN ?", chunk).Find(&rows).Error; err != nil {
			return nil, err
		}
		at := make(map[string]int, len(rows))
		for i, r := range rows {
			at[r.ID] = i
		}
		for _, id := range chunk {
			head, err := rows[at[id]].head()
			if err != nil {
				return nil, err
			}
			heads = append(heads, head)
		}
	}
	return heads, nil
}

// narrows reports whether a filter leaves out a run for anything but for belonging to another.
func narrows(f experiments.RunFilter) bool {
	f.Roots, f.Limit = false, 0
	return !reflect.ValueOf(f).IsZero()
}

// narrowed is a query for the runs that a filter leaves.
func narrowed(q *gorm.DB, f experiments.RunFilter) *gorm.DB {
	if f.Folded {
		f.Folded = false
		if !narrows(f) { // every sweep is there, whatever its runs are
			return narrowed(q, f).Where("sweep_id = ''")
		}
		fresh := q.Session(&gorm.Session{NewDB: true})
		members := narrowed(fresh.Table("runs"), f).Where("sweep_id > ''").Select("sweep_id")
		if f.Roots {
			q = q.Where("parent_id = ''") // of a sweep too; said again so that an index on it serves
		}
		return q.Where(narrowed(fresh, f).Where("sweep_id = ''").Or("id IN (?)", members))
	}
	for _, where := range []clause.Eq{
		{Column: "experiment", Value: f.Experiment},
		{Column: "dataset", Value: f.Dataset},
		{Column: "sweep_id", Value: f.SweepID},
		{Column: "parent_id", Value: f.ParentID},
		{Column: "state", Value: string(f.State)},
		{Column: "kind", Value: string(f.Kind)},
	} {
		if where.Value != "" {
			q = q.Where(where)
		}
	}
	if len(f.ParentIDs) > 0 {
		q = q.Where("parent_id IN ?", f.ParentIDs)
	}
	if len(f.IDs) > 0 {
		q = q.Where("id IN ?", f.IDs)
	}
	for _, tag := range f.Tags {
		q = q.Where("id IN (SELECT run_id FROM run_tags WHERE tag = ?)", tag)
	}
	if f.Roots {
		q = q.Where("parent_id = ''")
	}
	if f.Alone {
		q = q.Where("sweep_id = ''")
	}
	return q
}

package library

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// ExperimentRow points at the newest of an experiment's revisions.
type ExperimentRow struct {
	Name     string `gorm:"column:name;primaryKey"`
	Revision int    `gorm:"column:revision"`
	Archived bool   `gorm:"column:archived"`
}

// TableName tells gorm where the rows are.
func (ExperimentRow) TableName() string { return "experiments" }

// RevisionRow is a revision of an experiment, as it is stored.
type RevisionRow struct {
	Experiment string    `gorm:"column:experiment"`
	Revision   int       `gorm:"column:revision"`
	Definition string    `gorm:"column:definition"`
	Created    time.Time `gorm:"column:created_at"`
}

// TableName tells gorm where the rows are.
func (RevisionRow) TableName() string { return "revisions" }

// registeredRow is an experiment with its newest revision.
type registeredRow struct {
	Name       string
	Revision   int
	Archived   bool
	Definition string
	Created    time.Time `gorm:"column:created_at"`
}

const registered = `SELECT e.name, e.revision, e.archived, r.definition, r.created_at
	FROM experiments e JOIN revisions r ON r.experiment = e.name AND r.revision = e.revision `

func (r registeredRow) experiment() (experiments.Experiment, error) {
	d, err := sqldb.DecodeJSON[experiments.Definition]("definition of "+r.Name, r.Definition)
	if err != nil {
		return experiments.Experiment{}, err
	}
	for _, axis := range d.Sweep {
		for i := range axis.Values {
			axis.Values[i] = sqldb.Plain(axis.Values[i])
		}
	}
	for _, c := range d.Except {
		sqldb.Plain(map[string]any(c))
	}
	sqldb.Plain(map[string]any(d.Base.Retrieve.Filter))
	return experiments.Experiment{Name: r.Name, Revision: r.Revision, Definition: d, Archived: r.Archived, CreatedAt: r.Created.UTC()}, nil
}

// PutExperiment implements [experiments.Registry]. An archived experiment stays archived.
func (s *Tables) PutExperiment(ctx context.Context, d experiments.Definition, now time.Time) (experiments.Experiment, error) {
	if d.Name == "" {
		return experiments.Experiment{}, problem.New(problem.Invalid, "name_invalid", "an experiment needs a name").
			WithHint("add `name:` to the experiment file")
	}
	definition, err := sqldb.EncodeJSON(d)
	if err != nil {
		return experiments.Experiment{}, err
	}
	var out experiments.Experiment
	err = s.Write(ctx, "register experiment "+d.Name, func(tx *gorm.DB) error {
		// The row is made first and then locked, so that two registrations queue up instead of taking the same number.
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&ExperimentRow{Name: d.Name}).Error; err != nil {
			return err
		}
		var e ExperimentRow
		if err := tx.Clauses(sqldb.ForUpdate).Where("name = ?", d.Name).Take(&e).Error; err != nil {
			return err
		}
		var newest RevisionRow
		if err := tx.Where("experiment = ? AND revision = ?", d.Name, e.Revision).Limit(1).Find(&newest).Error; err != nil {
			return err
		}
		if newest.Definition != definition {
			next := RevisionRow{Experiment: d.Name, Revision: e.Revision + 1, Definition: definition, Created: now}
			if err := tx.Create(&next).Error; err != nil {
				return err
			}
			if err := tx.Model(&ExperimentRow{}).Where("name = ?", d.Name).Update("revision", next.Revision).Error; err != nil {
				return err
			}
		}
		out, err = findExperiment(tx, d.Name)
		return err
	})
	return out, err
}

func findExperiment(tx *gorm.DB, name string) (experiments.Experiment, error) {
	var row registeredRow
	res := tx.Raw(registered+"WHERE e.name = ?", name).Scan(&row)
	if res.Error != nil {
		return experiments.Experiment{}, sqldb.Wrap("find experiment "+name, res.Error)
	}
	if res.RowsAffected == 0 {
		var names []string // where they cannot be read, none is near
		tx.Raw("SELECT name FROM experiments ORDER BY name LIMIT ?", mostNear).Scan(&names)
		return experiments.Experiment{}, sqldb.UnknownAmong("experiment", name, names).
			WithHint("`workbench experiment list` shows what there is")
	}
	return row.experiment()
}

// Experiment implements [experiments.Registry].
func (s *Tables) Experiment(ctx context.Context, name string) (experiments.Experiment, error) {
	return findExperiment(s.Read(ctx), name)
}

// Experiments implements [experiments.Registry].
func (s *Tables) Experiments(ctx context.Context, archived bool) ([]experiments.Experiment, error) {
	var rows []registeredRow
	if err := s.Read(ctx).Raw(registered+"WHERE e.archived = ? OR e.archived = ? ORDER BY e.name", false, archived).Scan(&rows).
		Error; err != nil {
		return nil, sqldb.Wrap("list experiments", err)
	}
	out := make([]experiments.Experiment, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = r.experiment(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// SetArchived implements [experiments.Registry].
func (s *Tables) SetArchived(ctx context.Context, name string, archived bool) error {
	res := s.Read(ctx).Model(&ExperimentRow{}).Where("name = ?", name).Update("archived", archived)
	if res.Error == nil && res.RowsAffected == 0 {
		return sqldb.Unknown("experiment", name).WithHint("`workbench experiment list` shows what there is")
	}
	return sqldb.Wrap("archive experiment "+name, res.Error)
}

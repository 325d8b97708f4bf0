package machine

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

var _ experiments.ProviderStore = (*Tables)(nil)

type providerRow struct {
	Name              string     `gorm:"column:name;primaryKey"`
	Dialect           string     `gorm:"column:dialect"`
	BaseURL           string     `gorm:"column:base_url"`
	Models            string     `gorm:"column:models"` // a JSON array of names
	RequestsPerMinute int        `gorm:"column:requests_per_minute"`
	Concurrency       int        `gorm:"column:concurrency"`
	KeyEnv            string     `gorm:"column:key_env"`
	KeyOrigin         string     `gorm:"column:key_origin"`
	AddedBy           string     `gorm:"column:added_by"`
	AddedAt           time.Time  `gorm:"column:added_at"`
	ChangedAt         time.Time  `gorm:"column:changed_at"`
	RemovedAt         *time.Time `gorm:"column:removed_at"`
}

func (providerRow) TableName() string { return "providers" }

func toProviderRow(p experiments.AddedProvider) (providerRow, error) {
	models, err := sqldb.EncodeJSON(append([]string{}, p.Models...))
	return providerRow{Name: sqldb.CleanText(p.Name), Dialect: p.Dialect, BaseURL: sqldb.CleanText(p.BaseURL), Models: models,
		RequestsPerMinute: p.RequestsPerMinute, Concurrency: p.Concurrency, KeyEnv: sqldb.CleanText(p.KeyEnv),
		KeyOrigin: sqldb.CleanText(p.KeyOrigin),
		AddedBy:   sqldb.CleanText(p.AddedBy), AddedAt: p.AddedAt, ChangedAt: p.ChangedAt, RemovedAt: sqldb.TimeOrNil(p.RemovedAt)}, err
}

func fromProviderRow(r providerRow) (experiments.AddedProvider, error) {
	models, err := sqldb.DecodeJSON[[]string]("models of provider "+r.Name, r.Models)
	return experiments.AddedProvider{Name: r.Name, Dialect: r.Dialect, BaseURL: r.BaseURL, Models: models,
		RequestsPerMinute: r.RequestsPerMinute, Concurrency: r.Concurrency, KeyEnv: r.KeyEnv, KeyOrigin: r.KeyOrigin, AddedBy: r.AddedBy,
		AddedAt: r.AddedAt.UTC(), ChangedAt: r.ChangedAt.UTC(), RemovedAt: sqldb.TimeOf(r.RemovedAt)}, err
}

// PutProvider implements [experiments.ProviderStore].
func (s *Tables) PutProvider(ctx context.Context, p experiments.AddedProvider) (experiments.AddedProvider, bool, error) {
	row, err := toProviderRow(p)
	if err != nil {
		return p, false, err
	}
	created := false
	err = s.Write(ctx, "store provider "+row.Name, func(tx *gorm.DB) error {
		var was providerRow
		res := tx.Clauses(sqldb.ForUpdate).Where("name = ?", row.Name).Limit(1).Find(&was)
		if res.Error != nil {
			return res.Error
		}
		if created = res.RowsAffected == 0 || was.RemovedAt != nil; !created {
			row.AddedBy, row.AddedAt, row.KeyEnv, row.KeyOrigin = was.AddedBy, was.AddedAt, was.KeyEnv, was.KeyOrigin
		}
		return tx.Save(&row).Error
	})
	if err != nil {
		return p, false, err
	}
	p, err = fromProviderRow(row)
	return p, created, err
}

// AddedProviders implements [experiments.ProviderStore].
func (s *Tables) AddedProviders(ctx context.Context) ([]experiments.AddedProvider, error) {
	var rows []providerRow
	if err := s.Read(ctx).Order("name").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list providers", err)
	}
	out := make([]experiments.AddedProvider, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromProviderRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// MarkProvider implements [experiments.ProviderStore].
func (s *Tables) MarkProvider(ctx context.Context, name string, removed time.Time) (experiments.AddedProvider, error) {
	return s.changeProvider(ctx, name, func(row *providerRow) { row.RemovedAt = sqldb.TimeOrNil(removed) })
}

// BindKey implements [experiments.ProviderStore].
func (s *Tables) BindKey(ctx context.Context, name, variable string) (experiments.AddedProvider, error) {
	return s.changeProvider(ctx, name, func(row *providerRow) {
		p, _ := fromProviderRow(*row) // its models are of no matter here
		row.KeyEnv, row.KeyOrigin = sqldb.CleanText(variable), p.Origin()
	})
}

func (s *Tables) changeProvider(ctx context.Context, name string, change func(*providerRow)) (experiments.AddedProvider, error) {
	var row providerRow
	err := s.Write(ctx, "change provider "+name, func(tx *gorm.DB) error {
		row = providerRow{}
		res := tx.Clauses(sqldb.ForUpdate).Where("name = ?", name).Limit(1).Find(&row)
		if res.Error == nil && res.RowsAffected == 0 {
			return sqldb.Unknown("provider", name).WithHint("`workbench providers list --added` shows those that were added here; " +
				"those of workbench.yaml are changed there")
		}
		if res.Error != nil {
			return res.Error
		}
		change(&row)
		return tx.Save(&row).Error
	})
	if err != nil {
		return experiments.AddedProvider{}, err
	}
	return fromProviderRow(row)
}

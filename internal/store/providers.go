package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
)

var _ experiments.ProviderStore = (*machineTables)(nil)

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
	models, err := encodeJSON(append([]string{}, p.Models...))
	return providerRow{Name: cleanText(p.Name), Dialect: p.Dialect, BaseURL: cleanText(p.BaseURL), Models: models,
		RequestsPerMinute: p.RequestsPerMinute, Concurrency: p.Concurrency, KeyEnv: cleanText(p.KeyEnv), KeyOrigin: cleanText(p.KeyOrigin),
		AddedBy: cleanText(p.AddedBy), AddedAt: p.AddedAt, ChangedAt: p.ChangedAt, RemovedAt: timeOrNil(p.RemovedAt)}, err
}

func fromProviderRow(r providerRow) (experiments.AddedProvider, error) {
	models, err := decodeJSON[[]string]("models of provider "+r.Name, r.Models)
	return experiments.AddedProvider{Name: r.Name, Dialect: r.Dialect, BaseURL: r.BaseURL, Models: models,
		RequestsPerMinute: r.RequestsPerMinute, Concurrency: r.Concurrency, KeyEnv: r.KeyEnv, KeyOrigin: r.KeyOrigin, AddedBy: r.AddedBy,
		AddedAt: r.AddedAt.UTC(), ChangedAt: r.ChangedAt.UTC(), RemovedAt: timeOf(r.RemovedAt)}, err
}

// PutProvider implements [experiments.ProviderStore].
func (s *machineTables) PutProvider(ctx context.Context, p experiments.AddedProvider) (experiments.AddedProvider, bool, error) {
	row, err := toProviderRow(p)
	if err != nil {
		return p, false, err
	}
	created := false
	err = s.write(ctx, "store provider "+row.Name, func(tx *gorm.DB) error {
		var was providerRow
		res := tx.Clauses(forUpdate).Where("name = ?", row.Name).Limit(1).Find(&was)
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
func (s *machineTables) AddedProviders(ctx context.Context) ([]experiments.AddedProvider, error) {
	var rows []providerRow
	if err := s.read(ctx).Order("name").Find(&rows).Error; err != nil {
		return nil, wrap("list providers", err)
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
func (s *machineTables) MarkProvider(ctx context.Context, name string, removed time.Time) (experiments.AddedProvider, error) {
	return s.changeProvider(ctx, name, func(row *providerRow) { row.RemovedAt = timeOrNil(removed) })
}

// BindKey implements [experiments.ProviderStore].
func (s *machineTables) BindKey(ctx context.Context, name, variable string) (experiments.AddedProvider, error) {
	return s.changeProvider(ctx, name, func(row *providerRow) {
		p, _ := fromProviderRow(*row) // its models are of no matter here
		row.KeyEnv, row.KeyOrigin = cleanText(variable), p.Origin()
	})
}

func (s *machineTables) changeProvider(ctx context.Context, name string, change func(*providerRow)) (experiments.AddedProvider, error) {
	var row providerRow
	err := s.write(ctx, "change provider "+name, func(tx *gorm.DB) error {
		row = providerRow{}
		res := tx.Clauses(forUpdate).Where("name = ?", name).Limit(1).Find(&row)
		if res.Error == nil && res.RowsAffected == 0 {
			return unknown("provider", name).WithHint("`workbench providers list --added` shows those that were added here; " +
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

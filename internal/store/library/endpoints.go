package library

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/store/seals"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// EndpointRow is a live system that is asked, as it is stored.
type EndpointRow struct {
	Name    string    `gorm:"column:name;primaryKey"`
	Body    string    `gorm:"column:body"`
	Created time.Time `gorm:"column:created_at"`
	Changed time.Time `gorm:"column:changed_at"`
}

// TableName tells gorm where the rows are.
func (EndpointRow) TableName() string { return "endpoints" }

func toEndpointRow(e remote.Endpoint, now time.Time) (EndpointRow, error) {
	body, err := sqldb.EncodeJSON(e)
	return EndpointRow{Name: sqldb.CleanText(e.Name), Body: body, Created: now, Changed: now}, err
}

func fromEndpointRow(r EndpointRow) (remote.Endpoint, error) {
	return sqldb.DecodeJSON[remote.Endpoint]("endpoint "+r.Name, r.Body)
}

// PutEndpoint implements [experiments.OutsideStore].
func (s *Tables) PutEndpoint(ctx context.Context, e remote.Endpoint, now time.Time) (created, changed bool, err error) {
	row, err := toEndpointRow(e, now)
	if err != nil {
		return false, false, err
	}
	err = s.Write(ctx, "store endpoint "+row.Name, func(tx *gorm.DB) error {
		var stored EndpointRow
		res := tx.Clauses(sqldb.ForUpdate).Where("name = ?", row.Name).Limit(1).Find(&stored)
		if res.Error != nil {
			return res.Error
		}
		created, changed = res.RowsAffected == 0, stored.Body != row.Body
		switch {
		case created:
			return tx.Create(&row).Error
		case changed:
			stored.Body, stored.Changed = row.Body, now
			if err := tx.Model(&EndpointRow{}).Where("name = ?", row.Name).Updates(map[string]any{"body": row.Body, "changed_at": now}).
				Error; err != nil {
				return err
			}
			return seals.Write(tx, "endpoints", &stored)
		}
		return nil
	})
	return created, changed, err
}

// Endpoint implements [experiments.OutsideStore].
func (s *Tables) Endpoint(ctx context.Context, name string) (remote.Endpoint, error) {
	var row EndpointRow
	res := s.Read(ctx).Where("name = ?", name).Limit(1).Find(&row)
	if res.Error != nil {
		return remote.Endpoint{}, sqldb.Wrap("find endpoint "+name, res.Error)
	}
	if res.RowsAffected == 0 {
		return remote.Endpoint{}, sqldb.Unknown("endpoint", name).
			WithHint("`workbench endpoint list` shows what there is; `workbench endpoint add --help` shows how to add one")
	}
	return fromEndpointRow(row)
}

// Endpoints implements [experiments.OutsideStore].
func (s *Tables) Endpoints(ctx context.Context) ([]remote.Endpoint, error) {
	var rows []EndpointRow
	if err := s.Read(ctx).Order("name").Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list endpoints", err)
	}
	out := make([]remote.Endpoint, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = fromEndpointRow(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DeleteEndpoint implements [experiments.OutsideStore].
func (s *Tables) DeleteEndpoint(ctx context.Context, name string) error {
	return s.Write(ctx, "remove endpoint "+name, func(tx *gorm.DB) error {
		res := tx.Where("name = ?", name).Delete(&EndpointRow{})
		if res.Error == nil && res.RowsAffected == 0 {
			return sqldb.Unknown("endpoint", name).WithHint("`workbench endpoint list` shows what there is")
		}
		return errors.Join(res.Error, seals.Remove(tx, "endpoints", name))
	})
}

package people

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

type sessionRow struct {
	ID        string    `gorm:"column:id;primaryKey"`
	Account   string    `gorm:"column:account"`
	Token     string    `gorm:"column:token"`
	Data      []byte    `gorm:"column:data"`
	CreatedAt time.Time `gorm:"column:created_at"`
	SeenAt    time.Time `gorm:"column:seen_at"`
	ExpiresAt time.Time `gorm:"column:expires_at"`
	Address   string    `gorm:"column:address"`
	Agent     string    `gorm:"column:agent"`
}

func (sessionRow) TableName() string { return "sessions" }

func fromSessionRow(r sessionRow) experiments.WebSession {
	s := experiments.WebSession(r)
	s.CreatedAt, s.SeenAt, s.ExpiresAt = s.CreatedAt.UTC(), s.SeenAt.UTC(), s.ExpiresAt.UTC()
	return s
}

// PutSession implements [experiments.PeopleStore].
func (s *Tables) PutSession(ctx context.Context, session experiments.WebSession) error {
	return s.Write(ctx, "store a session", func(tx *gorm.DB) error {
		row := sessionRow(session)
		if row.Data == nil {
			row.Data = []byte{}
		}
		return tx.Create(&row).Error
	})
}

// PutSeen implements [experiments.PeopleStore].
func (s *Tables) PutSeen(ctx context.Context, id string, data []byte, seen, expires time.Time) error {
	return s.Write(ctx, "keep a session", func(tx *gorm.DB) error {
		return tx.Model(&sessionRow{}).Where("id = ?", id).Updates(map[string]any{"data": data, "seen_at": seen, "expires_at": expires}).
			Error
	})
}

// Session implements [experiments.PeopleStore].
func (s *Tables) Session(ctx context.Context, id string, now time.Time) (experiments.WebSession, bool, error) {
	var rows []sessionRow
	if err := s.Read(ctx).Where("id = ? AND expires_at > ?", id, now).Limit(1).Find(&rows).Error; err != nil {
		return experiments.WebSession{}, false, sqldb.Wrap("find a session", err)
	}
	if len(rows) == 0 {
		return experiments.WebSession{}, false, nil
	}
	return fromSessionRow(rows[0]), true, nil
}

// Sessions implements [experiments.PeopleStore].
func (s *Tables) Sessions(ctx context.Context, account string, now time.Time) ([]experiments.WebSession, error) {
	var rows []sessionRow
	err := s.Read(ctx).Where("account = ? AND expires_at > ?", account, now).Order("created_at DESC, id").Find(&rows).Error
	out := make([]experiments.WebSession, len(rows))
	for i, r := range rows {
		out[i] = fromSessionRow(r)
	}
	return out, sqldb.Wrap("list sessions", err)
}

// DeleteSession implements [experiments.PeopleStore].
func (s *Tables) DeleteSession(ctx context.Context, id string) error {
	return s.Write(ctx, "end a session", func(tx *gorm.DB) error { return tx.Where("id = ?", id).Delete(&sessionRow{}).Error })
}

// DeleteSessions implements [experiments.PeopleStore].
func (s *Tables) DeleteSessions(ctx context.Context, account string) (int, error) {
	ended := 0
	err := s.Write(ctx, "end the sessions of an account", func(tx *gorm.DB) error {
		res := tx.Where("account = ?", account).Delete(&sessionRow{})
		ended = int(res.RowsAffected)
		return res.Error
	})
	return ended, err
}

type tokenRow struct {
	ID        string     `gorm:"column:id;primaryKey"`
	Name      string     `gorm:"column:name"`
	Hash      string     `gorm:"column:hash"`
	Role      string     `gorm:"column:role"`
	Account   string     `gorm:"column:account"`
	CreatedAt time.Time  `gorm:"column:created_at"`
	ExpiresAt *time.Time `gorm:"column:expires_at"`
	UsedAt    *time.Time `gorm:"column:used_at"`
	RevokedAt *time.Time `gorm:"column:revoked_at"`
}

func (tokenRow) TableName() string { return "api_tokens" }

func toTokenRow(t experiments.APIToken) tokenRow {
	return tokenRow{
		ID: t.ID, Name: sqldb.CleanText(t.Name), Hash: t.Hash, Role: string(t.Role), Account: t.Account, CreatedAt: t.CreatedAt,
		ExpiresAt: sqldb.TimeOrNil(t.ExpiresAt), UsedAt: sqldb.TimeOrNil(t.UsedAt), RevokedAt: sqldb.TimeOrNil(t.RevokedAt),
	}
}

func fromTokenRow(r tokenRow) experiments.APIToken {
	return experiments.APIToken{
		ID: r.ID, Name: r.Name, Hash: r.Hash, Role: experiments.Role(r.Role), Account: r.Account, CreatedAt: r.CreatedAt.UTC(),
		ExpiresAt: sqldb.TimeOf(r.ExpiresAt), UsedAt: sqldb.TimeOf(r.UsedAt), RevokedAt: sqldb.TimeOf(r.RevokedAt),
	}
}

// CreateToken implements [experiments.PeopleStore].
func (s *Tables) CreateToken(ctx context.Context, t experiments.APIToken) error {
	return s.Write(ctx, "store a token", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "hash"}}, DoNothing: true}).Create(new(toTokenRow(t))).Error
	})
}

// TokenHashed implements [experiments.PeopleStore].
func (s *Tables) TokenHashed(ctx context.Context, hash string) (experiments.APIToken, error) {
	return s.token(ctx, "hash", hash, "with this hash")
}

// Token implements [experiments.PeopleStore].
func (s *Tables) Token(ctx context.Context, id string) (experiments.APIToken, error) {
	return s.token(ctx, "id", id, id)
}

func (s *Tables) token(ctx context.Context, column, value, shown string) (experiments.APIToken, error) {
	var rows []tokenRow
	if err := s.Read(ctx).Where(map[string]any{column: value}).Limit(1).Find(&rows).Error; err != nil {
		return experiments.APIToken{}, sqldb.Wrap("find a token", err)
	}
	if len(rows) == 0 {
		return experiments.APIToken{}, sqldb.Unknown("token", shown)
	}
	return fromTokenRow(rows[0]), nil
}

// Tokens implements [experiments.PeopleStore].
func (s *Tables) Tokens(ctx context.Context, account string, everybody bool) ([]experiments.APIToken, error) {
	q := s.Read(ctx).Order("created_at DESC, id")
	if !everybody {
		q = q.Where("account = ?", account)
	}
	var rows []tokenRow
	if err := q.Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list tokens", err)
	}
	out := make([]experiments.APIToken, len(rows))
	for i, r := range rows {
		out[i] = fromTokenRow(r)
	}
	return out, nil
}

// UseToken implements [experiments.PeopleStore].
func (s *Tables) UseToken(ctx context.Context, id string, at time.Time) error {
	return s.Write(ctx, "note the use of a token", func(tx *gorm.DB) error {
		return tx.Model(&tokenRow{}).Where("id = ?", id).Update("used_at", at).Error
	})
}

// RevokeToken implements [experiments.PeopleStore].
func (s *Tables) RevokeToken(ctx context.Context, id string, at time.Time) error {
	return s.Write(ctx, "revoke a token", func(tx *gorm.DB) error {
		var known int64
		if err := tx.Model(&tokenRow{}).Where("id = ?", id).Count(&known).Error; err != nil {
			return err
		}
		if known == 0 {
			return sqldb.Unknown("token", id)
		}
		if err := tx.Model(&tokenRow{}).Where("id = ? AND revoked_at IS NULL", id).Update("revoked_at", at).Error; err != nil {
			return err
		}
		return tx.Where("token = ?", id).Delete(&sessionRow{}).Error
	})
}

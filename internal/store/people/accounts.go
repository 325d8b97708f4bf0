// Package people keeps who may sign in, with what, and who did what: accounts, sessions, tokens, shared pages, the audit log.
package people

import (
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Tables are accounts, sessions, tokens, shared pages and the log of who did what.
type Tables struct{ *sqldb.DB }

var _ experiments.PeopleStore = (*Tables)(nil)

type accountRow struct {
	ID           string     `gorm:"column:id;primaryKey"`
	Name         string     `gorm:"column:name"`
	NameKey      string     `gorm:"column:name_key"`
	Role         string     `gorm:"column:role"`
	Disabled     bool       `gorm:"column:disabled"`
	PasswordHash string     `gorm:"column:password_hash"`
	Subject      *string    `gorm:"column:subject"`
	CreatedAt    time.Time  `gorm:"column:created_at"`
	SignedInAt   *time.Time `gorm:"column:signed_in_at"`
}

func (accountRow) TableName() string { return "accounts" }

func toAccountRow(a experiments.Account) accountRow {
	row := accountRow{
		ID: a.ID, Name: sqldb.CleanText(a.Name), NameKey: sqldb.CleanText(experiments.NameKey(a.Name)), Role: string(a.Role),
		Disabled:     a.Disabled,
		PasswordHash: a.PasswordHash, CreatedAt: a.CreatedAt, SignedInAt: sqldb.TimeOrNil(a.SignedInAt),
	}
	if a.Subject != "" {
		row.Subject = new(sqldb.CleanText(a.Subject))
	}
	return row
}

func fromAccountRow(r accountRow) experiments.Account {
	a := experiments.Account{
		ID: r.ID, Name: r.Name, Role: experiments.Role(r.Role), Disabled: r.Disabled, PasswordHash: r.PasswordHash,
		CreatedAt: r.CreatedAt.UTC(), SignedInAt: sqldb.TimeOf(r.SignedInAt),
	}
	if r.Subject != nil {
		a.Subject = *r.Subject
	}
	return a
}

// CreateAccount implements [experiments.PeopleStore].
func (s *Tables) CreateAccount(ctx context.Context, a experiments.Account) error {
	return s.Write(ctx, "create account "+a.Name, func(tx *gorm.DB) error { return createAccount(tx, a) })
}

func createAccount(tx *gorm.DB, a experiments.Account) error {
	row := toAccountRow(a)
	err := tx.Create(&row).Error
	if sqldb.Duplicate(err) {
		return problem.New(problem.Conflict, "account_exists", "there is an account %q already", a.Name).With("name", a.Name).
			With("field", "name").
			WithHint("choose another name; names do not differ by case alone")
	}
	return err
}

// Account implements [experiments.PeopleStore].
func (s *Tables) Account(ctx context.Context, id string) (experiments.Account, error) {
	return s.account(ctx, "id", id, id)
}

// AccountNamed implements [experiments.PeopleStore].
func (s *Tables) AccountNamed(ctx context.Context, name string) (experiments.Account, error) {
	return s.account(ctx, "name_key", experiments.NameKey(name), name)
}

// AccountOf implements [experiments.PeopleStore].
func (s *Tables) AccountOf(ctx context.Context, subject string) (experiments.Account, error) {
	return s.account(ctx, "subject", subject, subject)
}

func (s *Tables) account(ctx context.Context, column, value, shown string) (experiments.Account, error) {
	var rows []accountRow
	if err := s.Read(ctx).Where(map[string]any{column: value}).Limit(1).Find(&rows).Error; err != nil {
		return experiments.Account{}, sqldb.Wrap("find account "+shown, err)
	}
	if len(rows) == 0 {
		return experiments.Account{}, sqldb.Unknown("account", shown)
	}
	return fromAccountRow(rows[0]), nil
}

// Accounts implements [experiments.PeopleStore].
func (s *Tables) Accounts(ctx context.Context) ([]experiments.Account, error) {
	var rows []accountRow
	if err := s.Read(ctx).Find(&rows).Error; err != nil {
		return nil, sqldb.Wrap("list accounts", err)
	}
	// Here, because databases order Japanese differently.
	slices.SortFunc(rows, func(a, b accountRow) int { return strings.Compare(a.NameKey, b.NameKey) })
	out := make([]experiments.Account, len(rows))
	for i, r := range rows {
		out[i] = fromAccountRow(r)
	}
	return out, nil
}

// admins locks the active administrators in one order, so that two changes at the same moment cannot take the last two away.
func admins(tx *gorm.DB) (ids []string, err error) {
	var rows []accountRow
	err = tx.Clauses(sqldb.ForUpdate).Where("role = ? AND disabled = ?", experiments.RoleAdmin, false).Order("id").Find(&rows).Error
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids, err
}

// ChangeAccount implements [experiments.PeopleStore].
func (s *Tables) ChangeAccount(ctx context.Context, id string, change func(*experiments.Account) error) (experiments.Account, error) {
	var after experiments.Account
	err := s.Write(ctx, "change an account", func(tx *gorm.DB) error {
		active, err := admins(tx)
		if err != nil {
			return err
		}
		var rows []accountRow
		if err := tx.Clauses(sqldb.ForUpdate).Where("id = ?", id).Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		if len(rows) == 0 {
			return sqldb.Unknown("account", id)
		}
		before := fromAccountRow(rows[0])
		after = before
		if err := change(&after); err != nil {
			return err
		}
		after.ID = id
		stays := after.Role == experiments.RoleAdmin && !after.Disabled
		if !stays && len(active) == 1 && active[0] == id {
			return problem.New(problem.Conflict, "last_admin", "%s is the last administrator", before.Name).With("name", before.Name).
				WithHint("make somebody else administrator first")
		}
		return saveAccount(tx, before, after)
	})
	return after, err
}

// saveAccount writes an account, and ends its sessions when it has another password or is disabled.
func saveAccount(tx *gorm.DB, before, after experiments.Account) error {
	row := toAccountRow(after)
	err := tx.Save(&row).Error
	if sqldb.Duplicate(err) {
		return problem.New(problem.Conflict, "account_exists", "there is an account %q already", after.Name).With("name", after.Name)
	}
	if err == nil && (before.PasswordHash != after.PasswordHash || after.Disabled) {
		err = tx.Where("account = ?", after.ID).Delete(&sessionRow{}).Error
	}
	return err
}

type linkRow struct {
	Hash      string    `gorm:"column:hash;primaryKey"`
	Kind      string    `gorm:"column:kind"`
	Account   string    `gorm:"column:account"`
	CreatedAt time.Time `gorm:"column:created_at"`
	ExpiresAt time.Time `gorm:"column:expires_at"`
}

func (linkRow) TableName() string { return "sign_in_links" }

func linkUnknown() error {
	return problem.New(problem.NotFound, "link_unknown", "the link has been used or has expired").WithHint("ask for a new one")
}

// PutLink implements [experiments.PeopleStore].
func (s *Tables) PutLink(ctx context.Context, l experiments.Link) error {
	return s.Write(ctx, "store a link", func(tx *gorm.DB) error { return tx.Create(new(linkRow(l))).Error })
}

// Link implements [experiments.PeopleStore].
func (s *Tables) Link(ctx context.Context, hash string, now time.Time) (experiments.Link, error) {
	var rows []linkRow
	if err := s.Read(ctx).Where("hash = ? AND expires_at > ?", hash, now).Limit(1).Find(&rows).Error; err != nil {
		return experiments.Link{}, sqldb.Wrap("find a link", err)
	}
	if len(rows) == 0 {
		return experiments.Link{}, linkUnknown()
	}
	l := experiments.Link(rows[0])
	l.CreatedAt, l.ExpiresAt = l.CreatedAt.UTC(), l.ExpiresAt.UTC()
	return l, nil
}

// take takes a link away and returns it. Of several at the same moment one succeeds.
func take(tx *gorm.DB, hash, kind string, now time.Time) (linkRow, error) {
	var rows []linkRow
	if err := tx.Clauses(sqldb.ForUpdate).Where("hash = ? AND kind = ? AND expires_at > ?", hash, kind, now).Limit(1).Find(&rows).
		Error; err != nil {
		return linkRow{}, err
	}
	if len(rows) == 0 {
		return linkRow{}, linkUnknown()
	}
	res := tx.Where("hash = ?", hash).Delete(&linkRow{})
	if res.Error == nil && res.RowsAffected == 0 {
		return linkRow{}, linkUnknown()
	}
	return rows[0], res.Error
}

// UseSetupLink implements [experiments.PeopleStore].
func (s *Tables) UseSetupLink(ctx context.Context, hash string, now time.Time, a experiments.Account) error {
	return s.Write(ctx, "use a setup link", func(tx *gorm.DB) error {
		if s.Engine() == sqldb.PostgresEngine { // two links at the same moment would both find no administrator
			if err := tx.Exec("LOCK TABLE accounts IN EXCLUSIVE MODE").Error; err != nil {
				return err
			}
		}
		if _, err := take(tx, hash, experiments.LinkSetup, now); err != nil {
			return err
		}
		active, err := admins(tx)
		if err != nil {
			return err
		}
		if len(active) > 0 {
			return problem.New(problem.Conflict, "setup_done", "there is an administrator already").
				WithHint("sign in, or ask the administrator for an account")
		}
		if err := tx.Where("kind = ?", experiments.LinkSetup).Delete(&linkRow{}).Error; err != nil {
			return err
		}
		return createAccount(tx, a)
	})
}

// UseResetLink implements [experiments.PeopleStore].
func (s *Tables) UseResetLink(ctx context.Context, hash string, now time.Time, passwordHash string) (experiments.Account, error) {
	var after experiments.Account
	err := s.Write(ctx, "use a link for a password", func(tx *gorm.DB) error {
		l, err := take(tx, hash, experiments.LinkReset, now)
		if err != nil {
			return err
		}
		var rows []accountRow
		if err := tx.Clauses(sqldb.ForUpdate).Where("id = ?", l.Account).Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		if len(rows) == 0 || rows[0].Disabled {
			return linkUnknown()
		}
		before := fromAccountRow(rows[0])
		after = before
		after.PasswordHash, after.SignedInAt = passwordHash, now
		if err := tx.Where("kind = ? AND account = ?", experiments.LinkReset, after.ID).Delete(&linkRow{}).Error; err != nil {
			return err
		}
		return saveAccount(tx, before, after)
	})
	return after, err
}

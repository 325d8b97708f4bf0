package sqldb

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLiteDialector is gorm's dialect for SQLite over a pool of the pure Go driver. The one that gorm has brings the C engine with it,
// which nothing here may call.
type SQLiteDialector struct{ Pool gorm.ConnPool }

var _ interface {
	gorm.Dialector
	gorm.SavePointerDialectorInterface
	gorm.ErrorTranslator
} = SQLiteDialector{}

// Name says which engine it is, in gorm's words.
func (SQLiteDialector) Name() string { return "sqlite" }

// Initialize tells gorm what statements may hold.
func (d SQLiteDialector) Initialize(db *gorm.DB) error {
	db.ConnPool = d.Pool
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{
		CreateClauses:        []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"},
		UpdateClauses:        []string{"UPDATE", "SET", "FROM", "WHERE", "RETURNING"},
		DeleteClauses:        []string{"DELETE", "FROM", "WHERE", "RETURNING"},
		LastInsertIDReversed: true,
	})
	maps.Copy(db.ClauseBuilders, map[string]clause.ClauseBuilder{"LIMIT": limit, "FOR": lock})
	return nil
}

// limit writes a limit where there is only an offset, too: SQLite knows none without it.
func limit(c clause.Clause, b clause.Builder) {
	l, ok := c.Expression.(clause.Limit)
	if !ok {
		return
	}
	most := -1
	if l.Limit != nil && *l.Limit >= 0 {
		most = *l.Limit
	}
	if most >= 0 || l.Offset > 0 {
		_, _ = b.WriteString("LIMIT " + strconv.Itoa(most))
	}
	if l.Offset > 0 {
		_, _ = b.WriteString(" OFFSET " + strconv.Itoa(l.Offset))
	}
}

// lock leaves out FOR UPDATE: SQLite locks the whole file for who writes.
func lock(c clause.Clause, b clause.Builder) {
	if _, ok := c.Expression.(clause.Locking); !ok {
		c.Build(b)
	}
}

// Migrator is none: the tables are made by migrations.
func (SQLiteDialector) Migrator(*gorm.DB) gorm.Migrator { return nil }

// DataTypeOf is asked for by migrators only.
func (SQLiteDialector) DataTypeOf(field *schema.Field) string { return string(field.DataType) }

// DefaultValueOf is what stands for a value that the database gives: only numbers that count on are such, any other is an error.
func (SQLiteDialector) DefaultValueOf(field *schema.Field) clause.Expression {
	if field.AutoIncrement {
		return clause.Expr{SQL: "NULL"}
	}
	return clause.Expr{SQL: "DEFAULT"}
}

// BindVarTo writes the place of a value.
func (SQLiteDialector) BindVarTo(w clause.Writer, _ *gorm.Statement, _ any) { _ = w.WriteByte('?') }

// QuoteTo writes a name, or names with dots between them.
func (SQLiteDialector) QuoteTo(w clause.Writer, name string) {
	for i, part := range strings.Split(name, ".") {
		if i > 0 {
			_ = w.WriteByte('.')
		}
		_, _ = w.WriteString("`" + strings.ReplaceAll(part, "`", "``") + "`")
	}
}

// Explain writes a statement with its values, for logs.
func (SQLiteDialector) Explain(sql string, vars ...any) string {
	return logger.ExplainSQL(sql, nil, `"`, vars...)
}

// SavePoint begins a part of a transaction that can be undone alone.
func (SQLiteDialector) SavePoint(tx *gorm.DB, name string) error {
	return tx.Exec("SAVEPOINT " + name).Error
}

// RollbackTo undoes that part.
func (SQLiteDialector) RollbackTo(tx *gorm.DB, name string) error {
	return tx.Exec("ROLLBACK TO SAVEPOINT " + name).Error
}

// Translate returns gorm's error for a violated constraint, wrapping the driver's.
func (SQLiteDialector) Translate(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE:
		return fmt.Errorf("%w: %w", gorm.ErrDuplicatedKey, err)
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return fmt.Errorf("%w: %w", gorm.ErrForeignKeyViolated, err)
	}
	return err
}

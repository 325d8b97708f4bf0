// Package seals writes the digests of rows that must not change, with the rows they belong to: everything that gorm inserts passes
// [Created], and the few places that bring a row to its end by another statement seal it there. What is deleted on purpose loses its
// seals in the same transaction. Which rows have one, and what it covers, is decided by package integrity.
package seals

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Row is the digest of a row that must not change, by kind and key.
type Row struct {
	Kind   string `gorm:"column:kind;primaryKey"`
	Key    string `gorm:"column:key;primaryKey"`
	Digest []byte `gorm:"column:digest"`
}

// TableName tells gorm where the rows are.
func (Row) TableName() string { return "seals" }

// Watching is what a connection tells of its statements.
var Watching = sqldb.Watching{Created: Created, Changing: Guard}

// Created seals the rows that a statement of gorm has inserted. Where the row was there before, so is its seal, and it stays.
func Created(tx *gorm.DB) {
	st := tx.Statement
	if tx.Error != nil || tx.RowsAffected == 0 || st.Schema == nil {
		return
	}
	rules := integrity.Of(st.Table)
	if len(rules) == 0 {
		return
	}
	below := tx.Session(&gorm.Session{NewDB: true})
	conflict, _ := st.Clauses["ON CONFLICT"].Expression.(clause.OnConflict)
	for _, rule := range rules {
		if rule.Moving && changing(tx) { // who changes it seals it
			continue
		}
		rule.Replace = rule.Replace && !conflict.DoNothing
		seal := sealAs
		switch {
		case rule.Given:
			seal = sealGiven
		case rule.Moving && replacing(conflict):
			seal = replaced
		}
		if err := seal(below, rule, st.Schema, st.ReflectValue); err != nil {
			_ = tx.AddError(fmt.Errorf("seal %s: %w", rule.Kind, err))
			return
		}
	}
}

// Write writes the seal of a kind of a row, a pointer to a struct of gorm or to several, which are in the database as they are there.
func Write(tx *gorm.DB, kind string, row any) error {
	parsed, err := schema.Parse(row, &schemas, schema.NamingStrategy{})
	if err != nil {
		return err
	}
	for _, rule := range integrity.Rules {
		if rule.Kind == kind {
			return sealAs(tx, rule, parsed, reflect.ValueOf(row).Elem())
		}
	}
	return fmt.Errorf("there is no seal %s", kind)
}

var schemas sync.Map

// sealAs seals one row or a slice of rows.
func sealAs(tx *gorm.DB, rule integrity.Rule, parsed *schema.Schema, rows reflect.Value) error {
	fields := map[string]*schema.Field{}
	for _, c := range rule.Covers {
		if fields[c] = parsed.LookUpField(c); fields[c] == nil {
			return nil // a row of another shape: whoever fills the rest of it seals it
		}
	}
	var seals []Row
	hasher, ctx := integrity.NewHasher(), tx.Statement.Context
	one := func(row reflect.Value) {
		value := func(c string) any {
			v, _ := fields[c].ValueOf(ctx, row)
			return Canonical(v)
		}
		if len(rule.Open) > 0 && !rule.Settled(value("state")) {
			return
		}
		key, digest := rule.Seal(hasher, value)
		seals = append(seals, Row{rule.Kind, key, digest[:]})
	}
	switch rows = reflect.Indirect(rows); rows.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range rows.Len() {
			one(reflect.Indirect(rows.Index(i)))
		}
	default:
		one(rows)
	}
	return Put(tx, seals, rule.Replace)
}

// sealGiven seals rows by the numbers that the database has given them, which are read back. Such a rule covers a key and a number.
func sealGiven(tx *gorm.DB, rule integrity.Rule, parsed *schema.Schema, rows reflect.Value) error {
	rows, ctx := reflect.Indirect(rows), tx.Statement.Context
	id, number := rule.Covers[0], rule.Covers[1]
	key := parsed.LookUpField(id)
	if key == nil {
		return nil
	}
	var keys []any
	add := func(row reflect.Value) {
		v, _ := key.ValueOf(ctx, row)
		keys = append(keys, Canonical(v))
	}
	if rows.Kind() == reflect.Slice || rows.Kind() == reflect.Array {
		for i := range rows.Len() {
			add(reflect.Indirect(rows.Index(i)))
		}
	} else {
		add(rows)
	}
	hasher := integrity.NewHasher()
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		var given []struct {
			ID     string
			Number int64
		}
		query := "SELECT " + id + " AS id, " + number + " AS number FROM " + rule.Table + " WHERE " + id + " IN ?"
		if err := tx.Raw(query, chunk).Scan(&given).Error; err != nil {
			return err
		}
		seals := make([]Row, len(given))
		for i, g := range given {
			name, digest := rule.Seal(hasher, func(c string) any {
				if c == id {
					return g.ID
				}
				return g.Number
			})
			seals[i] = Row{rule.Kind, name, digest[:]}
		}
		if err := Put(tx, seals, rule.Replace); err != nil {
			return err
		}
	}
	return nil
}

// Put stores seals, all of one kind or of kinds that nobody counts, in the order of their keys, so that two writers cannot wait for each
// other.
func Put(tx *gorm.DB, seals []Row, replace bool) error {
	marker := sqldb.MarkerOf(tx)
	for chunk := range slices.Chunk(seals, 2*sqldb.BatchRows) {
		if replace && marker != nil && slices.Contains(integrity.Counted, chunk[0].Kind) { // only what is new counts
			if err := added(tx, marker, chunk); err != nil {
				return err
			}
		}
		if !replace {
			if err := added(tx, marker, chunk); err != nil {
				return err
			}
			continue
		}
		then := "UPDATE SET digest = excluded.digest"
		if marker != nil {
			then += ", mark = excluded.mark"
		}
		if err := insert(tx, marker, chunk, then).Error; err != nil {
			return err
		}
	}
	return nil
}

// added stores and counts those of some seals that are new.
func added(tx *gorm.DB, marker sqldb.Marker, seals []Row) error {
	res := insert(tx, marker, seals, "NOTHING")
	if res.Error != nil {
		return res.Error
	}
	return count(tx, seals[0].Kind, res.RowsAffected)
}

// insert stores some seals; then is what is done with those that are there.
func insert(tx *gorm.DB, marker sqldb.Marker, seals []Row, then string) *gorm.DB {
	columns, places := "kind, key, digest", "(?, ?, ?)"
	if marker != nil { // without one the column may not be there yet: tables are brought up to date so
		columns, places = "kind, key, digest, mark", "(?, ?, ?, ?)"
	}
	query, args := make([]byte, 0, 128+15*len(seals)), make([]any, 0, 4*len(seals))
	query = append(query, "INSERT INTO seals ("+columns+") VALUES "...)
	for i, s := range seals {
		if i > 0 {
			query = append(query, ", "...)
		}
		query = append(query, places...)
		args = append(args, s.Kind, s.Key, s.Digest)
		if marker != nil {
			args = append(args, marker.Mark(s.Kind, s.Key, s.Digest))
		}
	}
	return tx.Exec(string(query)+" ON CONFLICT (kind, key) DO "+then, args...)
}

// Remove takes away the seals of a kind whose keys begin with these parts.
func Remove(tx *gorm.DB, kind string, parts ...any) error {
	from, to := integrity.Under(parts...)
	// Two statements: with OR, SQLite reads every seal of the kind.
	if err := RemoveWhere(tx, kind, "key = ?", integrity.KeyOf(parts...)); err != nil {
		return err
	}
	return RemoveWhere(tx, kind, "key >= ? AND key < ?", from, to)
}

// RemoveWhere takes away the seals of a kind that a condition finds.
func RemoveWhere(tx *gorm.DB, kind, condition string, args ...any) error {
	res := tx.Exec("DELETE FROM seals WHERE kind = ? AND "+condition, append([]any{kind}, args...)...)
	if res.Error != nil {
		return res.Error
	}
	return count(tx, kind, -res.RowsAffected)
}

// Canonical is a value of a row in the form in which both engines give it back.
func Canonical(v any) any {
	switch v := v.(type) {
	case string:
		return sqldb.CleanText(v)
	case int:
		return int64(v)
	case *float64:
		if v == nil {
			return nil
		}
		return *v
	case time.Time:
		return sqldb.StoredTime(v)
	case *time.Time:
		if v == nil {
			return nil
		}
		return sqldb.StoredTime(*v)
	}
	return v
}

// ColumnsOf gives the values of a row by column. row points to a struct of gorm.
func ColumnsOf(row any) (func(column string) any, error) {
	parsed, err := schema.Parse(row, &schemas, schema.NamingStrategy{})
	if err != nil {
		return nil, err
	}
	v := reflect.ValueOf(row).Elem()
	return func(column string) any {
		value, _ := parsed.LookUpField(column).ValueOf(context.Background(), v)
		return Canonical(value)
	}, nil
}

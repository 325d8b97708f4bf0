package seals

import (
	"crypto/hmac"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"github.com/rag-workbench/workbench/internal/integrity"
	"github.com/rag-workbench/workbench/internal/store/sqldb"
)

// Rows that people and processes change are sealed as they stand now, and [Change] is the one way to change them: their seals follow in
// the same transaction. A row that somebody else changed keeps the seal that does not fit it, whatever the program does to it afterwards,
// or the next change of the program would hide theirs. What is put in its place as a whole is sealed anew, and who takes it away takes the
// seal with it.

// changingKey tells statements of gorm that their seals follow.
const changingKey = "workbench:changing"

// movingRule is the rule of a table whose rows change; false for other tables.
func movingRule(table string) (integrity.Rule, bool) {
	i := slices.IndexFunc(integrity.Rules, func(r integrity.Rule) bool { return r.Moving && r.Table == table })
	if i < 0 {
		return integrity.Rule{}, false
	}
	return integrity.Rules[i], true
}

func changing(tx *gorm.DB) bool {
	_, yes := tx.Get(changingKey)
	return yes
}

// Guard refuses a statement of gorm that would change sealed rows, or take them away, without their seals.
func Guard(tx *gorm.DB) {
	st := tx.Statement
	if tx.Error != nil || st.Schema == nil || changing(tx) {
		return
	}
	if _, moving := movingRule(st.Table); !moving {
		return
	}
	if set, ok := st.Dest.(map[string]any); ok && len(set) > 0 {
		sealed := false
		for column := range set {
			sealed = sealed || integrity.Open[st.Table][column] == ""
		}
		if !sealed {
			return
		}
	}
	_ = tx.AddError(fmt.Errorf("rows of %s are sealed: seals.Change changes them", st.Table))
}

// Change runs do, which changes rows of the table that row, a pointer to a struct of gorm, is of, or puts some in or takes some away, and
// has their seals follow. which finds all of those before do, and finds what do puts in.
func Change(tx *gorm.DB, row any, do func(tx *gorm.DB) error, which string, args ...any) error {
	return change(tx, row, nil, do, which, args)
}

// Rekey is [Change] for rows whose keys do changes: renamed gives them their new keys.
func Rekey(tx *gorm.DB, row any, renamed func(row any), do func(tx *gorm.DB) error, which string, args ...any) error {
	return change(tx, row, renamed, do, which, args)
}

// Fit tells whether all rows that which finds are what this program last wrote, as far as this place can tell.
func Fit(tx *gorm.DB, row any, which string, args ...any) (bool, error) {
	m, err := moverOf(tx, row)
	if err != nil {
		return false, err
	}
	rows, err := m.find(which, args...)
	if err != nil {
		return false, err
	}
	fits, err := m.fit(rows)
	for _, row := range rows {
		if !fits[m.sealOf(row).Key] {
			return false, err
		}
	}
	return true, err
}

func change(tx *gorm.DB, row any, renamed func(any), do func(*gorm.DB) error, which string, args []any) error {
	m, err := moverOf(tx, row)
	if err != nil {
		return err
	}
	before, err := m.find(which, args...)
	if err != nil {
		return err
	}
	fits, err := m.fit(before)
	if err != nil {
		return err
	}
	if err := do(tx.Set(changingKey, true).Session(&gorm.Session{})); err != nil {
		return err
	}
	return m.follow(before, fits, renamed, func() ([]any, error) { return m.find(which, args...) })
}

// mover has the seals of some rows of a table follow.
type mover struct {
	tx     *gorm.DB
	rule   integrity.Rule
	parsed *schema.Schema
	hasher *integrity.Hasher
}

func moverOf(tx *gorm.DB, row any) (*mover, error) {
	parsed, err := schema.Parse(row, &schemas, schema.NamingStrategy{})
	if err != nil {
		return nil, err
	}
	rule, moving := movingRule(parsed.Table)
	if !moving {
		return nil, fmt.Errorf("rows of %s do not change", parsed.Table)
	}
	return &mover{tx: tx, rule: rule, parsed: parsed, hasher: integrity.NewHasher()}, nil
}

// find reads rows, and keeps others from changing them.
func (m *mover) find(which string, args ...any) ([]any, error) {
	found := reflect.New(reflect.SliceOf(m.parsed.ModelType))
	if err := m.tx.Clauses(sqldb.ForUpdate).Where(which, args...).Find(found.Interface()).Error; err != nil {
		return nil, err
	}
	out := make([]any, found.Elem().Len())
	for i := range out {
		out[i] = found.Elem().Index(i).Addr().Interface()
	}
	return out, nil
}

// same finds rows again by their keys.
func (m *mover) same(rows []any) (out []any, err error) {
	one := "(" + strings.Join(m.rule.Key, " = ? AND ") + " = ?)"
	for chunk := range slices.Chunk(rows, sqldb.BatchRows) {
		var args []any
		for _, row := range chunk {
			for _, c := range m.rule.Key {
				v, _ := m.parsed.LookUpField(c).ValueOf(m.tx.Statement.Context, reflect.ValueOf(row).Elem())
				args = append(args, v)
			}
		}
		some, err := m.find(strings.Repeat(one+" OR ", len(chunk)-1)+one, args...)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// sealOf is the seal that a row should have.
func (m *mover) sealOf(row any) Row {
	key, digest := m.rule.Seal(m.hasher, func(c string) any {
		v, _ := m.parsed.LookUpField(c).ValueOf(m.tx.Statement.Context, reflect.ValueOf(row).Elem())
		return Canonical(v)
	})
	return Row{m.rule.Kind, key, digest[:]}
}

// fit tells by key which rows are what was sealed, as far as this place can tell.
func (m *mover) fit(rows []any) (map[string]bool, error) {
	want, keys := map[string]Row{}, make([]string, 0, len(rows))
	for _, row := range rows {
		s := m.sealOf(row)
		want[s.Key], keys = s, append(keys, s.Key)
	}
	marks, _ := sqldb.MarkerOf(m.tx).(*Marks)
	sharing := false
	if marks != nil && len(rows) > 0 {
		var err error
		if sharing, err = Shared(m.tx); err != nil {
			return nil, err
		}
	}
	fits := map[string]bool{}
	for chunk := range slices.Chunk(keys, sqldb.BatchRows) {
		var stored []struct {
			Key          string
			Digest, Mark []byte
		}
		if err := m.tx.Raw("SELECT key, digest, mark FROM seals WHERE kind = ? AND key IN ?", m.rule.Kind, chunk).Scan(&stored).Error; err != nil {
			return nil, err
		}
		for _, s := range stored {
			marked := marks == nil || sharing && len(s.Mark) == 0 || hmac.Equal(s.Mark, marks.Mark(m.rule.Kind, s.Key, s.Digest))
			fits[s.Key] = marked && slices.Equal(s.Digest, want[s.Key].Digest)
		}
	}
	return fits, nil
}

// follow brings the seals of rows that were changed up to date: before are the rows as they were, and found what is there now.
func (m *mover) follow(before []any, fits map[string]bool, renamed func(any), found func() ([]any, error)) error {
	was, known := make([]string, len(before)), map[string]bool{} // known has the keys of today
	for i, row := range before {
		was[i] = m.sealOf(row).Key
	}
	became := map[string]string{}
	for i, row := range before {
		if renamed != nil {
			renamed(row)
		}
		key := m.sealOf(row).Key
		known[key], became[key] = fits[was[i]], was[i]
	}
	after, err := m.same(before)
	if err != nil {
		return err
	}
	var anew, fresh []Row
	stays := map[string]bool{}
	for _, row := range after {
		s := m.sealOf(row)
		stays[became[s.Key]] = became[s.Key] == s.Key
		if known[s.Key] {
			anew = append(anew, s)
		}
	}
	more, err := found()
	if err != nil {
		return err
	}
	for _, row := range more {
		if s := m.sealOf(row); became[s.Key] == "" {
			fresh = append(fresh, s)
		}
	}
	for _, key := range was {
		if !stays[key] {
			if err := RemoveWhere(m.tx, m.rule.Kind, "key = ?", key); err != nil {
				return err
			}
		}
	}
	if err := Put(m.tx, fresh, false); err != nil {
		return err
	}
	return Put(m.tx, anew, true)
}

// replaced seals rows that were put in, or put in the place of others as a whole, as they stand in the database now: what a statement
// leaves of a row that was there is no part of its values.
func replaced(tx *gorm.DB, rule integrity.Rule, parsed *schema.Schema, rows reflect.Value) error {
	m := &mover{tx: tx, rule: rule, parsed: parsed, hasher: integrity.NewHasher()}
	var put []any
	switch rows = reflect.Indirect(rows); rows.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range rows.Len() {
			put = append(put, reflect.Indirect(rows.Index(i)).Addr().Interface())
		}
	default:
		put = append(put, rows.Addr().Interface())
	}
	now, err := m.same(put)
	if err != nil {
		return err
	}
	var all []Row
	for _, row := range now {
		all = append(all, m.sealOf(row))
	}
	return Put(tx, all, true)
}

// replacing says that a conflict has the row that was there changed.
func replacing(c clause.OnConflict) bool { return c.UpdateAll || len(c.DoUpdates) > 0 }

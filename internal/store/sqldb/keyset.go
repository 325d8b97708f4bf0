package sqldb

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// SortedBy is an expression that a list can be sorted by, and what its values are.
type SortedBy struct {
	Expression string
	Holds      SortValue
}

// SortValue says how the key of a place is told to the database, and which values count as absent.
type SortValue int

const (
	WholeTime    SortValue = iota // a time, never absent
	Text                          // absent when empty
	MaybeNumber                   // absent when NULL
	MaybeInteger                  // absent when NULL; compared as an integer
)

// of is the key as the database compares it.
func (v SortValue) of(k experiments.SortKey) any {
	switch v {
	case WholeTime:
		return time.UnixMicro(int64(k.Number)).UTC()
	case Text:
		return k.Text
	case MaybeInteger:
		return int64(k.Number)
	case MaybeNumber:
	}
	return k.Number
}

// absent is the condition that an item has no key; "" where every item has one.
func (b SortedBy) absent() string {
	switch b.Holds {
	case Text:
		return b.Expression + " = ''"
	case MaybeNumber, MaybeInteger:
		return b.Expression + " IS NULL"
	case WholeTime:
	}
	return ""
}

// Keyset narrows a query to the part behind a place, in the order of key and id, as [experiments.SortKey] compares. fields are what the
// list can be sorted by, and id is its column of ids.
func (s *DB) Keyset(q *gorm.DB, fields map[string]SortedBy, id string, p experiments.Part) (*gorm.DB, error) {
	by, ok := fields[p.Sort]
	if !ok {
		return nil, problem.New(problem.Invalid, "sort", "the list cannot be sorted by %q", p.Sort).With("field", "sort").
			With("value", p.Sort).
			WithHint("sort by one of: %s", strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
	}
	absent := by.absent()
	if id = s.Bytewise(id); by.Holds == Text {
		by.Expression = s.Bytewise(by.Expression)
	}
	direction, behind := "", ">"
	if p.Down {
		direction, behind = " DESC", "<"
	}
	if p.After != nil {
		key := by.Holds.of(p.After.Key)
		switch {
		case p.After.Key.Absent && absent == "":
			return nil, problem.New(problem.Invalid, "cursor", "the cursor does not belong to this list and order").With("field", "cursor")
		case p.After.Key.Absent:
			q = q.Where("("+absent+") AND "+id+" > ?", p.After.ID)
		case absent != "":
			q = q.Where(fmt.Sprintf("(%s OR %s %s ? OR (%s = ? AND %s > ?))", absent, by.Expression, behind, by.Expression, id), key,
				key, p.After.ID)
		default: // a form that an index helps with
			q = q.Where(fmt.Sprintf("%s %s= ? AND (%s %s ? OR %s > ?)", by.Expression, behind, by.Expression, behind, id), key,
				key, p.After.ID)
		}
	}
	switch by.Holds {
	case Text:
		q = q.Order("CASE WHEN " + absent + " THEN 1 ELSE 0 END").Order(by.Expression + direction).Order(id)
	case MaybeNumber, MaybeInteger: // a form that an index helps with
		q = q.Order(by.Expression + direction + " NULLS LAST").Order(id)
	case WholeTime:
		q = q.Order(by.Expression + direction).Order(id)
	}
	if p.Limit > 0 {
		q = q.Limit(p.Limit)
	}
	return q, nil
}

// Bytewise is a text as both databases compare it in the same way: byte by byte.
func (s *DB) Bytewise(expression string) string {
	if s.engine == PostgresEngine {
		return "(" + expression + `) COLLATE "C"`
	}
	return expression
}

package store

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

// sortedBy is an expression that a list can be sorted by, and what its values are.
type sortedBy struct {
	expression string
	holds      sortValue
}

// sortValue says how the key of a place is told to the database, and which values count as absent.
type sortValue int

const (
	wholeTime    sortValue = iota // a time, never absent
	text                          // absent when empty
	maybeNumber                   // absent when NULL
	maybeInteger                  // absent when NULL; compared as an integer
)

// of is the key as the database compares it.
func (v sortValue) of(k experiments.SortKey) any {
	switch v {
	case wholeTime:
		return time.UnixMicro(int64(k.Number)).UTC()
	case text:
		return k.Text
	case maybeInteger:
		return int64(k.Number)
	case maybeNumber:
	}
	return k.Number
}

// absent is the condition that an item has no key; "" where every item has one.
func (b sortedBy) absent() string {
	switch b.holds {
	case text:
		return b.expression + " = ''"
	case maybeNumber, maybeInteger:
		return b.expression + " IS NULL"
	case wholeTime:
	}
	return ""
}

// keyset narrows a query to the part behind a place, in the order of key and id, as [experiments.SortKey] compares. fields are what the
// list can be sorted by, and id is its column of ids.
func (s *DB) keyset(q *gorm.DB, fields map[string]sortedBy, id string, p experiments.Part) (*gorm.DB, error) {
	by, ok := fields[p.Sort]
	if !ok {
		return nil, problem.New(problem.Invalid, "sort", "the list cannot be sorted by %q", p.Sort).With("field", "sort").
			With("value", p.Sort).
			WithHint("sort by one of: %s", strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
	}
	absent := by.absent()
	if id = s.bytewise(id); by.holds == text {
		by.expression = s.bytewise(by.expression)
	}
	direction, behind := "", ">"
	if p.Down {
		direction, behind = " DESC", "<"
	}
	if p.After != nil {
		key := by.holds.of(p.After.Key)
		switch {
		case p.After.Key.Absent && absent == "":
			return nil, problem.New(problem.Invalid, "cursor", "the cursor does not belong to this list and order").With("field", "cursor")
		case p.After.Key.Absent:
			q = q.Where("("+absent+") AND "+id+" > ?", p.After.ID)
		case absent != "":
			q = q.Where(fmt.Sprintf("(%s OR %s %s ? OR (%s = ? AND %s > ?))", absent, by.expression, behind, by.expression, id), key,
				key, p.After.ID)
		default: // a form that an index helps with
			q = q.Where(fmt.Sprintf("%s %s= ? AND (%s %s ? OR %s > ?)", by.expression, behind, by.expression, behind, id), key,
				key, p.After.ID)
		}
	}
	switch by.holds {
	case text:
		q = q.Order("CASE WHEN " + absent + " THEN 1 ELSE 0 END").Order(by.expression + direction).Order(id)
	case maybeNumber, maybeInteger: // a form that an index helps with
		q = q.Order(by.expression + direction + " NULLS LAST").Order(id)
	case wholeTime:
		q = q.Order(by.expression + direction).Order(id)
	}
	if p.Limit > 0 {
		q = q.Limit(p.Limit)
	}
	return q, nil
}

// bytewise is a text as both databases compare it in the same way: byte by byte.
func (s *DB) bytewise(expression string) string {
	if s.engine == PostgreSQL {
		return "(" + expression + `) COLLATE "C"`
	}
	return expression
}

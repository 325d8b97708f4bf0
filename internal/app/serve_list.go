package app

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// The sizes of a part of a list.
const (
	DefaultPage = 50
	MaxPage     = 500
)

// Page asks for a part of a list.
type Page struct {
	Limit  int    // 1 to [MaxPage]; 0 is [DefaultPage], and -1 is everything
	Cursor string // where the part before ended; "" is the beginning
	Sort   string // a field, or -field for the largest first; "" is the list's own order
}

// Listed is a part of a list.
type Listed[T any] struct {
	Items      []T    `json:"items"`
	NextCursor string `json:"next_cursor"` // of the following part; "" at the end
	Total      int    `json:"total"`       // of all parts
}

// sortKey is what an item is sorted by: a number, or a text. Items without one come last in either direction.
type sortKey struct {
	Number float64 `json:"n,omitempty"`
	Text   string  `json:"t,omitempty"`
	Absent bool    `json:"a,omitempty"`
}

func textKey(s string) sortKey               { return sortKey{Text: s, Absent: s == ""} }
func numberKey(v float64) sortKey            { return sortKey{Number: v} }
func optionalKey(v float64, ok bool) sortKey { return sortKey{Number: v, Absent: !ok} }
func (k sortKey) compare(to sortKey, down bool) int {
	if k.Absent != to.Absent {
		if k.Absent {
			return 1
		}
		return -1
	}
	order := cmp.Or(cmp.Compare(k.Number, to.Number), cmp.Compare(k.Text, to.Text))
	if down {
		return -order
	}
	return order
}

// cursor is the place behind an item: its sort key and its id, not its number, so that what is inserted or removed before it
// moves nothing.
type cursor struct {
	Sort string  `json:"s,omitempty"`
	Key  sortKey `json:"k"`
	ID   string  `json:"i"`
}

func (c cursor) String() string {
	body, err := json.Marshal(c)
	if err != nil {
		panic("cursor is not JSON: " + err.Error()) // sort keys hold no NaN
	}
	return base64.RawURLEncoding.EncodeToString(body)
}

func parseCursor(s, sort string) (cursor, error) {
	var c cursor
	body, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(body, &c)
	}
	if err != nil || c.Sort != sort {
		return c, problem.New(problem.Invalid, "cursor", "the cursor does not belong to this list and order").With("field", "cursor").
			WithHint("begin again without cursor, or with the sort that it came from")
	}
	return c, nil
}

// order is how a list may be sorted.
type order[T any] struct {
	keys  map[string]func(T) sortKey
	first string // what a list is sorted by that says nothing
	id    func(T) string
}

// ordered is an item with its key.
type ordered[T any] struct {
	item T
	key  sortKey
	id   string
}

// list sorts items and returns the part that page asks for.
func list[T any](items []T, o order[T], page Page) (Listed[T], error) {
	sort := cmp.Or(page.Sort, o.first)
	field, down := strings.CutPrefix(sort, "-")
	key, ok := o.keys[field]
	if !ok {
		return Listed[T]{}, problem.New(problem.Invalid, "sort", "the list cannot be sorted by %q", field).With("field", "sort").With("value", field).
			WithHint("sort by one of: %s; a minus before it turns it round", strings.Join(slices.Sorted(maps.Keys(o.keys)), ", "))
	}
	rows := make([]ordered[T], len(items))
	for i, item := range items {
		rows[i] = ordered[T]{item, key(item), o.id(item)}
	}
	before := func(a, b ordered[T]) int { return cmp.Or(a.key.compare(b.key, down), cmp.Compare(a.id, b.id)) }
	slices.SortStableFunc(rows, before)
	out := Listed[T]{Items: []T{}, Total: len(rows)}
	if page.Cursor != "" {
		c, err := parseCursor(page.Cursor, sort)
		if err != nil {
			return out, err
		}
		at := ordered[T]{key: c.Key, id: c.ID}
		rows = rows[sortedAfter(rows, at, before):]
	}
	limit := page.Limit
	switch {
	case limit < 0:
		limit = len(rows)
	case limit == 0:
		limit = DefaultPage
	}
	more := len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	for _, r := range rows {
		out.Items = append(out.Items, r.item)
	}
	if more {
		last := rows[len(rows)-1]
		out.NextCursor = cursor{Sort: sort, Key: last.key, ID: last.id}.String()
	}
	return out, nil
}

// sortedAfter is the index of the first row behind a place.
func sortedAfter[T any](rows []ordered[T], at ordered[T], before func(a, b ordered[T]) int) int {
	i, found := slices.BinarySearchFunc(rows, at, before)
	for found && i < len(rows) && before(rows[i], at) == 0 {
		i++
	}
	return i
}

// contains reports whether one of some texts holds q, without regard to case. An empty q is everywhere.
func contains(q string, texts ...string) bool {
	if q == "" {
		return true
	}
	q = strings.ToLower(q)
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), q) })
}

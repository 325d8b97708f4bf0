package listing

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
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

// SortKey is what an item is sorted by.
type SortKey = experiments.SortKey

// TextKey sorts by a text; an empty one counts as absent.
func TextKey(s string) SortKey { return SortKey{Text: s, Absent: s == ""} }

// NumberKey sorts by a number.
func NumberKey(v float64) SortKey { return SortKey{Number: v} }

// TimeKey sorts by a time, to the microsecond.
func TimeKey(t time.Time) SortKey { return NumberKey(float64(t.UnixMicro())) }

// OptionalKey sorts by a number that is absent when ok is false.
func OptionalKey(v float64, ok bool) SortKey { return SortKey{Number: v, Absent: !ok} }

// cursor is the place behind an item: its sort key and its id, not its number, so that what is inserted or removed before it
// moves nothing.
type cursor struct {
	Sort string  `json:"s,omitempty"`
	Key  SortKey `json:"k"`
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

// Order is how a list may be sorted.
type Order[T any] struct {
	Keys  map[string]func(T) SortKey
	First string // what a list is sorted by that says nothing
	ID    func(T) string
}

// ordered is an item with its key.
type ordered[T any] struct {
	item T
	key  SortKey
	id   string
}

// part is what page asks for, of a list that can be sorted so.
func (o Order[T]) part(page Page) (experiments.Part, error) {
	sort := cmp.Or(page.Sort, o.First)
	field, down := strings.CutPrefix(sort, "-")
	p := experiments.Part{Sort: field, Down: down}
	if _, ok := o.Keys[field]; !ok {
		return p, problem.New(problem.Invalid, "sort", "the list cannot be sorted by %q", field).With("field", "sort").With("value", field).
			WithHint("sort by one of: %s; a minus before it turns it round", strings.Join(slices.Sorted(maps.Keys(o.Keys)), ", "))
	}
	if page.Cursor != "" {
		c, err := parseCursor(page.Cursor, sort)
		if err != nil {
			return p, err
		}
		p.After = &experiments.Place{Key: c.Key, ID: c.ID}
	}
	switch {
	case page.Limit == 0:
		p.Limit = DefaultPage
	case page.Limit > 0:
		p.Limit = page.Limit
	}
	return p, nil
}

// listed is the answer to a part: items are those behind its place, one more than its limit where there are more.
func (o Order[T]) listed(items []T, total int, p experiments.Part) Listed[T] {
	out := Listed[T]{Items: append([]T{}, items...), Total: total}
	if p.Limit > 0 && len(items) > p.Limit {
		out.Items = out.Items[:p.Limit]
		last, sort := out.Items[p.Limit-1], p.Sort
		if p.Down {
			sort = "-" + sort
		}
		out.NextCursor = cursor{Sort: sort, Key: o.Keys[p.Sort](last), ID: o.ID(last)}.String()
	}
	return out
}

// Fetched is the part that page asks for of a list that a store sorts. fetch is asked for one item more, to know whether there are more.
func Fetched[T any](o Order[T], page Page, fetch func(experiments.Part) (items []T, total int, err error)) (Listed[T], error) {
	p, err := o.part(page)
	if err != nil {
		return Listed[T]{}, err
	}
	more := p
	if p.Limit > 0 {
		more.Limit++
	}
	items, total, err := fetch(more)
	if err != nil {
		return Listed[T]{}, err
	}
	return o.listed(items, total, p), nil
}

// List sorts items and returns the part that page asks for. It is for lists that are small by nature, or in memory anyway.
func List[T any](items []T, o Order[T], page Page) (Listed[T], error) {
	p, err := o.part(page)
	if err != nil {
		return Listed[T]{}, err
	}
	key := o.Keys[p.Sort]
	rows := make([]ordered[T], len(items))
	for i, item := range items {
		rows[i] = ordered[T]{item, key(item), o.ID(item)}
	}
	before := func(a, b ordered[T]) int { return cmp.Or(a.key.Compare(b.key, p.Down), cmp.Compare(a.id, b.id)) }
	slices.SortStableFunc(rows, before)
	total := len(rows)
	if p.After != nil {
		rows = rows[sortedAfter(rows, ordered[T]{key: p.After.Key, id: p.After.ID}, before):]
	}
	if p.Limit > 0 && len(rows) > p.Limit+1 {
		rows = rows[:p.Limit+1]
	}
	shown := make([]T, len(rows))
	for i, r := range rows {
		shown[i] = r.item
	}
	return o.listed(shown, total, p), nil
}

// sortedAfter is the index of the first row behind a place.
func sortedAfter[T any](rows []ordered[T], at ordered[T], before func(a, b ordered[T]) int) int {
	i, found := slices.BinarySearchFunc(rows, at, before)
	for found && i < len(rows) && before(rows[i], at) == 0 {
		i++
	}
	return i
}

// Contains reports whether one of some texts holds q, without regard to case. An empty q is everywhere.
func Contains(q string, texts ...string) bool {
	if q == "" {
		return true
	}
	q = strings.ToLower(q)
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), q) })
}

// Word is a code in both languages.
type Word struct {
	Code string `json:"code"`
	EN   string `json:"en"`
	JA   string `json:"ja"`
}

// In returns the word in a language: "ja", or else English.
func (w Word) In(lang string) string {
	if lang == "ja" {
		return w.JA
	}
	return w.EN
}

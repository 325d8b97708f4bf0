package listing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

type thing struct {
	id    string
	value float64
	has   bool
}

var thingOrder = Order[thing]{
	First: "id", ID: func(t thing) string { return t.id },
	Keys: map[string]func(thing) SortKey{
		"id":    func(t thing) SortKey { return TextKey(t.id) },
		"value": func(t thing) SortKey { return OptionalKey(t.value, t.has) },
	},
}

func things(n int) []thing {
	var out []thing
	for i := range n {
		out = append(out, thing{fmt.Sprintf("t%03d", i*7%n), float64(i % 5), i%4 != 0})
	}
	return out
}

// Pages put together are the whole list, each item once, in either direction and with many equal keys.
func TestPagesAreTheWholeList(t *testing.T) {
	t.Parallel()
	for _, sort := range []string{"", "id", "-id", "value", "-value"} {
		whole, err := List(things(50), thingOrder, Page{Limit: -1, Sort: sort})
		if err != nil || len(whole.Items) != 50 || whole.NextCursor != "" {
			t.Fatalf("%q: %d items, %v", sort, len(whole.Items), err)
		}
		var paged []thing
		page := Page{Limit: 7, Sort: sort}
		for len(paged) <= 50 { // pages that never end fail below
			part, err := List(things(50), thingOrder, page)
			if err != nil || part.Total != 50 {
				t.Fatal(part.Total, err)
			}
			paged = append(paged, part.Items...)
			if page.Cursor = part.NextCursor; page.Cursor == "" {
				break
			}
		}
		if !slices.Equal(paged, whole.Items) {
			t.Errorf("%q: the pages are another list", sort)
		}
		seenAbsent := false
		for _, item := range whole.Items {
			if strings.Contains(sort, "value") && seenAbsent && item.has {
				t.Errorf("%q: an item without a value stands before one that has it", sort)
			}
			seenAbsent = seenAbsent || !item.has
		}
	}
}

// What is inserted or removed between two pages neither repeats nor hides what was there.
func TestCursorsSurviveChanges(t *testing.T) {
	t.Parallel()
	before := things(20)
	first, err := List(before, thingOrder, Page{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	after := append([]thing{{id: "a-new"}, {id: "t009x"}, {id: "z-new"}}, before...)
	after = slices.DeleteFunc(after, func(x thing) bool { return x.id == "t003" || x.id == first.Items[9].id })
	second, err := List(after, thingOrder, Page{Limit: 100, Cursor: first.NextCursor})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, item := range second.Items {
		ids = append(ids, item.id)
	}
	if got := strings.Join(ids, " "); got != "t009x t010 t011 t012 t013 t014 t015 t016 t017 t018 t019 z-new" {
		t.Errorf("second page %s", got)
	}
}

func TestListsRefuseWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	first, err := List(things(20), thingOrder, Page{Limit: 5, Sort: "id"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		page  Page
		field string
	}{
		{Page{Sort: "password"}, "sort"},
		{Page{Sort: "--id"}, "sort"},
		{Page{Sort: "id;drop"}, "sort"},
		{Page{Cursor: "nonsense!"}, "cursor"},
		{Page{Cursor: "e30"}, "cursor"},
		{Page{Sort: "-id", Cursor: first.NextCursor}, "cursor"},
	} {
		_, err := List(things(20), thingOrder, test.page)
		if p := problem.From(err); p == nil || p.Kind != problem.Invalid || p.Params["field"] != test.field {
			t.Errorf("%+v: %v", test.page, err)
		}
	}
}

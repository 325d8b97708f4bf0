package problem

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestRepliesAreSpokenAsCopies: what may be kept somewhere stays English, whoever asks for it in Japanese.
func TestRepliesAreSpokenAsCopies(t *testing.T) {
	t.Parallel()
	type inner struct {
		Problem *Problem
		Name    string
	}
	type reply struct {
		Problem
		Items  []inner
		Any    any
		Of     map[string]any
		Raw    json.RawMessage
		Same   *reply
		hidden *Problem
	}
	said := func() *Problem { return New(Invalid, "n", "%s has no value", "k").WithHint("add --yes") }
	make1 := func() *reply {
		return &reply{
			Problem: *said(), Items: []inner{{Name: "no problem"}, {said(), "n"}}, Any: []any{1, said(), nil},
			Raw: json.RawMessage(`{"hint":"add --yes"}`),
			Of:  map[string]any{"problem": *said(), "else": "add --yes"}, Same: &reply{Any: said()}, hidden: said(),
		}
	}
	kept := make1()
	if got := Spoken("en", kept); got != any(kept) {
		t.Error("English is a copy")
	}
	ja, _ := Spoken("ja", kept).(*reply)
	if !reflect.DeepEqual(kept, make1()) {
		t.Fatalf("what is kept was changed: %+v", kept)
	}
	all, err := json.Marshal(ja)
	if err != nil || strings.Count(string(all), "--yes を付けてください") != 5 || strings.Count(string(all), "add --yes") != 2 {
		t.Errorf("%v: %s", err, all)
	}
	if ja.hidden != kept.hidden || ja.Items[0] != kept.Items[0] {
		t.Error("what says nothing is not the same any more")
	}
	for _, plain := range []any{nil, 3, "add --yes", struct{ A []string }{[]string{"add --yes"}}, time.Time{}, (*Problem)(nil)} {
		if got := Spoken("ja", plain); !reflect.DeepEqual(got, plain) {
			t.Errorf("%v is spoken as %v", plain, got)
		}
	}
}

// TestLongTextsAreFoundQuickly: a message may hold what a stranger sent.
func TestLongTextsAreFoundQuickly(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		"row 1: ", "a: ", "the ", " is ", "x ; ", "%s has no value: ", "a.csv row 3, ", "there is no ", " or ", "\"", "1, ",
	} {
		for _, size := range []int{longest - 100, 1 << 16} {
			text := strings.Repeat(part, size/len(part))
			begun := time.Now() //nolint:forbidigo // how long it takes is the question
			_, _ = Japanese("cannot read " + text)
			_ = New(Invalid, "n", "%s has no value", text).WithHint("add %s", text).In("ja")
			if took := time.Since(begun); took > time.Second { //nolint:forbidigo // see above
				t.Errorf("%d bytes of %q took %s", size, part, took)
			}
		}
	}
}

package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// anyJSON draws a value of so many levels at most.
func anyJSON(r *rand.Rand, levels int) any {
	texts := []string{"", `"`, `\`, `\"`, `a\\`, "{[", "]}", ", : ", "日本語 <&>", "line\nnext\t", "\x00\u2028"}
	switch n := r.IntN(9); {
	case n < 3 && levels > 0:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = anyJSON(r, levels-1)
		}
		return list
	case n < 6 && levels > 0:
		object := map[string]any{}
		for range r.IntN(4) {
			object[texts[r.IntN(len(texts))]] = anyJSON(r, levels-1)
		}
		return object
	case n < 7:
		return []any{nil, true, false, -1.5, 1e300, 0}[r.IntN(6)]
	}
	return texts[r.IntN(len(texts))]
}

// TestIndentedIsWhatTheLibraryWrites: for any value, however deep, the bytes are those of an encoder that indents.
func TestIndentedIsWhatTheLibraryWrites(t *testing.T) {
	t.Parallel()
	same := func(v any) {
		t.Helper()
		var want, got bytes.Buffer
		library, own := json.NewEncoder(&want), json.NewEncoder(indented{&got})
		library.SetEscapeHTML(false)
		library.SetIndent("", "  ")
		own.SetEscapeHTML(false)
		if err := errors.Join(library.Encode(v), own.Encode(v)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want.Bytes(), got.Bytes()) {
			t.Fatalf("%s\nand the library writes\n%s", got.String(), want.String())
		}
	}
	r := rand.New(rand.NewPCG(7, 9))
	for range 3000 {
		same(anyJSON(r, 6))
	}
	deep := any("end")
	for range 120 {
		deep = []any{map[string]any{"k": deep, "of its own": json.RawMessage(" { } ")}}
		same(deep)
	}
	same(strings.Repeat(`\"`, 100_000)) // longer than what is held
}

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestIndentedTellsWhatFailed: a full disk is no silence.
func TestIndentedTellsWhatFailed(t *testing.T) {
	t.Parallel()
	for _, v := range []any{1, strings.Repeat("long", 100_000)} {
		if err := json.NewEncoder(indented{full{}}).Encode(v); err == nil || err.Error() != "no space left" {
			t.Errorf("the error is %v", err)
		}
	}
}

package compact

import (
	"fmt"
	"testing"
	"unsafe"
)

// TestSharedTextsAreThoseThatWereRead: whatever is read comes back as it was, also after looking for copies was given up.
func TestSharedTextsAreThoseThatWereRead(t *testing.T) {
	t.Parallel()
	for _, of := range []int{1, 10, 900, 5000, 40_000} { // different texts among 20,000
		s := newShared()
		for i := range 20_000 {
			want := fmt.Sprint("because of ", i%of)
			if i%97 == 0 {
				want = ""
			}
			if got := s.one([]byte(want)); got != want {
				t.Fatalf("%q came back as %q", want, got)
			}
		}
	}
}

// TestTextsInCommonAreHeldOnce: where texts come again there is one copy of each, and where nearly none does nothing is kept for looking.
func TestTextsInCommonAreHeldOnce(t *testing.T) {
	t.Parallel()
	few, many := newShared(), newShared()
	held := map[string]*byte{}
	for i := range 20_000 {
		text := few.one(fmt.Appendf(nil, "because of %d", i%800))
		if before, at := held[text], unsafe.StringData(text); before != nil && before != at {
			t.Fatalf("%q is held twice", text)
		} else {
			held[text] = at
		}
		many.one(fmt.Appendf(nil, "because of %d", i))
	}
	if len(many.known) > 2000 {
		t.Errorf("%d texts of which none came again are kept", len(many.known))
	}
}

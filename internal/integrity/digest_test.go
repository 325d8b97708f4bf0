package integrity

import (
	"testing"
	"time"
)

// Values that look alike have digests of their own, and each has the digest that databases hold already.
func TestDigestsTellKindsApart(t *testing.T) {
	t.Parallel()
	seen := map[Digest]any{}
	h := NewHasher()
	for _, v := range []any{nil, int64(0), false, 0.0, time.Unix(0, 0), "", []byte{}, int64(1), true, 5e-324, time.UnixMicro(1), "1"} {
		h.Reset()
		h.Add(v)
		d := h.Sum()
		if other, again := seen[d]; again {
			t.Errorf("%T %v has the digest of %T %v", v, v, other, other)
		}
		seen[d] = v
	}
	h.Reset()
	for _, v := range []any{nil, int64(-1), true, 0.5, time.Unix(1, 2000), "値", []byte{0}} {
		h.Add(v)
	}
	const want = "738c354e7a1f5afd3bd41a485ace52cd0f0f7b4769d9a6c39b7c42e3b3ddbe51"
	if got := h.Sum().String(); got != want {
		t.Errorf("the digest is %s, want %s", got, want)
	}
}

// A tally counts what was added and knows a row that came twice from one that came once.
func TestATallyCountsRows(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	h.Add("a row")
	var once, twice Tally
	once.Add(h.Sum())
	twice.Add(h.Sum())
	twice.Add(h.Sum())
	if once.Rows != 1 || twice.Rows != 2 || string(once.Sum()) == string(twice.Sum()) {
		t.Errorf("%d rows, then %d; sums %x and %x", once.Rows, twice.Rows, once.Sum(), twice.Sum())
	}
}

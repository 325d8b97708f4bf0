package integrity

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"math/bits"
	"time"
)

// Digest is a SHA-256.
type Digest [sha256.Size]byte

// String is the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// DigestOf reads the bytes of a digest; false when there are not as many as a digest has.
func DigestOf(b []byte) (d Digest, ok bool) { return d, copy(d[:], b) == len(d) && len(b) == len(d) }

// Hasher hashes values with their kinds and lengths, so that no two lists of values look alike. The zero value is not usable: see
// [NewHasher].
type Hasher struct {
	sum  hash.Hash
	word [9]byte
}

// NewHasher returns an empty hasher.
func NewHasher() *Hasher { return &Hasher{sum: sha256.New()} }

// Reset forgets what was added.
func (h *Hasher) Reset() { h.sum.Reset() }

// Add hashes one value in the form that both engines give it: nil, int64, bool, float64, a time (its microseconds count), string or
// bytes. It panics for any other type, which is a mistake in the program.
func (h *Hasher) Add(v any) {
	switch v := v.(type) {
	case nil:
		h.put(0, 0)
	case int64:
		h.put(1, uint64(v)) //nolint:gosec // the bits count
	case bool:
		n := uint64(0)
		if v {
			n = 1
		}
		h.put(2, n)
	case float64:
		h.put(3, math.Float64bits(v))
	case time.Time:
		h.put(4, uint64(v.UnixMicro())) //nolint:gosec // the bits count
	case string:
		h.put(5, uint64(len(v)))
		h.sum.Write([]byte(v))
	case []byte:
		h.put(6, uint64(len(v)))
		h.sum.Write(v)
	default:
		panic(fmt.Sprintf("a %T cannot be hashed", v))
	}
}

// put hashes a kind and a number.
func (h *Hasher) put(kind byte, n uint64) {
	h.word[0] = kind
	binary.BigEndian.PutUint64(h.word[1:], n)
	h.sum.Write(h.word[:])
}

// Sum is the digest of what was added.
func (h *Hasher) Sum() (d Digest) {
	h.sum.Sum(d[:0])
	return d
}

// Tally counts and adds up digests, modulo 2^256. The sum needs no order, so engines that sort differently agree without sorting. It
// finds what was lost or changed by accident; it is no signature.
type Tally struct {
	Rows int64
	sum  [4]uint64
}

// Add takes one digest.
func (t *Tally) Add(d Digest) {
	carry := uint64(0)
	for i := range t.sum {
		t.sum[i], carry = bits.Add64(t.sum[i], binary.LittleEndian.Uint64(d[8*i:]), carry)
	}
	t.Rows++
}

// Sum is the sum of the digests as bytes.
func (t *Tally) Sum() []byte {
	out := make([]byte, 0, 8*len(t.sum))
	for _, part := range t.sum {
		out = binary.BigEndian.AppendUint64(out, part)
	}
	return out
}

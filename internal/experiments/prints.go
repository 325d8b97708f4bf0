package experiments

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Prints tell stage keys apart where they are not held, which takes a tenth of their memory: of the answer first, then of each score in
// its place. A print is 64 bits of keys that are hashes themselves; 0 stands for no keys.
type Prints []uint64

// KeyPrint is the print of one key, of the bytes that its digits stand for; [AddPrint] puts those of several together. Of a hash the first
// eight bytes do; a key that is none, which no program of today makes, is hashed.
func KeyPrint(raw []byte, hash bool) uint64 {
	if hash && len(raw) == sha256.Size {
		return binary.LittleEndian.Uint64(raw)
	}
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for _, b := range raw {
		h = (h ^ uint64(b)) * prime
	}
	return h
}

// AddPrint adds the print of the next key to that of the ones before it.
func AddPrint(to, key uint64) uint64 {
	const odd = 0x9e3779b97f4a7c15 // loses nothing
	return (to ^ key) * odd
}

// printOf is the print of keys that are held.
func printOf(keys ...string) (out uint64) {
	for _, key := range keys {
		raw, err := hex.DecodeString(key)
		hash := err == nil && hex.EncodeToString(raw) == key
		if !hash {
			raw = []byte(key)
		}
		out = AddPrint(out, KeyPrint(raw, hash))
	}
	return out
}

// answerPrint tells the stages of the answer, of which there must be one, from those of another.
func (r *Result) answerPrint() uint64 {
	if r.Prints != nil {
		return r.Prints[0]
	}
	return printOf(r.Answer.RetrievalKey, r.Answer.GenerationKey)
}

// Replies tell the judge's replies that the score at a place was taken from apart from others; 0 where there are none.
func (r *Result) Replies(at int) uint64 {
	if r.Prints != nil {
		return r.Prints[1+at]
	}
	return printOf(r.Scores[at].Stages...)
}

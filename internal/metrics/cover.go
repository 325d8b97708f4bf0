package metrics

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm"
)

// Cover is how much of the reference an answer covers, by the offline judge: all that it compares two answers by. Measuring it takes
// longer than everything else in a comparison, so it is kept of the answers of finished runs. The key tells what was measured: question,
// reference, answer, and the version of the judge.
type Cover struct {
	Key   string  // 16 bytes
	Share float64 // 0 to 1
}

const keyBytes = 16

// CoverOf measures an answer to a sample's question; the sample's own answer does not matter.
func CoverOf(s Sample, answer string) Cover {
	d := coverData(s, answer)
	return Cover{Key: coverKey(d), Share: covered(d)}
}

// Of reports whether that answer to the sample's question was measured, by the judge as it is now.
func (c Cover) Of(s Sample, answer string) bool { return c.Key == coverKey(coverData(s, answer)) }

func coverData(s Sample, answer string) correctnessData {
	return correctnessData{Question: s.Question, Answer: answer, Reference: s.Reference, Answerable: s.Answerable}
}

// preferredBy is by how much of the reference one answer must cover more for the offline judge to prefer it.
const preferredBy = 0.12

// Against is which of two answers to one question the offline judge prefers, in either order.
func (c Cover) Against(after Cover) Preference {
	switch diff := c.Share - after.Share; {
	case diff >= preferredBy:
		return PrefersBefore
	case diff <= -preferredBy:
		return PrefersAfter
	}
	return PrefersNone
}

// covered is the share of the reference that an answer covers: nothing for a refusal where there is something to say, and the other way
// round.
func covered(d correctnessData) float64 {
	switch {
	case onlyRefuses(d.Answer) == d.Answerable:
		return 0
	case !d.Answerable:
		return 1
	}
	key := coverKey(d)
	share, known := sharesSeen.get(key)
	if !known {
		share = coverageOf(d).share
		sharesSeen.put(key, share)
	}
	return share
}

func coverKey(d correctnessData) string {
	all := make([]byte, 0, 1024)
	for _, s := range []string{llm.OfflineVersion, d.Question, d.Reference, d.Answer} {
		all = append(binary.AppendUvarint(all, uint64(len(s))), s...)
	}
	if d.Answerable {
		all = append(all, 1)
	}
	sum := sha256.Sum256(all)
	return string(sum[:keyBytes])
}

// sharesSeen are the shares that were measured last: an answer that is graded is measured once more when its run closes, and two answers
// are compared in both orders, and often with other ones after that.
var sharesSeen = seenShares{known: map[string]float64{}}

type seenShares struct {
	mu    sync.Mutex
	known map[string]float64
}

// mostSharesSeen keeps them within five megabytes.
const mostSharesSeen = 1 << 17

func (s *seenShares) get(key string) (share float64, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	share, known = s.known[key]
	return share, known
}

func (s *seenShares) put(key string, share float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= mostSharesSeen {
		clear(s.known)
	}
	s.known[key] = share
}

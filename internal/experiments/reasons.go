package experiments

import (
	"cmp"
	"encoding/binary"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// Reasons are the judge's words on the scores of a result in one text, beside its list of scores. A judge hardly ever says the same twice,
// but few lists of scores differ in anything else: without the words results share them. For each score that has words there is its
// place, how long they are, and they.
type Reasons string

// AppendReason adds the words on the score at a place to what becomes [Reasons].
func AppendReason(to []byte, at int, words []byte) []byte {
	to = binary.AppendUvarint(to, uint64(at))         //nolint:gosec // a place
	to = binary.AppendUvarint(to, uint64(len(words))) //nolint:gosec // a length
	return append(to, words...)
}

// Of are the words on the score at a place, "" for none.
func (r Reasons) Of(at int) string {
	for r != "" {
		place, length := r.number(), r.number()
		words := r[:min(length, len(r))]
		if place == at {
			return string(words)
		}
		r = r[len(words):]
	}
	return ""
}

// number takes the first number off.
func (r *Reasons) number() int {
	n, size := binary.Uvarint([]byte((*r)[:min(binary.MaxVarintLen64, len(*r))]))
	*r = (*r)[max(size, 0):]
	return int(n) //nolint:gosec // a place or a length
}

// Reason is why the score at a place is what it is, wherever the result holds that.
func (r *Result) Reason(at int) string { return cmp.Or(r.Scores[at].Reason, r.Reasons.Of(at)) }

// Score returns the score of a metric.
func (r Result) Score(metric string) (metrics.Score, bool) {
	for i := range r.Scores {
		if r.Scores[i].Metric == metric {
			s := r.Scores[i]
			s.Reason = r.Reason(i)
			return s, true
		}
	}
	return metrics.Score{}, false
}

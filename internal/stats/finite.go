package stats

import (
	"math"
	"sort"
)

// FiniteTotal is the interval for how many of all members of a finite group have a property, of which so many (with) have it among
// those that were drawn at random without replacement. It holds every total under which drawing so few, and drawing so many, each has a
// probability of more than (1 − confidence) / 2: the exact test of the hypergeometric distribution turned round. So it says nothing that
// what was seen rules out: with ≤ least ≤ most ≤ with + all − drawn. It fails where the numbers are no draw, or the confidence is no
// share between 0 and 1. Source: Cochran, Sampling Techniques, 3rd edition, section 3.6.
func FiniteTotal(with, drawn, all int, confidence float64) (least, most int, err error) {
	if err := proportion("total of a finite group", with, max(1, drawn), confidence); err != nil {
		return 0, 0, err
	}
	if err := proportion("total of a finite group", drawn, max(1, all), confidence); err != nil {
		return 0, 0, err
	}
	tail, unseen := (1-confidence)/2, all-drawn
	least = with + sort.Search(unseen, func(more int) bool { return drawnAtLeast(with, drawn, all, with+more) > tail })
	most = with + unseen - sort.Search(unseen, func(fewer int) bool {
		return 1-drawnAtLeast(with+1, drawn, all, with+unseen-fewer) > tail
	})
	return least, max(least, most), nil
}

// drawnAtLeast is the probability that so many or more of those that are drawn have a property that a total of all has.
func drawnAtLeast(with, drawn, all, total int) (p float64) {
	for k := max(with, drawn-(all-total)); k <= min(drawn, total); k++ {
		p += math.Exp(logChoose(total, k) + logChoose(all-total, drawn-k) - logChoose(all, drawn))
	}
	return min(1, p)
}

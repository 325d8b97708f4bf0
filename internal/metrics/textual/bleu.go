package textual

import (
	"math"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/text"
)

// bleuOrder is the longest run of tokens that BLEU counts.
const bleuOrder = 4

// Bleu is sacrebleu's BLEU of one answer, in [0, 1]: tokenizer 13a, case kept, runs of up to four tokens, exponential smoothing.
//
// Fixed takes the whole answer against the whole reference, cuts Japanese into characters, and counts only orders that a short
// answer has ("effective order"), so that identical texts score 1. Ragas cuts both at ". ", scores the first sentence of the
// answer only and takes every sentence of the reference as an alternative; fewer than four tokens, as any Japanese sentence has
// under 13a, score 0.
func Bleu(p Profile, answer, reference string) float64 {
	if p == ProfileFixed {
		return bleuOf(bleuTokens(answer, true), [][]string{bleuTokens(reference, true)}, true)
	}
	first, _, _ := strings.Cut(answer, ". ")
	var references [][]string
	for sentence := range strings.SplitSeq(reference, ". ") {
		references = append(references, bleuTokens(sentence, false))
	}
	return bleuOf(bleuTokens(first, false), references, false)
}

// bleuOf is BLEU of tokens against alternative references.
func bleuOf(answer []string, references [][]string, effectiveOrder bool) float64 {
	var matched, total [bleuOrder]int
	overlap := 0
	for n := 1; n <= bleuOrder; n++ {
		best := map[string]int{}
		for _, r := range references {
			for gram, count := range gramCounts(r, n) {
				best[gram] = max(best[gram], count)
			}
		}
		matched[n-1] = sharedCounts(gramCounts(answer, n), best)
		total[n-1] = max(0, len(answer)-n+1)
		overlap += matched[n-1]
	}
	if overlap == 0 {
		return 0
	}
	sum, orders, smooth := 0.0, 0, 1.0
	for n := range bleuOrder {
		if total[n] == 0 {
			if !effectiveOrder {
				return 0
			}
			break
		}
		precision := float64(matched[n]) / float64(total[n])
		if matched[n] == 0 {
			smooth *= 2
			precision = 1 / (smooth * float64(total[n]))
		}
		sum += math.Log(precision)
		orders++
	}
	return brevity(len(answer), closestLength(len(answer), references)) * math.Exp(sum/float64(orders))
}

func brevity(answer, reference int) float64 {
	if answer >= reference {
		return 1
	}
	return math.Exp(1 - float64(reference)/float64(answer))
}

// closestLength is the reference length nearest to the answer's, the shorter of two as near.
func closestLength(answer int, references [][]string) int {
	best := -1
	for _, r := range references {
		n, m := len(r)-answer, best-answer
		if best < 0 || max(n, -n) < max(m, -m) || max(n, -n) == max(m, -m) && len(r) < best {
			best = len(r)
		}
	}
	return best
}

// The rules of sacrebleu's tokenizer 13a, in order.
var (
	bleuEntities = [][2]string{{"&quot;", `"`}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}}
	bleuRules    = []struct {
		find    *text.Pattern
		replace string
	}{
		{text.Lazy("([{-~\\[-` -&(-+:-@/])"), " $1 "},
		{text.Lazy(`([^0-9])([.,])`), "$1 $2 "},
		{text.Lazy(`([.,])([^0-9])`), " $1 $2"},
		{text.Lazy(`([0-9])(-)`), "$1 $2 "},
	}
)

// bleuTokens cuts s as tokenizer 13a does; with characters, each character of a script without spaces stands alone too.
func bleuTokens(s string, characters bool) []string {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	s = strings.ReplaceAll(s, "<skipped>", "")
	s = strings.ReplaceAll(s, "-\n", "")
	s = strings.ReplaceAll(s, "\n", " ")
	for _, entity := range bleuEntities {
		s = strings.ReplaceAll(s, entity[0], entity[1])
	}
	if characters {
		s = spaceOut(s)
	}
	s = " " + s + " "
	for _, rule := range bleuRules {
		s = rule.find.ReplaceAllString(s, rule.replace)
	}
	return strings.Fields(s)
}

func spaceOut(s string) string {
	var b strings.Builder
	for _, r := range s {
		if isUnspaced(r) {
			b.WriteRune(' ')
			b.WriteRune(r)
			b.WriteRune(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

package findings

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestMarkedEvidenceThatTurnsAWordSaysSo: evidence puts questions about one document together, so that marking it may tell a change
// from chance or leave it to chance. Wherever the same scores have another word without it, the sentence of the mean says that the groups
// decide; where neither groups nor single questions say otherwise, it says nothing of them.
func TestMarkedEvidenceThatTurnsAWordSaysSo(t *testing.T) {
	t.Parallel()
	const n = 30
	seen := map[string]int{}
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 5))
		was, is, docs := make([]float64, n), make([]float64, n), make([]int, n)
		for i := range was {
			docs[i] = r.IntN(8)
			was[i], is[i] = 3, 3+float64(max(0, r.IntN(9)-6+docs[i]%2))-float64(r.IntN(3)/2)
		}
		word := func(marked, themed bool) (moved bool, said Text) {
			before := scored("b", false, map[string][]float64{"correctness": was})
			after := scored("c", false, map[string][]float64{"correctness": is})
			for _, e := range []experiments.Evaluation{before, after} {
				for i := range e.Questions {
					if q := &e.Questions[i]; marked {
						q.Evidence = []experiments.Evidence{{Span: rag.Span{DocID: fmt.Sprint("doc", docs[i]), End: 9}}}
					}
					if themed {
						e.Questions[i].Tags = []string{fmt.Sprint("theme:", i%5)}
					}
				}
			}
			f := of(t, before, after).Figures[0]
			return f.moved(), f.sentence()
		}
		plain, alone := word(false, false)
		byTheme, themed := word(false, true)
		byDocument, marked := word(true, true)
		for _, c := range []struct {
			said Text
			is   bool
			name string
		}{{alone, false, "alone"}, {themed, byTheme != plain, "themed"}, {marked, byDocument != plain || byDocument != byTheme, "marked"}} {
			seen[fmt.Sprint(c.name, " ", c.is)]++
			if strings.Contains(c.said.EN, " count together here") != c.is || strings.Contains(c.said.JA, "まとめて数えています") != c.is {
				t.Errorf("seed %d, %s: groups decide: %t: %s\n%s", seed, c.name, c.is, c.said.EN, c.said.JA)
			}
		}
		if by := strings.Contains(marked.EN, "counted by theme"); by != (byDocument == plain && byDocument != byTheme) {
			t.Errorf("seed %d: by theme %t: %s", seed, by, marked.EN)
		}
		if byDocument != plain && strings.Contains(marked.EN, "the same change may be chance") != byDocument {
			t.Errorf("seed %d: %s", seed, marked.EN)
		}
	}
	for _, state := range []string{"themed false", "themed true", "marked false", "marked true"} {
		if seen[state] < 5 {
			t.Errorf("%s was tried %d times", state, seen[state])
		}
	}
}

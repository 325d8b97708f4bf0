package findings

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// TestWhatIsEnoughFollowsTheInterval: where it is over documents or themes, these are what more of is asked for and never questions; the
// same questions six times over in the same themes ask for as many themes as before.
func TestWhatIsEnoughFollowsTheInterval(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 97))
		groups, each, themed := 2+r.IntN(10), 2+r.IntN(5), r.IntN(2) == 0
		var before, after []float64
		for range groups {
			common := r.IntN(3) - 1
			for range each {
				before, after = append(before, 3), append(after, float64(3+common))
			}
		}
		said := func(times int) Text {
			before, after := slices.Repeat(before, times), slices.Repeat(after, times)
			sides := [2]experiments.Evaluation{scored("a", false, map[string][]float64{"correctness": before}),
				scored("b", false, map[string][]float64{"correctness": after})}
			for _, side := range sides {
				for i := range side.Questions {
					group := fmt.Sprint(i % (groups * each) / each)
					if side.Questions[i].Evidence = nil; themed {
						side.Questions[i].Tags = []string{"theme:" + group}
					} else {
						side.Questions[i].Evidence = []experiments.Evidence{{Span: rag.Span{DocID: group}, Quote: "a"}}
					}
				}
			}
			return of(t, sides[0], sides[1]).Enough.Text
		}
		once, six := said(1), said(6)
		unit := map[bool]string{false: " documents", true: " themes"}[themed]
		if !strings.Contains(once.EN, "often goes unnoticed") {
			continue
		}
		asked++
		if strings.Contains(once.EN, "questions are needed. ") || regexp.MustCompile(`約\d+問`).MatchString(once.JA) ||
			!strings.Contains(once.EN, unit) && !strings.Contains(once.EN, "more"+unit) ||
			(groups < 6) != strings.Contains(once.EN, "cannot be said") {
			t.Errorf("seed %d: %d%s: %+v", seed, groups, unit, once)
		}
		if once != six {
			t.Errorf("seed %d: six times the same: %+v, once %+v", seed, six, once)
		}
	}
	if asked < 15 {
		t.Errorf("asked for more %d times", asked)
	}
}

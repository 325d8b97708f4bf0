package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/stats"
)

// TestTagsAreOnlyToldWhereTheyCouldFail: over tags of every number of documents, a check that counts a tag as not clearly worse is one that
// fails where all answers of it fell, and a tag that cannot be found worse is not counted, is named where it fell, and hides no other one.
func TestTagsAreOnlyToldWhereTheyCouldFail(t *testing.T) {
	t.Parallel()
	for documents := 1; documents <= 12; documents++ {
		for _, wide := range []bool{true, false} { // another tag over many documents, which fell too
			r := rand.New(rand.NewPCG(uint64(documents), 70))
			diffs := repeat(40, 0)
			for i := range diffs {
				diffs[i] = -1.5 - .2*r.Float64()
			}
			arms := gateArms(diffs, func(i int, item *judgedItem) {
				item.Tags, item.Cluster = []string{"narrow"}, fmt.Sprint("d", i%documents)
				if i >= 20 {
					item.Tags, item.Cluster = nil, fmt.Sprint("e", i)
					if wide {
						item.Tags = []string{"wide"}
					}
				}
			})
			c := checkOf(t, gated(t, arms, DefaultGateRules()), "slice")
			can := documents >= 6 // 2 of 64 patterns of signs are one in 32, and 2 of 32 more than one in 20
			en, ja := "too few documents or themes to tell a fall from chance", "もとになる文書やテーマが少なく"
			if strings.Contains(c.Message, en) == can || strings.Contains(c.MessageJA, ja) == can ||
				!strings.Contains(c.Message, "narrow by 1.") {
				t.Errorf("%d documents, wide %t: %s\n%s", documents, wide, c.Message, c.MessageJA)
			}
			want := stats.Inconclusive
			if can || wide {
				want = stats.Fail
			}
			if c.Decision != want || wide && !strings.Contains(c.Message, "wide by 1.") {
				t.Errorf("%d documents, wide %t: %s: %s", documents, wide, c.Decision, c.Message)
			}
		}
	}
	arms := gateArms(around(40, .5), func(i int, item *judgedItem) {
		item.Tags, item.Cluster = []string{"narrow"}, fmt.Sprint("d", i%3)
	})
	for _, c := range gated(t, arms, DefaultGateRules()).Checks {
		if c.Name == "slice" {
			t.Errorf("nothing fell and nothing can be told: %s", c.Message)
		}
	}
}

// TestAlikeFallsOfATagAreNoChance: all answers fall by the same amount, in one tag of many documents and in several of six each. By chance
// one of the small ones is all alike in more than one of twenty patterns; the large one never.
func TestAlikeFallsOfATagAreNoChance(t *testing.T) {
	t.Parallel()
	const n, small = 198, 6
	arms := gateArms(repeat(n, -4), func(i int, item *judgedItem) {
		item.Cluster, item.Tags = fmt.Sprint("d", i), []string{"wide"}
		if part := i / 12; part < small { // twelve answers of six documents
			item.Cluster, item.Tags = fmt.Sprint("d", part, " ", i%6), append(item.Tags, fmt.Sprint("narrow", part))
		}
	})
	c := checkOf(t, gated(t, arms, DefaultGateRules()), "slice")
	if c.Decision != stats.Fail || !strings.Contains(c.Message, "wide by 4") {
		t.Errorf("%s: %s", c.Decision, c.Message)
	}
}

// TestASmallTagThatIsAlikeHidesNoFall: three tags of six documents each are all alike, and a larger one fell nearly alike; by the plain t
// of its answers it was chance. A further one that fell by chance is named beside it.
func TestASmallTagThatIsAlikeHidesNoFall(t *testing.T) {
	t.Parallel()
	const n, small = 140, 3
	arms := gateArms(repeat(n, 0), func(i int, item *judgedItem) {
		item.Cluster = fmt.Sprint("d", i)
		switch {
		case i < 12*small:
			item.Cluster, item.Tags, item.After = fmt.Sprint("d", i/12, " ", i%6), []string{fmt.Sprint("narrow", i/12)}, item.Before-2
		case i < 48:
			item.Tags, item.After = []string{"wide"}, item.Before-2
			if i == 40 {
				item.After = item.Before - 1
			}
		case i < 60:
			item.Tags = []string{"chance"}
			item.After = item.Before + float64(2-5*(i%2)) // up by 2 or down by 3
		}
	})
	c := checkOf(t, gated(t, arms, DefaultGateRules()), "slice")
	if c.Decision != stats.Fail || !strings.Contains(c.Message, "wide by 1.92 (n = 12)") ||
		!strings.Contains(c.Message, "which may be chance: chance by 0.5") ||
		!strings.Contains(c.MessageJA, "可能性があるもの：chance") {
		t.Errorf("%s: %s\n%s", c.Decision, c.Message, c.MessageJA)
	}
}

package causes

import (
	"strings"
	"testing"
)

// TestRecommendationsForOtherAnswersAreNoAlternatives: what people are to add and to update is told apart by name, and recommendations that
// are about different answers are called alternatives only where two of them are configurations, or one answer is in both.
func TestRecommendationsForOtherAnswersAreNoAlternatives(t *testing.T) {
	t.Parallel()
	advice := func(to string, heals ...string) Recommendation {
		return Recommendation{Repair: Repair{Component: Database, Param: "corpus", To: to}, Heals: heals}
	}
	setting := func(k int, heals ...string) Recommendation {
		return Recommendation{Repair: Repair{Component: Retriever, Param: "retrieve.k", From: 1, To: k}, Heals: heals, Applies: true}
	}
	for name, c := range map[string]struct {
		all  []Recommendation
		same bool
	}{
		"add and update":         {[]Recommendation{advice("add", "a", "b"), advice("update", "c")}, false},
		"a setting and people":   {[]Recommendation{setting(4, "a"), advice("add", "b")}, false},
		"the same answer":        {[]Recommendation{advice("add", "a", "b"), advice("update", "b")}, true},
		"two settings":           {[]Recommendation{setting(4, "a"), setting(6, "b")}, true},
		"what a setting repairs": {[]Recommendation{setting(4), advice("add", "b")}, true},
	} {
		said := Choice(c.all, asWritten)
		if strings.Contains(said.EN, "alternatives") != c.same || strings.Contains(said.JA, "代替案") != c.same ||
			strings.Contains(said.EN, "about other answers") == c.same {
			t.Errorf("%s: %+v", name, said)
		}
	}
	for _, lang := range []string{"en", "ja"} {
		names := map[string]bool{}
		for _, to := range []string{"add", "update", "other"} {
			names[advice(to).Words(lang)] = true
		}
		if len(names) != 3 {
			t.Errorf("%s: %v", lang, names)
		}
	}
}

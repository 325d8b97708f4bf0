package validation

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/progress"
)

// items are kept-back answers: right both times, mended, spoilt, wrong both times.
func items(right, fixed, broken, wrong int) []AlignedItem {
	var out []AlignedItem
	add := func(n int, before, after bool) {
		for i := range n {
			accepted := i%2 == 0
			out = append(out, AlignedItem{Accepted: accepted, Before: before != accepted, After: after != accepted})
		}
	}
	add(right, true, true)
	add(fixed, false, true)
	add(broken, true, false)
	add(wrong, false, false)
	return out
}

// TestAlignmentDecides: only what chance does not do is offered, and what cannot be told says how many reviews would tell.
func TestAlignmentDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		items []AlignedItem
		tries int
		reads bool
		want  AlignmentDecision
		needs int
	}{
		"surely better":               {items(10, 8, 0, 2), 1, true, AlignmentOffered, 0},
		"the same on the eighth try":  {items(10, 8, 0, 2), 8, true, AlignmentCannotTell, 29},
		"better, perhaps by chance":   {items(10, 4, 1, 5), 1, true, AlignmentCannotTell, 85},
		"no better":                   {items(10, 3, 3, 4), 1, true, AlignmentNotOffered, 0},
		"worse":                       {items(10, 0, 8, 2), 1, true, AlignmentNotOffered, 0},
		"nothing changes":             {items(18, 0, 0, 2), 1, true, AlignmentNotOffered, 0},
		"too few":                     {items(1, 5, 0, 0), 1, true, AlignmentCannotTell, 10},
		"none":                        {nil, 1, true, AlignmentCannotTell, 10},
		"a judge that does not read":  {items(18, 0, 0, 2), 1, false, AlignmentUnread, 0},
		"perfect, on fewer than ten":  {items(0, 9, 0, 0), 1, true, AlignmentCannotTell, 10},
		"ten of which all are mended": {items(0, 10, 0, 0), 1, true, AlignmentOffered, 0},
	} {
		a := ScoreAlignment(c.items, c.tries, c.reads)
		if a.Decision != c.want || a.Needs != c.needs {
			t.Errorf("%s: %s, needs %d (p %.4f), want %s, %d", name, a.Decision, a.Needs, a.P, c.want, c.needs)
		}
		for _, lang := range []string{"en", "ja"} {
			says := a.Says(lang)
			offers := strings.Contains(says, "is offered") || strings.Contains(says, "適用できます")
			if offers != (c.want == AlignmentOffered) || strings.Contains(says, "%!") || strings.Contains(a.Rates(lang), "%!") {
				t.Errorf("%s: %s %s", name, says, a.Rates(lang))
			}
		}
	}
}

func TestAlignmentSays(t *testing.T) {
	t.Parallel()
	a := ScoreAlignment(items(10, 8, 0, 2), 1, true)
	a.Examples = make([]progress.ChosenExample, 6)
	want := "On 20 reviews that no example came from, the judge says what people say 10 times without the 6 examples and 18 times with them " +
		"(+40 points, 95%: +13 to +60; 8 mended, 0 spoilt). That is more than chance does, so the change is offered."
	if got := a.Says("en"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = "Called low although people accept it: 5 of 10 before, 1 of 10 after. Not called low although people reject it: 5 of 10 before, 1 of 10 after."
	if got := a.Rates("en"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	card := JudgeCard{Judge: "x/y", PromptVersion: "1",
		Alignments: []Alignment{{RunID: "r", With: "a"}, {RunID: "r", With: "b"}, {RunID: "s", With: "b"}}}
	newer := JudgeCard{Judge: "x/y", PromptVersion: "1", Alignments: []Alignment{{RunID: "r", With: "a", Kept: 7}}}.After(card)
	if len(newer.Alignments) != 4 || newer.AlignedOn("r").Kept != 7 || newer.Aligned("b").RunID != "s" || newer.AlignedOn("t") != nil ||
		newer.TriesOn("r", "a") != 1 || newer.TriesOn("r", "c") != 2 {
		t.Errorf("%+v", newer.Alignments)
	}
}

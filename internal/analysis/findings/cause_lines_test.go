package findings

import (
	"fmt"
	"strings"
	"testing"
)

// TestTheLinesOfCausesHideNoLargestGroup: a part has one line whatever the ways to see it, so that the first line is the most frequent
// part; and however many other causes there are, what is not proven and what is probable only have lines of their own.
func TestTheLinesOfCausesHideNoLargestGroup(t *testing.T) {
	t.Parallel()
	cause := func(code string, n int, how Certainty, text string) Cause {
		return Cause{Count: Count{Code: code, Name: plain(code), Text: plain(text), N: n}, Certainty: how}
	}
	c := Causes{List: []Cause{cause("database", 2, BySearch, "lacks it"), cause("retriever", 2, ByTest, "missed it"),
		cause("retriever", 1, ByTest, "was crowded"), cause("prompt", 1, ByTest, "misled"), cause("query", 1, ByTest, "unsuitable"),
		cause("retriever", 4, ByJudgement, "was judged good"), cause("generation", 94, NotKnown, "nothing fixed it")}}
	lines := c.Lines(2)
	var said strings.Builder
	all := 0
	for _, l := range lines {
		fmt.Fprintf(&said, "%d %s: %s|", l.N, l.Name.EN, l.Text.EN)
		all += l.N
	}
	if want := "3 retriever (tested): missed it (2); was crowded (1)|2 database (searched): lacks it|94 no cause proven: nothing fixed it|" +
		"4 cause probable only: was judged good|2 other causes: |"; said.String() != want {
		t.Errorf("%s\nwant\n%s", said.String(), want)
	}
	if all != 105 || lines[0].Text.JA != "missed it（2件）、was crowded（1件）" || lines[2].Name.JA != "原因は未確定" {
		t.Errorf("%d answers, %+v", all, lines)
	}
	if got := len(c.Lines(4)); got != 6 {
		t.Errorf("%d lines where every named cause fits", got)
	}
}

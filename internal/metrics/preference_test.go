package metrics

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
)

// TestPreferenceNeedsBothOrders: what a judge says counts only where both orders say it; a judge that always takes the first prefers none.
// What was asked once is read back without asking, and nothing is read that was not asked.
func TestPreferenceNeedsBothOrders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second string // replies to before-first and after-first
		want          Preference
	}{
		"before": {"first", "second", PrefersBefore}, "after": {"second", "first", PrefersAfter},
		"always the first": {"first", "first", PrefersNone},
		"equal":            {"equal", "equal", PrefersNone}, "half": {"first", "equal", PrefersNone},
	} {
		asked := 0
		judge := &scripted{replies: map[string]func(llm.Request) (string, error){PurposeCompare: func(req llm.Request) (string, error) {
			asked++
			reply := c.first
			if decode[compareData](req).First == "30 yen" {
				reply = c.second
			}
			return `{"reason":"so","better":"` + reply + `"}`, nil
		}}}
		suite := suiteOf(t, judge, newKept(), judgeConfig(""), "correctness")
		sample := Sample{QuestionID: "q", Question: "What is the fee?", Reference: "20 yen", Answerable: true, Lang: "en"}
		if _, known, err := suite.Preferred(t.Context(), sample, "20 yen", "30 yen"); err != nil || known || asked != 0 {
			t.Errorf("%s: known before it was asked: %t, %d calls, %v", name, known, asked, err)
		}
		got, err := suite.Prefer(t.Context(), sample, "20 yen", "30 yen")
		if err != nil || got != c.want || asked != 2 {
			t.Errorf("%s: %d after %d calls, %v", name, got, asked, err)
		}
		if again, known, err := suite.Preferred(t.Context(), sample, "20 yen", "30 yen"); err != nil || !known ||
			again != c.want || asked != 2 {
			t.Errorf("%s: read back as %d, %t after %d calls, %v", name, again, known, asked, err)
		}
		if _, known, _ := suite.Preferred(t.Context(), sample, "20 yen", "31 yen"); known {
			t.Errorf("%s: another answer is known", name)
		}
	}
	if (compareReply{Better: "third"}).fault() == "" {
		t.Error("a third answer is preferred")
	}
}

// TestOfflineComparison: the offline judge prefers the answer that holds more, whichever stands first, and says equal of the same.
func TestOfflineComparison(t *testing.T) {
	t.Parallel()
	reference := "A Saver ticket cannot be refunded, and its date can be changed once for 30 euro."
	full, part, none := "A Saver ticket cannot be refunded. Its date can be changed once for 30 euro.",
		"A Saver ticket cannot be refunded.", "Dogs travel in the hold."
	for _, c := range []struct{ first, second, want string }{
		{full, none, "first"}, {none, full, "second"}, {full, part, "first"}, {part, full, "second"}, {full, full, "equal"},
		{none, none, "equal"},
	} {
		d := compareData{Question: "Can a Saver ticket be refunded?", Reference: reference, Answerable: true, First: c.first,
			Second: c.second}
		if got := offlineCompare(d, "en"); got.Better != c.want || got.Reason == "" {
			t.Errorf("%q or %q: %+v, want %s", c.first, c.second, got, c.want)
		}
	}
	silent := compareData{Question: "Who is the chair?", First: "The documents do not say.", Second: "It is an owl."}
	if got := offlineCompare(silent, "ja"); got.Better != "first" {
		t.Errorf("an honest refusal is %+v", got)
	}
}

package validation

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/problem"
)

const goodPair = `{"id":"a","question":"What is the fee?","reference":"20 yen.","before":"20 yen.","after":"30 yen.","reader":{"verdict":"worse"}}`

// TestBadPairsAreNamed: every row that cannot be used is refused by its line and field, and a good file is read whole.
func TestBadPairsAreNamed(t *testing.T) {
	t.Parallel()
	pairs, err := ReadPairs([]byte("\xef\xbb\xbf" + goodPair + "\n\n" + strings.Replace(goodPair, `"a"`, `"b"`, 1) + "\n"))
	if err != nil || len(pairs) != 2 || pairs[0].Lang != "en" || pairs[1].Reader.Label() != compare.Worse {
		t.Fatalf("%+v, %v", pairs, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"id":"a"`, `"id":"first"`, `line 3, id: "first" stands on line 1 already`},
		{`"id":"a",`, ``, "line 3, id: is missing"},
		{`"20 yen.","after"`, `" ","after"`, "line 3, before: is missing"},
		{`"reference":"20 yen.",`, ``, "line 3, reference: is missing"},
		{`"worse"`, `"bad"`, `line 3, reader.verdict: "bad" is none of`},
		{`{"verdict":"worse"}`, `{"verdict":"worse","correctness":[0,5]}`, "line 3, reader.correctness: 0 is not"},
		{`{"verdict":"worse"}`, `{"verdict":"worse"},"second_reader":{"verdict":""}`, `line 3, second_reader.verdict: ""`},
		{`{"verdict":"worse"}`, `"worse"`, "line 3, reader: string is not"},
		{`"id":"a"`, `"id":"a","lang":"fr"`, `line 3, lang: "fr"`},
		{goodPair, `worse`, "line 3, the whole line"},
	} {
		bad := strings.Replace(goodPair, `"a"`, `"first"`, 1) + "\n\n" + strings.Replace(goodPair, c.old, c.new, 1) + "\n" +
			strings.Replace(goodPair, `"a"`, `"z"`, 1)
		_, err := ReadPairs([]byte(bad))
		if p := problem.From(err); p.Code != "pairs_line" || !strings.HasPrefix(p.Message, c.want) || p.Hint == "" {
			t.Errorf("%s: %v", c.new, err)
		}
	}
	if _, err := ReadPairs(nil); problem.CodeOf(err) != "pairs_none" {
		t.Errorf("nothing: %v", err)
	}
	unanswerable := strings.Replace(strings.Replace(goodPair, `"reference":"20 yen.",`, ``, 1), `"id"`, `"answerable":false,"id"`, 1)
	if pairs, err := ReadPairs([]byte(unanswerable)); err != nil || pairs[0].PairSamples()[0].Answerable {
		t.Errorf("a question without an answer: %v", err)
	}
}

// TestCardSpeaksOfWorse: the card of a judge says how often its worse was right exactly where its count leaves open that this is less than
// three times in four.
func TestCardSpeaksOfWorse(t *testing.T) {
	t.Parallel()
	grades := map[string][2]float64{"right": {5, 1}, "wrong": {5, 1}}
	score := func(right, wrong, lost int) VerdictScore {
		var pairs []ReadersPair
		var judged []JudgedPair
		for range right {
			pairs, judged = append(pairs, ReadersPair{Before: "a", After: "b", Reader: Reading{Verdict: "worse"},
				Second: &Reading{Verdict: "worse"}}), append(judged, JudgedPair{Grades: grades["right"]})
		}
		for range wrong {
			pairs, judged = append(pairs, ReadersPair{Before: "a", After: "b", Reader: Reading{Verdict: "same"},
				Second: &Reading{Verdict: "mixed"}}), append(judged, JudgedPair{Grades: grades["wrong"]})
		}
		for range lost {
			pairs, judged = append(pairs, ReadersPair{Reader: Reading{Verdict: "better"}}),
				append(judged, JudgedPair{Lost: "provider_timeout"})
		}
		return ScoreVerdicts(pairs, judged)
	}
	for _, c := range []struct {
		right, wrong int
		doubts       bool
	}{{24, 1, false}, {10, 0, false}, {60, 11, false}, {35, 11, true}, {3, 1, true}, {2, 1, true}, {0, 1, true}, {0, 0, false}} {
		s := score(c.right, c.wrong, 2)
		card := JudgeCard{Judge: "x/y", PromptVersion: "1", Verdicts: &s}
		card.Settle()
		if _, called, doubts := s.DoubtsWorse(); doubts != c.doubts || called != c.right+c.wrong || s.Lost != 2 || s.Pairs != called {
			t.Errorf("%+v: %+v", c, s)
		}
		for lang, said := range map[string][2]string{"en": {"read such an answer before you decide", "provider_timeout (2)"},
			"ja": {"判断の前に回答を読んでください", "provider_timeout（2組）"}} {
			if page := card.Markdown(lang, nil); strings.Contains(page, said[0]) != c.doubts ||
				!strings.Contains(page, said[1]) || strings.Contains(page, "%!") {
				t.Errorf("%+v reads\n%s", c, page)
			}
		}
		later := JudgeCard{Judge: "x/y", PromptVersion: "1"}
		if later = later.After(card); later.Verdicts == nil {
			t.Error("a later card of the same judge forgets what readers say")
		}
	}
	if s := score(2, 1, 0); s.Agreement.Pairs != 3 || s.Agreement.Same != 2 {
		t.Errorf("agreement: %+v", s.Agreement)
	}
}

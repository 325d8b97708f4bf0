package metrics

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExplain rebuilds what the scores rest on: every claim with its verdicts and quotes, and the claims behind each score.
func TestExplain(t *testing.T) {
	t.Parallel()
	for _, suite := range []string{"standard", "compact", "all"} {
		judge, stages := fullJudge(), newKept()
		scores, err := suiteOf(t, judge, stages, judgeConfig(""), suite).Score(t.Context(), exampleSample("c1", "c2"))
		if err != nil {
			t.Fatal(err)
		}
		e, err := Explain(t.Context(), stages, scores)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Lost) > 0 || len(e.Scores) != len(scores) || e.Answer == nil || !e.Answer.OnTopic ||
			len(e.Parts) != 2 || (suite == "all") != (len(e.Questions) == 3) {
			t.Errorf("%s: %+v", suite, e)
		}
		want := []ExplainedClaim{
			{Of: "answer", Number: 1, Text: "a1", Verdicts: []ExplainedVerdict{
				{"context", 1, supported, "c1"}, {"context", 2, supported, "c2"}, {"reference", 0, supported, "q\nr"},
			}},
			{Of: "answer", Number: 2, Text: "a2", Verdicts: []ExplainedVerdict{
				{"context", 1, neither, ""}, {"context", 2, neither, ""}, {"reference", 0, neither, ""},
			}},
			{Of: "reference", Number: 1, Text: "r1", Key: true, Verdicts: []ExplainedVerdict{
				{"context", 1, supported, "c1"}, {"context", 2, supported, "c2"}, {"answer", 0, supported, "q\na"},
			}},
		}
		if diff := cmp.Diff(want, e.Claims); diff != "" {
			t.Errorf("%s: claims (-want +got):\n%s", suite, diff)
		}
		for _, s := range e.Scores {
			switch s.Metric {
			case "faithfulness":
				if !slices.Equal(s.For, []int{1}) || !slices.Equal(s.Against, []int{2}) || s.Of != "answer" {
					t.Errorf("%s: faithfulness rests on %+v", suite, s)
				}
			case "hallucination":
				if !slices.Equal(s.For, []int{2}) || !slices.Equal(s.Against, []int{1}) {
					t.Errorf("%s: hallucination rests on %+v", suite, s)
				}
			case "correctness":
				if s.Reason != "fits" || *s.Value != 4 {
					t.Errorf("%s: correctness is %+v", suite, s)
				}
			}
		}
		lines := strings.Join(e.Lines("en"), "\n")
		if (suite == "all") != strings.Contains(lines, "question 3 that the answer answers: three?") {
			t.Errorf("%s: questions asked back:\n%s", suite, lines)
		}
		for _, want := range []string{
			"answer claim 2: a2\n  neither: 3", "reference claim 1 (key): r1\n  context 1: supported by \"c1\"",
			"asked for: why (given: partly)",
			"faithfulness: 0.5. 1/2 [answer claims counted: 1; not counted: 2]", "hit: not applicable. no_evidence",
		} {
			if !strings.Contains(lines, want) {
				t.Errorf("%s: the lines lack %q:\n%s", suite, want, lines)
			}
		}
		if left := englishLine.FindString(strings.Join(e.Lines("ja"), "\n")); left != "" {
			t.Errorf("%s: %q is left in Japanese:\n%s", suite, left, strings.Join(e.Lines("ja"), "\n"))
		}
		if _, err := json.Marshal(e); err != nil {
			t.Error(err)
		}
	}
}

// englishLine finds a phrase of a line that has no Japanese.
var englishLine = regexp.MustCompile(`(answer|reference) claim|context \d|neither:|counted|supported|asked for:|given:|question \d|` +
	`entities of|not_applic|faithful|refuses`)

// TestExplainOldRecords names what it cannot read instead of failing.
func TestExplainOldRecords(t *testing.T) {
	t.Parallel()
	stages := newKept()
	stages.items["old"] = []byte(`{"verdicts":[{"claim":1,"passage":1,"verdict":"supported","quote":"x"}]}`)
	stages.items["broken"] = []byte(`{"purpose":"judge.verify","reply":[]}`)
	scores := []Score{{Metric: "faithfulness", State: Scored, Value: 1, Reason: "1/1", Stages: []string{"old", "broken", "gone"}}}
	e, err := Explain(t.Context(), stages, scores)
	if err != nil || !slices.Equal(e.Lost, []string{"old", "broken", "gone"}) || e.Scores[0].Reason != "1/1" {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestSetsAgainst: a metric looks up the statements that it is said to, and nobody finds any where no metric does.
func TestSetsAgainst(t *testing.T) {
	t.Parallel()
	grounds := func(names ...string) Grounds {
		judge, stages := fullJudge(), newKept()
		scores, err := suiteOf(t, judge, stages, judgeConfig(""), names...).Score(t.Context(), exampleSample("c1", "c2"))
		if err != nil {
			t.Fatal(err)
		}
		e, err := Explain(t.Context(), stages, scores)
		if err != nil {
			t.Fatal(err)
		}
		return e.Grounds()
	}
	for _, spec := range Catalogue() {
		answer, reference := SetsAgainst([]Spec{spec})
		if g := grounds(spec.ID); g.Checked != answer || (g.Key > 0) != reference {
			t.Errorf("%s sets against: %t %t, found %+v", spec.ID, answer, reference, g)
		}
	}
	var names []string
	for _, spec := range StatementMeasures() {
		names = append(names, spec.ID)
	}
	if !slices.Equal(names, []string{"factual_correctness", "answer_correctness"}) {
		t.Errorf("answers of one grade are told apart by %v", names)
	}
	if g := grounds("correctness", "trust", "retrieval"); g != (Grounds{}) {
		t.Errorf("grades alone are said to find %+v", g)
	}
}

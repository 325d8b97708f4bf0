package metrics

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

func politeness() Custom {
	return Custom{
		ID: "politeness", Kind: KindRubric, Title: "Politeness", Instruction: "How polite is the answer?",
		Levels: map[int]string{1: "rude", 2: "plain", 3: "polite"},
	}
}

func promises() Custom {
	return Custom{
		ID: "promises", Kind: KindCritic, Instruction: "The answer promises something in the name of the company.",
		Inputs: []string{"answer", "contexts"}, LowerIsBetter: true,
	}
}

func customSuite(t *testing.T, judge *scripted, custom ...Custom) *Suite {
	t.Helper()
	specs, err := ResolveWith([]string{"mrr"}, custom)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSuite(specs, judgeConfig(""), judge, newKept())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCustomMetrics(t *testing.T) {
	t.Parallel()
	judge := fullJudge()
	judge.replies[PurposeRubric] = saying(`{"reason":"says please","level":3}`)
	judge.replies[PurposeCritic] = saying(`{"reason":"no promise","verdict":false}`)
	suite := customSuite(t, judge, politeness(), promises())
	scores, err := suite.Score(t.Context(), exampleSample("c1"))
	if err != nil {
		t.Fatal(err)
	}
	got := byMetric(scores)
	wantValue(t, got, "politeness", 3)
	wantValue(t, got, "promises", 0)
	if got["politeness"].Reason != "says please" || got["politeness"].Version != politeness().Spec().Version {
		t.Errorf("politeness is %+v", got["politeness"])
	}
	rubric := judge.of(t, `{"question":"q","answer":"a"}`)
	judge.of(t, `{"answer":"a","contexts":[{"number":1,"text":"c1"}]}`) // the critic
	if !strings.Contains(rubric.Instruction, "Criterion: How polite is the answer?\n1: rude\n2: plain\n3: polite") ||
		!strings.HasSuffix(rubric.Instruction, explainIn["en"]) || strings.Contains(string(rubric.Data), "polite") {
		t.Errorf("the rubric is asked by %q with %s", rubric.Instruction, rubric.Data)
	}
	spec := promises().Spec()
	if !spec.LowerIsBetter || spec.Max != 1 || politeness().Spec().Max != 3 || politeness().Spec().Min != 1 {
		t.Errorf("specs %+v", spec)
	}
	changed := politeness()
	changed.Levels[3] = "very polite"
	if changed.Spec().Version == politeness().Spec().Version {
		t.Error("another wording has the same version")
	}
	if v, same := spec.Current(); !same || v != spec.Version {
		t.Errorf("the frozen metric is now %s", v)
	}
}

func TestCustomRepliesAreChecked(t *testing.T) {
	t.Parallel()
	judge := fullJudge()
	judge.replies[PurposeRubric] = saying(`{"reason":"","level":7}`)
	suite := customSuite(t, judge, politeness())
	for range 2 { // a bad reply is not kept
		scores, err := suite.Score(t.Context(), exampleSample("c1"))
		if err != nil {
			t.Fatal(err)
		}
		wantReason(t, byMetric(scores), "politeness", Errored, llm.CauseSchema)
	}
	judge.replies[PurposeRubric] = saying(`{"reason":"","level":2}`)
	scores, err := suite.Score(t.Context(), exampleSample("c1"))
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, byMetric(scores), "politeness", 2)
}

func TestCustomDefinitionsAreChecked(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*Custom){
		"id":           func(c *Custom) { c.ID = "Polite Ness" },
		"id ":          func(c *Custom) { c.ID = "trust" },
		"id  ":         func(c *Custom) { c.ID = "standard" },
		"kind":         func(c *Custom) { c.Kind = "score" },
		"instruction":  func(c *Custom) { c.Instruction = " " },
		"instruction ": func(c *Custom) { c.Instruction = strings.Repeat("x", 4001) },
		"levels":       func(c *Custom) { c.Levels = map[int]string{1: "only"} },
		"levels ":      func(c *Custom) { c.Kind = KindCritic },
		"levels.2":     func(c *Custom) { c.Levels[2] = "" },
		"levels.900":   func(c *Custom) { c.Levels[900] = "beyond" },
		"inputs":       func(c *Custom) { c.Inputs = []string{"answer", "secrets"} },
	}
	for field, change := range cases {
		c := politeness()
		change(&c)
		err := c.Validate()
		if p := problem.From(err); err == nil || p.Params["field"] != strings.TrimSpace(field) || p.Hint == "" {
			t.Errorf("%s: %v", field, err)
		}
		if _, err := ResolveWith(nil, []Custom{promises(), c}); err == nil || !strings.Contains(err.Error(), "metrics (entry 2).") {
			t.Errorf("%s in a list: %v", field, err)
		}
	}
	if _, err := ResolveWith(nil, []Custom{promises(), promises()}); err == nil {
		t.Error("one id twice was taken")
	}
}

// TestOwnPrompts puts other instructions in the place of ours: they reach the judge, the key, and the metric's version.
func TestOwnPrompts(t *testing.T) {
	t.Parallel()
	stages := newKept()
	config := judgeConfig("")
	config.Prompts = map[string]string{"verify": "Check it your way.", "trust.ja": "日本語だけ。"}
	if err := config.CheckPrompts(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []JudgeConfig{judgeConfig(""), config} {
		judge := fullJudge()
		if _, err := suiteOf(t, judge, stages, c).Score(t.Context(), exampleSample("c1")); err != nil {
			t.Fatal(err)
		}
		if judge.count(PurposeVerify) != 1 {
			t.Errorf("with prompts %v %d verify calls; verdicts of another prompt were served", c.Prompts, judge.count(PurposeVerify))
		}
		for _, req := range judge.asked {
			own := req.Instruction == "Check it your way."
			if own != (req.Purpose == PurposeVerify && c.Prompts != nil) {
				t.Errorf("%s is asked by %q", req.Purpose, req.Instruction)
			}
		}
	}
	specs, err := Resolve([]string{"faithfulness", "mrr"})
	if err != nil {
		t.Fatal(err)
	}
	marked := config.Versioned(specs)
	if !strings.HasPrefix(marked[0].Version, specs[0].Version+"+") || marked[1].Version != specs[1].Version {
		t.Errorf("versions %s and %s", marked[0].Version, marked[1].Version)
	}
	if _, same := marked[0].Current(); !same {
		t.Error("a marked version is taken for another program's")
	}
	for _, bad := range []map[string]string{{"verfy": "x"}, {"verify": " "}, {"verify.fr": "x"}, {"rubric": "x"}} {
		config.Prompts = bad
		if err := config.CheckPrompts(); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

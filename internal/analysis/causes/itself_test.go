package causes

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestAPartThatHealsByItselfIsTheCause: what was found on other contexts is tried on those of the run before two parts are named; and where
// a prompt heals the answer from the evidence alone only, the contexts are at fault as well. Without a model to compare with, too.
func TestAPartThatHealsByItselfIsTheCause(t *testing.T) {
	t.Parallel()
	promptAlone := func(_, _ bool, s Swap, _ int) (string, string) { return bestOf(s.Prompt), "" }
	promptWithout := func(evidence, noise bool, s Swap, _ int) (string, string) {
		return bestOf(s.Prompt && evidence && !noise), ""
	}
	withoutModel := allPowers
	withoutModel.Model = false
	for name, c := range map[string]struct {
		answer  func(bool, bool, Swap, int) (string, string)
		hits    []rag.Hit
		deep    func(map[string]any) []rag.Hit
		powers  LabPowers
		want    Component
		further []Component
		param   string
	}{
		"prompt alone, evidence outside the contexts": {promptAlone, rankedAt(5, 3), depthOnly(5, 3), withoutModel, SystemPrompt, nil,
			"generate.prompt"},
		"the same with a model": {promptAlone, rankedAt(5, 3), depthOnly(5, 3), allPowers, SystemPrompt, nil, "generate.prompt"},
		"prompt alone, no change brings the evidence": {promptAlone, rankedAt(0, 3), nil, withoutModel, SystemPrompt, nil,
			"generate.prompt"},
		"prompt, from the evidence alone": {promptWithout, rankedAt(1, 3), depthOnly(1, 3), withoutModel, Retriever,
			[]Component{SystemPrompt}, ""},
		"the same with the evidence outside": {promptWithout, rankedAt(0, 3), nil, withoutModel, Retriever, []Component{SystemPrompt}, ""},
	} {
		lab := &scriptLab{answer: c.answer, hits: c.deep, powers: c.powers, config: scriptConfig()}
		d, err := Diagnose(t.Context(), lab, lowCase(c.hits, "bad", ""), CauseRules{Reference: &rag.Model{Provider: "offline", Name: "strong"}})
		if err != nil {
			t.Fatal(err)
		}
		if d.Component != c.want || !slices.Equal(d.Further, c.further) || d.Parameter() != c.param {
			t.Errorf("%s: %s, further %v, parameter %q, repairs %+v\n%+v", name, d.Component, d.Further, d.Parameter(), d.Repairs, d.Steps)
		}
		alone := slices.ContainsFunc(d.Steps, func(s CauseStep) bool { return s.Step == "prompt" && s.On == "" })
		if !alone {
			t.Errorf("%s: the prompt was not tried on the contexts of the run: %+v", name, d.Steps)
		}
		if c.param == "" && (strings.Contains(d.Rationale.EN, "parameter") || needsOf(d, true) != nil) {
			t.Errorf("%s: a parameter of another part, or repaired by a part of what it needs: %s", name, d.Rationale.EN)
		}
	}
}

func bestOf(good bool) string {
	if good {
		return "good"
	}
	return "bad"
}

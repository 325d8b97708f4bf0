package causes

import (
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestAReferenceThatItsLabelsContradictIsSuspect where the answer agrees with them, by figures or by the judge, with and without a model to
// compare with. Where the answer says something else too, or figures are the same in other words, it is not.
func TestAReferenceThatItsLabelsContradictIsSuspect(t *testing.T) {
	t.Parallel()
	withoutModel := allPowers
	withoutModel.Model = false
	const label = "Leave 12 cm behind the station for air."
	for name, c := range map[string]struct {
		label, reference, answer string
		judged                   string // of reference and answer, where figures do not tell
		want                     bool
	}{
		"another figure, and the answer quotes the evidence": {label, "Leave 30 cm behind the station.", "Leave 12 cm behind it.", "", true},
		"another figure in Japanese":                         {"背面を12cm空けてください。", "背面を30cm空ける。", "12cm空けます。", "", true},
		"the judge sees it":                                  {"The filter is grey.", "It is blue.", "It is grey.", Contradicts, true},
		"the answer has a third figure":                      {label, "Leave 30 cm behind the station.", "Leave 15 cm behind it.", "", false},
		"the answer has the reference's figure":              {label, "Leave 30 cm behind the station.", "Leave 30 cm behind it.", "", false},
		"both figures stand in the evidence":                 {"Leave 12 cm, in a corner 30 cm.", "Leave 30 cm.", "Leave 12 cm.", "", false},
		"no figure, and the judge sees nothing":              {"The filter is grey.", "It is grey and round.", "It is grey.", Neutral, false},
	} {
		for _, powers := range []LabPowers{allPowers, withoutModel} {
			hit := evidenceHit
			lab := labelledScript{&scriptLab{powers: powers, config: scriptConfig(), labels: []EvidenceLabel{{
				Quote: c.label, Found: true, Now: evidencePlace, Around: Window{Span: evidenceIn.Span, Text: c.label}}}}}
			lab.answer = func(bool, bool, Swap, int) (string, string) { return c.answer, "" }
			lab.pass = func(string, int) bool { return false }
			lab.windows = func(claim string) []WindowVerdict {
				if claim == c.reference && c.judged != "" {
					return []WindowVerdict{{Verdict: c.judged, Quote: evidencePlace}}
				}
				if claim == c.answer && c.judged == Contradicts {
					return []WindowVerdict{{Verdict: Entails, Quote: evidencePlace}}
				}
				return []WindowVerdict{{Verdict: Neutral}}
			}
			in := lowCase([]rag.Hit{hit, otherHit}, c.answer, "")
			in.Question.Reference = c.reference
			d, err := Diagnose(t.Context(), lab, in, CauseRules{Reference: &rag.Model{Provider: "offline", Name: "strong"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Component == ReferenceText && d.Data == ReferenceData; got != c.want {
				t.Errorf("%s (model %v): %s, %+v", name, powers.Model, d.Component, d.Steps)
			}
			if c.want && (d.Standing() != StandsSearched || d.Confidence > mediumAtMost || len(d.Evidence) == 0) {
				t.Errorf("%s: stands %s, %g, evidence %+v", name, d.Standing(), d.Confidence, d.Evidence)
			}
		}
	}
}

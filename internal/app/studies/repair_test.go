package studies

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TestARepairIsAConfigurationThatARunTakes runs what a diagnosis recommends by a repair cell with a run cell, and by an apply cell: it is
// one run, that is bought once. The configuration differs from the diagnosed one in what is recommended, and the cell alone buys nothing.
func TestARepairIsAConfigurationThatARunTakes(t *testing.T) {
	t.Parallel()
	w := answering(t)
	repairing := strings.Replace(applying, "```rag apply fix\nof: why\n```\n```rag gate g\nof: fix\n```\n",
		"```rag repair mend\nof: why\n```\n```rag run after\nconfigs: mend\ndataset: qa\njudge: {provider: openai, model: gpt-test}\n```\n"+
			"```rag compare c\nbaseline: r\ncandidate: after\n```\n", 1)
	n := notebook(w, t, repairing)
	if _, err := n.Run(t.Context(), notebooks.Options{Approve: yes, Cells: []string{"why"}}); err != nil {
		t.Fatal(err)
	}
	before := w.Billed("")
	v, err := n.Evaluate(t.Context(), true)
	if err != nil || w.Billed("") != before {
		t.Fatal(err, w.Billed("")-before)
	}
	mend, ok := v.Cell("mend").Value.(document.Config)
	why, base := v.Cell("why").Value.(document.CauseSet), v.Cell("base").Value.(document.Config)
	if !ok || mend.Repaired == nil || v.Cell("mend").Price != nil || v.Cell("after").Price == nil || v.Cell("after").Price.Calls == 0 {
		t.Fatalf("%+v, %+v", v.Cell("mend"), v.Cell("after"))
	}
	first := why.Recommendations[0]
	if r := mend.Repaired; !slices.Equal(r.Names, []string{first.Name}) || r.Change != first.Change || r.Repairs != first.Repairs ||
		r.LowScores != why.LowScores || r.Reason.EN == "" || r.Reason.JA == "" {
		t.Errorf("%+v of %+v", mend.Repaired, first)
	}
	if mend.Corpus != base.Corpus || mend.Base["chunk"].(map[string]any)["size"] == base.Base["chunk"].(map[string]any)["size"] {
		t.Errorf("%v of %s is no repair of %v of %s", mend.Base, mend.Corpus, base.Base, base.Corpus)
	}
	if v, err = n.Run(t.Context(), notebooks.Options{Approve: yes}); err != nil || v.Cell("c").State != notebooks.Fresh {
		t.Fatal(err, v.Cell("c"))
	}
	compared := v.Cell("c").Value.(document.Comparison)
	if compared.LowAfter >= compared.LowBefore {
		t.Errorf("low scores %d → %d", compared.LowBefore, compared.LowAfter)
	}
	refuse := func(c notebooks.CellView) (bool, error) { t.Errorf("%s asks for money", c.Name); return false, nil }
	v, err = notebook(w, t, applying).Run(t.Context(), notebooks.Options{Approve: refuse})
	if err != nil {
		t.Fatal(err)
	}
	if other := v.Cell("fix").Value.(document.Comparison); other.Candidate.ID != compared.Candidate.ID {
		t.Errorf("the apply cell ran %s, the repair %s", other.Candidate.ID, compared.Candidate.ID)
	}
	for take, code := range map[string]string{"[99]": "recommendation", "nothing": "recommendation", "[1]": "", first.Name: ""} {
		wrong := notebook(w, t, strings.Replace(repairing, "rag repair mend\n", "rag repair mend\ntake: "+take+"\n", 1))
		v, err := wrong.Evaluate(t.Context(), false)
		if err != nil || codeOf(v.Cell("mend").Error) != code {
			t.Errorf("take %s: %v, %+v", take, err, v.Cell("mend").Error)
		}
	}
}

func codeOf(p *problem.Problem) string {
	if p == nil {
		return ""
	}
	return p.Code
}
